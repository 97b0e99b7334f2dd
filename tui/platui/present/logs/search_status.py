"""Step through search hits, and describe a search or filter."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.text import shorten
from platui.present.counts import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.core.errors import PatternError
    from platui.models.values.search import SearchQuery, SearchState
    from platui.present.chrome import Pieces

MOST_CONTEXT: Final = 5  # Lines before and after a match

_PATTERN_ROOM: Final = 24


class Step(NamedTuple):
    line: int | None  # None: nothing found, or not decided yet
    wrapped: bool = False
    is_certain: bool = True  # Whether continuing the search cannot change it


def next_hit(state: SearchState, line: int) -> Step:
    """Return the first hit from a line on, wrapping at the end."""
    at = bisect_left(state.lines, line)
    if at < len(state.lines) and _covers(state, line, state.lines[at]):
        return Step(state.lines[at])
    return _wrapped(state, 0)


def hit_before(state: SearchState, line: int) -> Step:
    """Return the last hit before a line, wrapping at the top."""
    at = bisect_left(state.lines, line)
    if at and _covers(state, state.lines[at - 1], line):
        return Step(state.lines[at - 1])
    return _wrapped(state, -1)


def _wrapped(state: SearchState, at: int) -> Step:
    if not state.is_whole:
        return Step(None, is_certain=False)
    return Step(state.lines[at], wrapped=True) if state.lines else Step(None)


def first_hit(state: SearchState, line: int) -> Step:
    """Return the hit to show while typing: a quick result is enough."""
    step = next_hit(state, line)
    return step if step.is_certain or state.first is None else Step(state.first)


def _covers(state: SearchState, first: int, end: int) -> bool:
    if state.is_whole:
        return True
    for start, stop in state.known:
        if start <= first < stop:
            first = stop
    return first >= end


def searched_to(state: SearchState) -> int:
    return max(stop for _, stop in state.known) if state.known else 0


def counter(state: SearchState | None, current: int | None) -> Pieces:
    """Return the current hit and their number: `3 of 17`, `17+ lines`."""
    if state is None:
        return (("…", "muted"),)
    found = len(state.lines)
    more = "" if state.is_whole and not state.is_full else "+"
    if not found and current is None:
        words = "no hit" if state.is_whole else f"{state.progress:.0%}"
        return ((words, "warning" if state.is_whole else "muted"),)
    if current is not None and _covers(state, 0, current):
        at = bisect_left(state.lines, current)
        if at < found and state.lines[at] == current:
            return ((f"{at + 1:,} of {found:,}{more}", "text"),)
    found = max(found, current is not None)
    return ((counted(found, "line", more=bool(more)), "text"),)


def search_pieces(
    query: SearchQuery,
    state: SearchState | None,
    current: int | None,
    note: str,
    error: PatternError | None,
) -> Pieces:
    if error is not None:
        return (*_query_pieces("/", query), (error.sentence, "failed"))
    pieces = (*_query_pieces("/", query), *counter(state, current))
    return (*pieces, (f" {note}", "warning")) if note else pieces


def filter_pieces(
    query: SearchQuery,
    state: SearchState | None,
    total: int,
    error: PatternError | None,
    *,
    inverse: bool,
    context: int,
) -> Pieces:
    """Return the filter status: `212 of 41,203 lines`."""
    asked = _query_pieces("&!" if inverse else "&", query)
    if error is not None:
        return (*asked, (error.sentence, "failed"))
    if state is None:
        return (*asked, ("…", "muted"))
    shown, more = _shown(state, inverse=inverse)
    around = f" ±{context}" if context and not inverse else ""
    role = "warning" if not shown and state.is_whole else "text"
    return (*asked, (f"{shown:,}{more} of {counted(total, 'line')}{around}", role))


def filter_counter(state: SearchState | None, *, inverse: bool) -> Pieces:
    if state is None or not inverse:
        return counter(state, None)
    shown, more = _shown(state, inverse=True)
    return ((counted(shown, "line", more=bool(more)), "text"),)


def _shown(state: SearchState, *, inverse: bool) -> tuple[int, str]:
    shown = searched_to(state) - len(state.lines) if inverse else len(state.lines)
    return shown, "" if state.is_whole and not state.is_full else "+"


def _query_pieces(sign: str, query: SearchQuery) -> Pieces:
    kind = ((" regex", "muted"),) if query.is_regex else ()
    return ((f"{sign}{shorten(query.text, _PATTERN_ROOM)}", "accent"), *kind, ("  ", "text"))


def is_selected(lines: Sequence[int], line: int, *, context: int, inverse: bool) -> bool:
    at = bisect_left(lines, line - context)
    is_near = at < len(lines) and lines[at] <= line + context
    return is_near is not inverse
