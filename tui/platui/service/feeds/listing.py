"""Merge the pages of a list that shifts while it is loaded (spec §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from platui.models.values.feeds import Listing

if TYPE_CHECKING:
    from platui.models.values.feeds import Page


class HasId(Protocol):
    @property
    def id(self) -> Any: ...


R = TypeVar("R", bound=HasId)


@dataclass(frozen=True, slots=True)
class Loaded(Generic[R]):
    """The loaded part of a list."""

    listing: Listing[R]
    next: int | None  # number of the next page; None: complete
    size: int  # items of a full page
    mark: int  # of the last page, see `Page.mark`


def begin(page: Page[R]) -> Loaded[R]:
    items = tuple({item.id: item for item in page.items}.values())
    return _loaded(items, page.next, page.total, max(1, len(page.items)), mark=page.mark)


def extend(loaded: Loaded[R], page: Page[R]) -> Loaded[R]:
    listing = loaded.listing
    items = {item.id: item for item in listing.items}
    items.update((item.id, item) for item in page.items)
    total = listing.total if page.total is None else page.total
    # A page without new items ends the list, since some platforms page for ever. With an ignored
    # filter, though, pages may hold no matching item and still continue.
    is_filtered = page.mark not in {0, loaded.mark}
    repeats = page.next is not None and len(items) == len(listing.items) and not is_filtered
    following = None if repeats else page.next
    return _loaded(
        tuple(items.values()), following, total, loaded.size, repeats=repeats, mark=page.mark
    )


def renew(loaded: Loaded[R], page: Page[R], *, asked: bool = False) -> Loaded[R] | None:
    """Return the list with its new first page.

    New items come first, known ones change in place, items that left the range of the first page
    are dropped, and later pages stay. None if the first page shares no item with the list: items
    between them are unknown.

    A list that ended because pages repeated continues if the platform counts more items than are
    loaded, or `asked`.
    """
    listing, fresh = loaded.listing, begin(page)
    if fresh.next is None or listing.items == ():
        return fresh
    items, total = fresh.listing.items, fresh.listing.total
    tail = _tail(listing.items, {item.id for item in items})
    if tail is None:
        return None
    items = (*items, *tail)
    # Removed items make later pages move up: continue at the real end of the loaded items.
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
