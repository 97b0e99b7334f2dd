"""Feeds and their values: snapshots, lists, pages, progress."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError


T = TypeVar("T")


class Feed(Protocol[T]):
    """Snapshots of one query; iterating starts the feed, leaving stops its requests."""

    def __aiter__(self) -> AsyncIterator[Snapshot[T]]:
        """Yield the cached value at once, then every change."""

    def refresh(self) -> None:
        """Request a newer value now, on behalf of the user."""

    def load_more(self, pages: int = 1, *, again: bool = False) -> None:
        """Load the next pages of an incomplete list; `again`: unless one is awaited."""

    def load_all(self) -> None:
        """Load all remaining pages; `refresh` or leaving cancels it."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Pause (or resume) polling; `refresh` still works."""


class Source(StrEnum):
    NOTHING = "nothing"
    CACHE = "cache"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[T]):
    """The value of a query at one moment."""

    value: T | None
    source: Source
    fetched_at: datetime | None  # UTC; None without a value
    error: PlatuiError | None = None  # Why the last refresh failed; the previous value stays
    refreshing: bool = False  # Whether a request is running
    is_final: bool = False  # Whether the value cannot change any more (jobs of a finished pipeline)
    loading: bool = False  # Whether more pages are being loaded on request of the user

    def confirms(self, before: Snapshot[T] | None) -> bool:
        """Return whether it only confirms the value of another snapshot, at a later time."""
        if before is None or self.value is not before.value or self.error is not None:
            return False
        return replace(self, value=None) == replace(before, value=None, fetched_at=self.fetched_at)


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list operation (spec §8)."""

    items: tuple[T, ...]
    number: int
    next: int | None  # Number of the next page; None at the end
    total: int | None = None  # None: the platform does not count
    mark: int = 0  # Hash of the unfiltered items if some were filtered out; otherwise 0


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """The loaded items of a list, each once."""

    items: tuple[T, ...] = field(default=())
    total: int | None = None
    complete: bool = False  # Whether all items are loaded
    is_supported: bool = True  # Whether the platform supports this list
    repeats: bool = False  # Whether the platform repeated a page
    page_size: int | None = None  # Items of the first page, polled alone; None: all of them

    def first(self, limit: int | None) -> Listing[T]:
        """Return at most `limit` items, as if the rest were not loaded; None: all."""
        if limit is None or len(self.items) <= limit:
            return self
        is_counted = self.total is None and self.complete and not self.repeats
        total = len(self.items) if is_counted else self.total
        return replace(self, items=self.items[:limit], total=total, complete=False)


class Progress(NamedTuple):
    received: int
    total: int | None  # None: unknown
