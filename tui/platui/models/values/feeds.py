"""The shape of what a screen iterates: snapshots that come as long as it is visible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.models.values.snapshots import Snapshot

T = TypeVar("T")


class Feed(Protocol[T]):
    """Snapshots of one query.

    Iterating starts it; leaving the iteration (the task is cancelled, the screen is
    suspended) stops every request and timer of it. It can be iterated again.
    """

    def __aiter__(self) -> AsyncIterator[Snapshot[T]]:
        """Yield what is known at once, then every change."""
        ...

    def refresh(self) -> None:
        """Ask for a newer value now, because the user wants it."""
        ...

    def load_more(self, pages: int = 1) -> None:
        """Load the next page of a list; nothing where the list is complete."""
        ...

    def load_all(self) -> None:
        """Load every page that is left; `refresh` or leaving cancels that."""
        ...

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) polling; `refresh` still works."""
        ...
