"""Determine the next page: by `Link`, then `X-Next-Page`, then whether the page is full.

Only the page number is taken from the platform; the URL is built on our own origin, because the
platform's host may differ behind a proxy.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import parse_qs, urlsplit

from platui.api.quota import whole_number
from platui.models.values.feeds import Page

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

_LINK: Final = re.compile(r"<([^<>]*)>([^<]*)")
_REL: Final = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))', re.IGNORECASE)


def page_of(
    items: tuple[T, ...],
    headers: Mapping[str, str],
    *,
    number: int,
    per_page: int,
    count: int | None = None,
) -> Page[T]:
    """Return the page and the number of the next one; `count` includes invalid items."""
    return Page(
        items,
        number=number,
        next=_next_number(len(items) if count is None else count, headers, number, per_page),
        total=whole_number(headers.get("x-total")),
    )


def _next_number(count: int, headers: Mapping[str, str], number: int, per_page: int) -> int | None:
    if count == 0:
        return None  # past the end: never page forever, whatever the headers contain
    targets = _links(headers.get("link", ""))
    if "next" in targets:
        return _later(_page_in(targets["next"]), number) or number + 1
    stated = headers.get("x-next-page")
    if stated is not None:
        return _later(whole_number(stated), number)
    if targets:
        return None  # the platform links pages, but no next one
    # More items than requested: the platform does not page this list.
    size = whole_number(headers.get("x-per-page")) or per_page
    return number + 1 if count == size else None


def _later(candidate: int | None, number: int) -> int | None:
    return candidate if candidate is not None and candidate > number else None


def _links(header: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for target, parameters in _LINK.findall(header):
        relation = _REL.search(parameters)
        if relation:
            for name in (relation[1] or relation[2] or "").lower().split():
                found.setdefault(name, target)
    return found


def _page_in(target: str) -> int | None:
    try:
        values = parse_qs(urlsplit(target).query).get("page", [])
    except ValueError:
        return None
    return whole_number(values[-1]) if values else None
