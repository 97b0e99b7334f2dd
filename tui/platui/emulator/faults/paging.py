"""Lists that go wrong between their pages: those that never end, and those that shift."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlencode

from platui.emulator.faults.wire import read

if TYPE_CHECKING:
    from platui.emulator.faults.wire import Answer, Ask, Call

_OK: Final = 200
_DEFAULT_PER_PAGE: Final = 20  # spec §8
_MOST_PER_PAGE: Final = 100
_DIGITS: Final = 9


async def endless(call: Call, ask: Ask, pages: int) -> Answer:
    """Answer with one of the first pages again and again, each leading to a further one."""
    page = _number(call, "page", 1)
    told = (page - 1) % pages + 1
    answer = await ask(call if told == page else _asking(call, page=told))
    return _numbered(call, answer, page, more=True) if _is_list(call, answer) else answer


async def shifting(call: Call, ask: Ask, rows: int) -> Answer:
    """Answer as if so many new rows had come on top since the page before was read."""
    page = _number(call, "page", 1)
    size = max(1, min(_number(call, "per_page", _DEFAULT_PER_PAGE), _MOST_PER_PAGE))
    if page == 1 or rows >= size or call.method != "GET":
        return await ask(call)
    start = (page - 1) * (size - rows)
    first = start // size + 1
    answer = await ask(_asking(call.plain(), page=first, per_page=size))
    if not _is_list(call, answer):
        return answer
    window = await _rows(answer)
    following = await ask(_asking(call.plain(), page=first + 1, per_page=size))
    window += await _rows(following)
    window = window[start % size :]
    more = len(window) > size or bool(following.header(b"x-next-page"))
    body = json.dumps(window[:size], ensure_ascii=False, separators=(",", ":")).encode()
    return _numbered(call, answer.with_body(body), page, more=more)


async def _rows(answer: Answer) -> list[Any]:
    rows = json.loads(await read(answer.body))
    return rows if isinstance(rows, list) else []


def _is_list(call: Call, answer: Answer) -> bool:
    """Tell whether an answer is a page of a list, as far as its head tells."""
    kind = answer.header(b"content-type") or ""
    return call.method == "GET" and answer.status == _OK and kind.startswith("application/json")


def _numbered(call: Call, answer: Answer, page: int, *, more: bool) -> Answer:
    """Return a page with the headers of another place in the list."""
    host = next((value for name, value in call.headers if name == b"host"), b"").decode("latin-1")
    following = f'<http://{host}{_asking(call, page=page + 1).target}>; rel="next"'
    return answer.with_headers(
        link=following if more else None,
        x_page=str(page),
        x_prev_page=str(page - 1) if page > 1 else "",
        x_next_page=str(page + 1) if more else "",
        x_total_pages=None,
    )


def _number(call: Call, name: str, default: int) -> int:
    values = dict(parse_qsl(call.target.partition("?")[2]))
    text = values.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else default


def _asking(call: Call, **values: int) -> Call:
    """Return the request with other values in its query."""
    path, _, query = call.target.partition("?")
    pairs = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] not in values]
    pairs += [(name, str(value)) for name, value in values.items()]
    return replace(call, target=f"{path}?{urlencode(pairs)}")
