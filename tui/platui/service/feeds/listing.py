"""Merge the pages of a list that shifts while it is loaded (spec §8)."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from platui.core.dataclass import dataclass
from platui.models.values.feeds import Listing, Page


class HasId(Protocol):
    @property
    def id(self) -> Any: ...


R = TypeVar("R", bound=HasId)


@dataclass(frozen=True)
class Loaded(Generic[R]):
    """The loaded part of a list."""

    items: tuple[R, ...]
    total: int | None
    next: int | None  # number of the next page; None: complete
    size: int  # items of a full page
    repeats: bool = False  # whether it ended because pages repeated
    mark: int = 0  # of the last page, see `Page.mark`

    @cached_property
    def listing(self) -> Listing[R]:
        complete = self.next is None
        return Listing(
            self.items, self.total, complete=complete, repeats=self.repeats, page_size=self.size
        )


def begin(page: Page[R]) -> Loaded[R]:
    items = tuple({item.id: item for item in page.items}.values())
    return Loaded(items, page.total, page.next, max(1, len(page.items)), mark=page.mark)


def extend(loaded: Loaded[R], page: Page[R]) -> Loaded[R]:
    items = {item.id: item for item in (*loaded.items, *page.items)}
    total = loaded.total if page.total is None else page.total
    # A page without new items ends the list, since some platforms page for ever. With an ignored
    # filter, though, pages may hold no matching item and still continue.
    is_filtered = page.mark not in {0, loaded.mark}
    repeats = page.next is not None and len(items) == len(loaded.items) and not is_filtered
    following = None if repeats else page.next
    return Loaded(tuple(items.values()), total, following, loaded.size, repeats, page.mark)


def renew(loaded: Loaded[R], page: Page[R], *, asked: bool = False) -> Loaded[R] | None:
    """Return the list with its new first page.

    New items come first, known ones change in place, items that left the range of the first page
    are dropped, and later pages stay. None if the first page shares no item with the list: items
    between them are unknown.

    A list that ended because pages repeated continues if the platform counts more items than are
    loaded, or `asked`.
    """
    fresh = begin(page)
    if fresh.next is None or loaded.items == ():
        return fresh
    tail = _tail(loaded.items, {item.id for item in fresh.items})
    if tail is None:
        return None
    items, total = (*fresh.items, *tail), fresh.total
    # Removed items make later pages move up: continue at the real end of the loaded items.
    reached = max(2, len(items) // fresh.size + 1)
    if loaded.next is not None:
        reached = min(loaded.next, reached)
    elif not (loaded.repeats and (asked or len(items) < (total or 0))):
        return Loaded(items, total, None, fresh.size, loaded.repeats)
    return Loaded(items, total, max(2, reached), fresh.size, loaded.repeats)


def _tail(items: tuple[R, ...], fresh: set[Any]) -> tuple[R, ...] | None:
    for index in range(len(items) - 1, -1, -1):
        if items[index].id in fresh:
            return items[index + 1 :]
    return None
