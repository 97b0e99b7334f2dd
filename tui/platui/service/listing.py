"""A list as far as it is loaded, while its pages shift under us (spec §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from platui.models.values.pages import Page


class HasId(Protocol):
    """What every record of the platform has."""

    @property
    def id(self) -> Any:
        """Return what tells one record from another."""
        ...


R = TypeVar("R", bound=HasId)


@dataclass(frozen=True, slots=True)
class Loaded(Generic[R]):
    """The items of the pages loaded so far, each once."""

    items: tuple[R, ...]
    next: int | None
    """Number of the page to load next; None: nothing is left."""
    total: int | None = None
    size: int = 1
    """Items of a full page."""


def begin(page: Page[R]) -> Loaded[R]:
    """Return the list after its first page."""
    items = tuple({item.id: item for item in page.items}.values())
    return Loaded(items, page.next, page.total, max(1, len(page.items)))


def extend(loaded: Loaded[R], page: Page[R]) -> Loaded[R]:
    """Return the list with one more page: what shifted into it again stands once."""
    items = {item.id: item for item in loaded.items}
    items.update((item.id, item) for item in page.items)
    total = loaded.total if page.total is None else page.total
    # A platform that pages for ever, or not at all, repeats itself: that is the end.
    following = page.next if len(items) > len(loaded.items) else None
    return Loaded(tuple(items.values()), following, total, loaded.size)


def renew(loaded: Loaded[R], page: Page[R]) -> Loaded[R] | None:
    """Return the list with its first page as it is now.

    New items come on top, known ones change in place, those that left the range of the
    first page are dropped, and what was loaded beyond it stays. None where the first page
    has nothing in common with the list: what lies between them is not known.
    """
    fresh = begin(page)
    if fresh.next is None or loaded.items == ():
        return fresh
    tail = _tail(loaded.items, {item.id for item in fresh.items})
    if tail is None:
        return None
    items = (*fresh.items, *tail)
    if loaded.next is None:
        return Loaded(items, None, fresh.total, fresh.size)
    # Items that left make later pages move up: begin where the loaded items really end.
    reached = len(items) // fresh.size + 1
    return Loaded(items, max(2, min(loaded.next, reached)), fresh.total, fresh.size)


def _tail(items: tuple[R, ...], fresh: set[Any]) -> tuple[R, ...] | None:
    """Return the items behind the last one that is in the fresh page too."""
    for index in range(len(items) - 1, -1, -1):
        if items[index].id in fresh:
            return items[index + 1 :]
    return None
