"""Lists paged by key: each page says only where the next one begins."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qsl, urlencode

from platui.emulator.http.answers import json_answer
from platui.emulator.http.failures import bad_parameters, unprocessable
from platui.emulator.http.paging import per_page_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.responses import Response

    from platui.emulator.http.call import Call

T = TypeVar("T")
_KINDS: Final = frozenset({"page", "cursor", "page_token"})


def keyed_page(call: Call, rows: Sequence[Any], following: Mapping[str, str] | None) -> Response:
    """Answer with a page and, where `following` says how to ask for more, a link to that.

    There are no totals and no other links: nobody knows how many pages there are.
    """
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
    """Answer with the page of a list at hand that follows the item named by `page_token`.

    Raises:
        ApiFailure: no item has that name.
    """
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
    """Return the id that a cursor names.

    Raises:
        ApiFailure: it is none of ours.
    """
    try:
        said = json.loads(base64.urlsafe_b64decode(text.encode()))
        return int(said["id"])
    except (binascii.Error, ValueError, KeyError, TypeError) as error:
        raise bad_parameters("cursor is invalid") from error
