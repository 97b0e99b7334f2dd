"""Feeds and what they yield: snapshots of a value, lists as far as they are loaded, progress."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from platui.core.errors import PlatuiError


T = TypeVar("T")


class Feed(Protocol[T]):
    """Snapshots of one query.

    Iterating starts it; leaving the iteration (the task is cancelled, the screen is
    suspended) stops every request and timer of it. It can be iterated again.
    """

    def __aiter__(self) -> AsyncIterator[Snapshot[T]]:
        """Yield what is known at once, then every change."""

    def refresh(self) -> None:
        """Ask for a newer value now, because the user wants it."""

    def load_more(self, pages: int = 1) -> None:
        """Load the next page of a list; nothing where the list is complete."""

    def load_all(self) -> None:
        """Load every page that is left; `refresh` or leaving cancels that."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) polling; `refresh` still works."""


class Source(StrEnum):
    """Where a snapshot's value came from."""

    NOTHING = "nothing"
    CACHE = "cache"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[T]):
    """The state of one piece of server truth at one moment."""

    value: T | None
    source: Source
    fetched_at: datetime | None
    """When the platform said so (UTC); None while there is no value."""
    error: PlatuiError | None = None
    """Why the value could not be renewed; the value of before stays."""
    refreshing: bool = False
    """Whether a request for a newer value is under way."""
    is_final: bool = False
    """Whether the value cannot change any more (a finished pipeline's jobs)."""
    loading: bool = False
    """Whether more of a list is on its way because somebody asked for it."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list operation (spec §8)."""

    items: tuple[T, ...]
    number: int
    next: int | None
    """Number of the page after this one; None at the end."""
    total: int | None = None
    """How many there are in all; absent where the platform does not count."""
    mark: int = 0
    """Names the items as they came, where some were not asked for and left out; 0: none were."""


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """The items of a list that are loaded so far, each once."""

    items: tuple[T, ...] = field(default=())
    total: int | None = None
    complete: bool = False  # Whether nothing is left to load
    is_supported: bool = True  # Whether the platform has such a list at all
    repeats: bool = False  # Whether the platform gave the same page again instead of a further one

    def first(self, limit: int | None) -> Listing[T]:
        """Return the list as if no more than its first items were loaded; None: all of them."""
        if limit is None or len(self.items) <= limit:
            return self
        is_counted = self.total is None and self.complete and not self.repeats
        total = len(self.items) if is_counted else self.total
        return replace(self, items=self.items[:limit], total=total, complete=False)


@dataclass(frozen=True, slots=True)
class Progress:
    """Bytes that are there, of those there are."""

    received: int
    total: int | None  # None: the platform does not say
