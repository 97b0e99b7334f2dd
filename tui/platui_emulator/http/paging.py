"""Pages of lists, and their headers (spec §8)."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qsl, urlencode

from platui_emulator.http.answers import json_answer, written_answer
from platui_emulator.http.failures import bad_parameters, no_keyset, too_deep, unprocessable

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.call import Call
    from platui_emulator.http.parameters import Parameters


DEFAULT_PER_PAGE: Final = 20
MAX_PER_PAGE: Final = 100
DEEPEST: Final = 50_000
"""How far into a list an offset may lead, where there is another way."""

T = TypeVar("T")

MOST_COUNTED: Final = 10_000
"""Above this many the platform does not say how many there are."""


@dataclass(frozen=True, slots=True)
class Window:
    """The requested page."""

    page: int
    per_page: int

    @property
    def offset(self) -> int:
        """Return how many items come before the page."""
        return (self.page - 1) * self.per_page

    def has_next(self, total: int) -> bool:
        """Return whether a list of this length continues after the page."""
        return self.offset + self.per_page < total


def window_of(params: Parameters) -> Window:
    """Read `page` and `per_page`, cut to the maximum. Raises ApiFailure: no numbers, or by key."""
    if by_key(params):
        raise no_keyset()
    return Window(max(1, params.number("page", 1)), per_page_of(params))


def by_key(params: Parameters) -> bool:
    """Return whether the request asks for keyset pagination."""
    return params.text("pagination") == "keyset"


def per_page_of(params: Parameters) -> int:
    """Read `per_page`."""
    per_page = params.number("per_page", DEFAULT_PER_PAGE)
    if per_page < 1:
        raise bad_parameters("per_page does not have a valid value")
    return min(per_page, MAX_PER_PAGE)


def shallow_window_of(params: Parameters, kind: str) -> Window:
    """Read the window on a list that is also paged by key. Raises ApiFailure: it is too deep."""
    window = window_of(params)
    if window.page * window.per_page > DEEPEST:
        raise too_deep(kind, DEEPEST)
    return window


def whole_list(
    call: Call, items: Sequence[T], render: Callable[[T], Any], window: Window | None = None
) -> Response:
    """Return one page of a complete list."""
    window = window or window_of(call.params)
    part = items[window.offset : window.offset + window.per_page]
    return counted_page(call, window, [render(item) for item in part], len(items))


def counted_page(call: Call, window: Window, rows: list[Any], total: int) -> Response:
    """Answer with a page of a list whose length is known."""
    return json_answer(rows, headers=_counted_headers(call, window, total))


def written_page(call: Call, window: Window, rows: Sequence[str], total: int) -> Response:
    """Answer with a page of a list whose length is known, from rows that are JSON already."""
    headers = _counted_headers(call, window, total)
    return written_answer(f"[{','.join(rows)}]", headers=headers)


def _counted_headers(call: Call, window: Window, total: int) -> dict[str, str]:
    headers = _headers(call, window, more=window.has_next(total))
    if total <= MOST_COUNTED:
        pages = max(1, -(-total // window.per_page))
        headers |= {"X-Total": str(total), "X-Total-Pages": str(pages)}
        headers["Link"] += f", {_link(call, window, pages, 'last')}"
    return headers


def uncounted_page(call: Call, window: Window, rows: list[Any], *, more: bool) -> Response:
    """Return a page without total and last page."""
    return json_answer(rows, headers=_headers(call, window, more=more))


def _headers(call: Call, window: Window, *, more: bool) -> dict[str, str]:
    before = window.page - 1
    after = window.page + 1 if more else 0
    steps = [(before, "prev"), (after, "next"), (1, "first")]
    return {
        "X-Page": str(window.page),
        "X-Per-Page": str(window.per_page),
        "X-Next-Page": str(after or ""),
        "X-Prev-Page": str(before or ""),
        "Link": ", ".join(_link(call, window, page, rel) for page, rel in steps if page),
    }


def _link(call: Call, window: Window, page: int, rel: str) -> str:
    sent = parse_qsl(call.query, keep_blank_values=True, errors="replace")
    pairs = [pair for pair in sent if pair[0] not in {"page", "per_page"}]
    pairs += [("page", str(page)), ("per_page", str(window.per_page))]
    return f'<{call.links.root}{call.raw_path}?{urlencode(pairs)}>; rel="{rel}"'


_KINDS: Final = frozenset({"page", "cursor", "page_token"})


def keyed_page(call: Call, rows: Sequence[Any], following: Mapping[str, str] | None) -> Response:
    """Return a page without totals, with a next link if `following` has its parameters."""
    headers = {}
    if following is not None:
        sent = parse_qsl(call.query, keep_blank_values=True, errors="replace")
        pairs = [pair for pair in sent if pair[0] not in _KINDS | following.keys()]
        query = urlencode([*pairs, *following.items()])
        headers["Link"] = f'<{call.links.root}{call.raw_path}?{query}>; rel="next"'
    return json_answer(list(rows), headers=headers)


def token_page(
    call: Call, items: Sequence[T], key: Callable[[T], str], render: Callable[[T], Any]
) -> Response:
    """Answer with the page after the item `page_token` names. Raises ApiFailure: no such item."""
    token, start = call.params.text("page_token"), 0
    if token:
        places = [place for place, item in enumerate(items) if key(item) == token]
        if not places:
            raise unprocessable("Invalid page token")
        start = places[0] + 1
    end = start + per_page_of(call.params)
    more = end < len(items)
    rows = [render(item) for item in items[start:end]]
    return keyed_page(call, rows, {"page_token": key(items[end - 1])} if more else None)


def cursor_of(number: int) -> str:
    """Return the cursor behind which a list by id goes on."""
    said = json.dumps({"id": str(number), "_kd": "n"}).encode()
    return base64.urlsafe_b64encode(said).decode()


def read_cursor(text: str) -> int:
    """Return the id that a cursor names. Raises ApiFailure: it is none of ours."""
    try:
        said = json.loads(base64.urlsafe_b64decode(text.encode()))
        return int(said["id"])
    except (binascii.Error, ValueError, KeyError, TypeError) as error:
        raise bad_parameters("cursor is invalid") from error
