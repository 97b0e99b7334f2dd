"""Which page comes next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.api.decoding import PageDecoder, next_page
from platui.models.wire import Branch

_NEXT = '<https://elsewhere.example.org/api/v4/projects?page=3&per_page=2>; rel="next"'
_LAST = '<https://host/x?page=9>; rel="last", <https://host/x?page=1>; rel="first"'


@pytest.mark.parametrize(
    ("count", "headers", "following"),
    [
        (2, {}, 3),  # full, and nothing said: maybe more
        (1, {}, None),
        (0, {}, None),
        (5, {}, None),  # more than asked for: not paged at all
        (2, {"x-per-page": "20"}, None),
        (1, {"x-per-page": "1"}, 3),  # the platform has cut per_page down
        (2, {"link": _NEXT}, 3),
        (2, {"link": f"{_LAST}, {_NEXT}"}, 3),
        (2, {"link": _LAST}, None),
        (2, {"link": "<https://h/x?page=4>; title=a; rel=next"}, 4),
        (2, {"link": '<https://h/x?page=4>; rel="last next"'}, 4),
        (2, {"link": '<https://h/x?cursor=abc>; rel="next"'}, 3),
        (2, {"link": '<https://h/x?page=1>; rel="next"'}, 3),  # never backwards
        (2, {"link": '<https://[h/x?page=4>; rel="next"'}, 3),
        (2, {"link": "rubbish"}, 3),
        (2, {"link": "rubbish", "x-next-page": ""}, None),
        (2, {"link": _LAST, "x-next-page": "3"}, 3),
        (2, {"x-next-page": "3"}, 3),
        (2, {"x-next-page": ""}, None),
        (2, {"x-next-page": "2"}, None),
        (2, {"x-next-page": "-1"}, None),
        (0, {"link": _NEXT, "x-next-page": "3"}, None),  # past the end, for ever
    ],
)
def test_next_page(count: int, headers: dict[str, str], following: int | None) -> None:
    """By Link, then by X-Next-Page, then by whether the page is full."""
    assert next_page(count, headers, 2, 2) == following


@pytest.mark.parametrize(
    ("said", "total"), [({}, None), ({"x-total": "17"}, 17), ({"x-total": "many"}, None)]
)
def test_totals_may_be_absent(said: dict[str, str], total: int | None) -> None:
    """GitLab leaves them out beyond 10,000."""
    assert PageDecoder(Branch, 1, 20)(b'[{"name": "main"}]', said).total == total


@given(
    st.integers(0, 200),
    st.dictionaries(st.sampled_from(["link", "x-next-page", "x-per-page", "x-total"]), st.text()),
    st.integers(1, 1000),
)
def test_no_headers_make_pages_go_backwards(
    count: int, headers: dict[str, str], number: int
) -> None:
    """Following `next` always ends or goes on; it never turns in a circle."""
    following = next_page(count, headers, number, 100)
    assert following is None or following > number


@given(st.integers(0, 450), st.integers(1, 100), st.sampled_from(["link", "number", "nothing"]))
def test_every_item_comes_once(total: int, per_page: int, style: str) -> None:
    """However the platform tells the next page, following it gives the whole list."""
    everything = list(range(total))
    seen: list[int] = []
    number: int | None = 1
    while number is not None:
        start = (number - 1) * per_page
        items = everything[start : start + per_page]
        more = start + per_page < total
        headers = {
            "link": {"link": f'<https://h/?page={number + 1}>; rel="next"' if more else _LAST},
            "number": {"x-next-page": str(number + 1) if more else ""},
            "nothing": {},
        }[style]
        seen += items
        number = next_page(len(items), headers, number, per_page)
    assert seen == everything
