"""Lists whose pages shift while they are read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from platui.models.values.feeds import Listing, Page
from platui.service.feeds.listing import Loaded, begin, extend, renew


@dataclass(frozen=True)
class Item:
    """A record and a state of it."""

    id: int
    state: str = ""


def _page(ids: list[int], number: int, size: int, state: str = "") -> Page[Item]:
    """Return a page of the list of the platform as it is now."""
    start = (number - 1) * size
    items = tuple(Item(i, state) for i in ids[start : start + size])
    following = number + 1 if start + size < len(ids) else None
    return Page(items, number, following, len(ids))


def _ids(loaded: Loaded[Item] | None) -> list[int]:
    assert loaded is not None
    return [item.id for item in loaded.listing.items]


sizes = st.integers(1, 5)
lists = st.lists(st.integers(0, 60), unique=True, max_size=25)


@given(lists, sizes)
def test_pages_of_a_list_at_rest_make_up_the_list(ids: list[int], size: int) -> None:
    """Reading every page gives each item once, in order."""
    loaded = begin(_page(ids, 1, size))
    while loaded.next is not None:
        loaded = extend(loaded, _page(ids, loaded.next, size))
    assert _ids(loaded) == ids


@given(lists, sizes, st.lists(st.integers(0, 4), max_size=40))
def test_items_that_arrive_meanwhile_hide_nothing(
    ids: list[int], size: int, arrivals: list[int]
) -> None:
    """Whatever comes on top between two pages, every item of the beginning is found, once."""
    current = list(ids)
    loaded = begin(_page(current, 1, size))
    for number, count in enumerate(arrivals):
        if loaded.next is None:
            break
        # Fewer than a page: a page of repetitions alone is taken for the end.
        current = [1000 + 10 * number + i for i in range(min(count, size - 1))] + current
        loaded = extend(loaded, _page(current, loaded.next, size))
    while loaded.next is not None:
        loaded = extend(loaded, _page(current, loaded.next, size))
    found = _ids(loaded)
    assert len(found) == len(set(found))
    assert set(ids) <= set(found)


@given(lists, sizes, st.integers(0, 3), st.sets(st.integers(0, 60), max_size=3), st.integers(1, 4))
def test_renewing_shows_the_platforms_order(
    ids: list[int], size: int, arrived: int, left: set[int], pages: int
) -> None:
    """New on top, changed in place, gone from the first page: gone; the rest stays."""
    loaded = begin(_page(ids, 1, size, "old"))
    for _ in range(pages - 1):
        if loaded.next is not None:
            loaded = extend(loaded, _page(ids, loaded.next, size, "old"))
    before = _ids(loaded)
    current = [100 + i for i in range(arrived)] + [i for i in ids if i not in left]
    first = _page(current, 1, size, "new")
    renewed = renew(loaded, first)
    if renewed is None:
        assert not set(before) & {item.id for item in first.items}
        return
    after = _ids(renewed)
    assert renewed.listing.items[: len(first.items)] == first.items
    assert len(after) == len(set(after))
    known = [i for i in after if i in current]
    assert known == [i for i in current if i in after]
    if renewed.next is not None:
        # Nothing between the loaded items and the next page is skipped.
        reached = (renewed.next - 1) * size
        assert set(current[:reached]) <= set(after) | set(current[len(known) :])


def test_renewing_keeps_later_pages() -> None:
    """A poll of page 1 does not throw away what the user scrolled to."""
    ids = list(range(20, 0, -1))
    loaded = extend(begin(_page(ids, 1, 5, "old")), _page(ids, 2, 5, "old"))
    renewed = renew(loaded, _page([21, *ids], 1, 5, "new"))
    assert renewed is not None
    assert _ids(renewed) == list(range(21, 10, -1))
    assert [item.state for item in renewed.listing.items] == ["new"] * 5 + ["old"] * 6
    assert renewed.next == 3
    assert renewed.listing.total == 21


def test_more_than_a_page_of_news_leaves_a_gap() -> None:
    """Where nothing overlaps, what lies between is not known, and it says so."""
    loaded = begin(_page([5, 4, 3, 2, 1], 1, 2))
    assert renew(loaded, _page([9, 8, 7, 6, 5, 4, 3, 2, 1], 1, 2)) is None


def test_a_platform_that_ignores_pages_is_read_once() -> None:
    """The same page again brings nothing, so it is the last one."""
    page = Page((Item(1), Item(2)), 1, 2)
    loaded = extend(begin(page), Page(page.items, 2, 3))
    assert (loaded.next, loaded.listing.repeats) == (None, True)
    assert renew(loaded, page) == loaded


def test_a_list_that_repeated_itself_can_go_on() -> None:
    """Where the platform counts more, or the user asks; until then it is known to repeat."""
    first = _page([9, 8, 7, 6, 5, 4], 1, 2)
    loaded = extend(begin(first), Page(first.items, 2, 3, 6))
    assert (loaded.next, loaded.listing.repeats) == (None, True)
    again = renew(loaded, first)
    assert again is not None
    assert (again.next, again.listing.repeats) == (2, True)
    healed = extend(again, _page([9, 8, 7, 6, 5, 4], 2, 2))
    assert (_ids(healed), healed.next, healed.listing.repeats) == ([9, 8, 7, 6], 3, False)
    uncounted = Page(first.items, 1, 2)
    loaded = extend(begin(uncounted), Page(first.items, 2, 3))
    asked = renew(loaded, uncounted, asked=True)
    assert asked is not None
    assert asked.next == 2
    end = extend(begin(uncounted), Page((), 2, None))
    assert (end.next, end.listing.repeats) == (None, False)


def test_an_item_that_left_makes_the_next_page_overlap() -> None:
    """When items disappear, later ones move up; reading on must not skip them."""
    ids = list(range(30, 0, -1))
    loaded = extend(begin(_page(ids, 1, 5)), _page(ids, 2, 5))
    fewer = [i for i in ids if i not in {29, 28}]
    renewed = renew(loaded, _page(fewer, 1, 5))
    assert renewed is not None
    assert renewed.next == 2
    assert _ids(extend(renewed, _page(fewer, 2, 5))) == fewer[:10]


def test_pages_of_what_was_not_asked_for_do_not_end_a_list() -> None:
    """A platform that ignores a filter has them; the same one again is the end all the same."""
    nothing: Page[Item] = Page((), 1, 2, mark=11)
    loaded = begin(nothing)
    loaded = extend(loaded, Page((), 2, 3, mark=12))
    assert (loaded.next, loaded.listing.repeats) == (3, False)
    loaded = extend(loaded, Page((Item(7),), 3, 4, mark=13))
    assert (_ids(loaded), loaded.next) == ([7], 4)
    again = extend(loaded, Page((Item(7),), 4, 5, mark=13))
    assert (again.next, again.listing.repeats) == (None, True)


def test_the_first_of_a_list_say_what_there_is_beside_them() -> None:
    """More is left, of as many as are known to be there; a list that repeats itself knows none."""
    whole = Listing((1, 2, 3), complete=True)
    assert whole.first(None) is whole.first(3) is whole
    assert whole.first(2) == Listing((1, 2), 3)
    assert replace(whole, repeats=True).first(2) == Listing((1, 2), repeats=True)
    assert Listing((1, 2, 3), 8).first(2) == Listing((1, 2), 8)
