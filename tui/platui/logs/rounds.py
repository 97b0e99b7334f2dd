"""How a search goes through a document: from a line to the end, and from the top to that line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from platui.logs.document import Log
from platui.logs.glance import glimpses
from platui.logs.log_run import LogRun
from platui.logs.narrowing import Spot
from platui.logs.text_run import TextRun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.logs.pattern import LinePattern
    from platui.logs.search_run import SearchRun
    from platui.models.values.log import LogDocument


class Round(NamedTuple):
    """One way through a document, and round to where it began."""

    behind: SearchRun
    """From the top to the line at which the search begins."""
    ahead: SearchRun
    """From that line on; it goes first."""
    glimpses: Iterator[int | None]
    """The next hit ahead of both, where it can be found fast; None for each few milliseconds."""


def round_through(
    document: LogDocument, pattern: LinePattern, start: int, before: Round | None
) -> Round:
    """Return the way through a document; nothing is looked at yet.

    Args:
        document: what is searched.
        pattern: what for.
        start: the line to begin at.
        before: the round of a search of before, which is made use of where that can be done.
    """
    if not isinstance(document, Log):
        return Round(TextRun(document, pattern, 0), TextRun(document, pattern, start), iter(()))
    begin = document.span_of(start)[0] if start else 0
    wider = (None, None) if before is None else (_of_log(before.behind), _of_log(before.ahead))
    behind = LogRun(document, pattern, Spot(0, 0), wider[0])
    ahead = LogRun(document, pattern, Spot(start, begin), wider[1])
    seen = glimpses(document, pattern, begin, ahead.known, behind.known)
    return Round(behind, ahead, seen)


def _of_log(run: SearchRun | None) -> LogRun | None:
    return run if isinstance(run, LogRun) else None
