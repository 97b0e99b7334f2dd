"""A list as far as it is loaded, while its pages shift under us (spec §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from platui.models.values.feeds import Listing

if TYPE_CHECKING:
    from platui.models.values.feeds import Page


class HasId(Protocol):
    """What every record of the platform has."""

    @property
    def id(self) -> Any:
        """Return what tells one record from another."""


R = TypeVar("R", bound=HasId)


@dataclass(frozen=True, slots=True)
class Loaded(Generic[R]):
    """A list as far as it is loaded, and where it goes on."""

    listing: Listing[R]
    next: int | None
    """Number of the page to load next; None: nothing is left."""
    size: int
    """Items of a full page."""
    mark: int
    """Of the last page (see `Page.mark`)."""


def begin(page: Page[R]) -> Loaded[R]:
    items = tuple({item.id: item for item in page.items}.values())
    return _loaded(items, page.next, page.total, max(1, len(page.items)), mark=page.mark)


def extend(loaded: Loaded[R], page: Page[R]) -> Loaded[R]:
    listing = loaded.listing
    items = {item.id: item for item in listing.items}
    items.update((item.id, item) for item in page.items)
    total = listing.total if page.total is None else page.total
    # A platform that pages for ever, or not at all, repeats itself: that is the end. One that
    # ignores a filter has pages without anything that was asked for, and they go on.
    is_filtered = page.mark not in {0, loaded.mark}
    repeats = page.next is not None and len(items) == len(listing.items) and not is_filtered
    following = None if repeats else page.next
    return _loaded(
        tuple(items.values()), following, total, loaded.size, repeats=repeats, mark=page.mark
    )


def renew(loaded: Loaded[R], page: Page[R], *, asked: bool = False) -> Loaded[R] | None:
    """Return the list with its first page as it is now.

    New items come on top, known ones change in place, those that left the range of the
    first page are dropped, and what was loaded beyond it stays. None where the first page
    has nothing in common with the list: what lies between them is not known.

    A list that ended by repeating itself is open again where the platform counts more items
    than are loaded, or where the user asked: that platform may have come to its senses.
    """
    listing, fresh = loaded.listing, begin(page)
    if fresh.next is None or listing.items == ():
        return fresh
    items, total = fresh.listing.items, fresh.listing.total
    tail = _tail(listing.items, {item.id for item in items})
    if tail is None:
        return None
    items = (*items, *tail)
    # Items that left make later pages move up: begin where the loaded items really end.
    reached = max(2, len(items) // fresh.size + 1)
    if loaded.next is not None:
        reached = min(loaded.next, reached)
    elif not (listing.repeats and (asked or len(items) < (total or 0))):
        return _loaded(items, None, total, fresh.size, repeats=listing.repeats)
    return _loaded(items, max(2, reached), total, fresh.size, repeats=listing.repeats)


def _loaded(
    items: tuple[R, ...],
    following: int | None,
    total: int | None,
    size: int,
    *,
    repeats: bool = False,
    mark: int = 0,
) -> Loaded[R]:
    listing = Listing(items, total, complete=following is None, repeats=repeats)
    return Loaded(listing, following, size, mark)


def _tail(items: tuple[R, ...], fresh: set[Any]) -> tuple[R, ...] | None:
    for index in range(len(items) - 1, -1, -1):
        if items[index].id in fresh:
            return items[index + 1 :]
    return None
