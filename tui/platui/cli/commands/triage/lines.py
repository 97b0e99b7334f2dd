"""The triage board and its changes as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import cells, clean
from platui.models.values.triage_board import Board, BoardEvent, BoardEventKind
from platui.present.counts import counted
from platui.present.tables.column_widths import PrintedTable, cut_end
from platui.present.tables.triage import BROKEN, Printing
from platui.present.tables.triage_board import PrintedRow, printed_sections
from platui.present.times import age, dated
from platui.present.triage.labels import Names, ended_words, marks, reds, ref_of, typed_name
from platui.present.triage.reasons import cause, job_and_stage, late_name, late_text
from platui.present.triage.summary import hidden_branches, missing_projects, summary_pieces
from platui.ui.ascii_fallbacks import ASCII_BY_CODE_POINT

if TYPE_CHECKING:
    from platui.models.values.table import LineBelow, Row

_INDENT: Final = "    "
_STEP: Final = "  "
_WIDE_WIDTH: Final = 120  # Cells from which the failed job is in the first line
_RED: Final = "31"
_DIM: Final = "2"
_BOLD: Final = "1"

_EVENTS: Final = {
    BoardEventKind.OPENED: "broken",
    BoardEventKind.SIGNATURE: "other cause",
    BoardEventKind.RETURNED: "broken again",
    BoardEventKind.CAUSE: "cause",
    BoardEventKind.LATE: "late",
    BoardEventKind.RECOVERED: "recovered",
    BoardEventKind.ENDED: "ended",
    BoardEventKind.ACKED: "acked",
    BoardEventKind.SNOOZED: "snoozed",
}
_EVENT: Final = max(map(len, _EVENTS.values()))


class LineOptions(NamedTuple):
    names: Names
    now: datetime
    utc: bool = False
    width: int | None = None  # Cells of the terminal; None: unlimited
    hidden: int = 0  # Rows of other branches that are left out
    everything: bool = False  # Print acknowledged and snoozed incidents, and all rows
    colours: bool = False
    ascii: bool = False


def board_lines(board: Board, options: LineOptions) -> Iterator[str]:
    return (
        line.translate(ASCII_BY_CODE_POINT) if options.ascii else line
        for line in _BoardLines(board, options).all()
    )


def news_line(news: BoardEvent, options: LineOptions) -> str:
    item = news.item
    named = (typed_name(item, options.names), ref_of(item), clean(item.lane.way))
    lane = " ".join(filter(None, named))
    words = f"{_EVENTS[news.kind]:<{_EVENT}}  {lane}"
    text = _news_words(news, options)
    line = (
        f"{dated(options.now, utc=options.utc, seconds=True)}  {words}{f': {text}' if text else ''}"
    )
    line = line if options.width is None else cut_end(line, options.width)
    return line.translate(ASCII_BY_CODE_POINT) if options.ascii else line


def _news_words(news: BoardEvent, options: LineOptions) -> str:
    item = news.item
    match news.kind:
        case BoardEventKind.RECOVERED:
            if item.recovery is not None:
                return f"after {reds(item.recovery)}"
            return f"after {item.incident.streak} failed" if item.incident else ""
        case BoardEventKind.LATE:
            words = late_text(item.late, options.now, utc=options.utc) if item.late else ""
            return ": ".join(filter(None, (late_name(item.late), words)))
        case BoardEventKind.ENDED:
            return ended_words(item.newest) if item.incident is None else "no longer observed"
        case BoardEventKind.ACKED | BoardEventKind.SNOOZED:
            pieces = marks(item, options.now, utc=options.utc)
            return ", ".join(words for words, _ in pieces)
    job = "" if news.kind is BoardEventKind.CAUSE else job_and_stage(item.point)
    return ": ".join(filter(None, (job, cause(item))))


class _BoardLines:
    def __init__(self, board: Board, options: LineOptions) -> None:
        self._board = board
        self._options = options

    def all(self) -> Iterator[str]:
        board, options = self._board, self._options
        if not board.is_live:
            notice = f"status loaded for {board.loaded:,} of {counted(board.watched, 'project')}"
            if (cached_at := self._cached_at) is None:
                notice = f"Incomplete: {notice}"
            else:
                since = dated(cached_at, utc=options.utc)
                notice = f"Cached from {since} ({age(cached_at, options.now)} ago): {notice}"
            yield self._fit(notice, _BOLD)
        yield self._summary()
        printing = Printing(
            is_wide=options.width is None or options.width >= _WIDE_WIDTH,
            is_full=options.width is None or options.everything,
            with_quiet=options.everything,
        )
        for rows in printed_sections(board, options.names, options.now, printing, utc=options.utc):
            if rows:
                yield ""
                yield from self._section(rows)

    @property
    def _cached_at(self) -> datetime | None:
        """Return when cached rows were fetched; None: at least some are new."""
        board = self._board
        return None if board.is_live or not board.cached else board.fetched_at

    def _summary(self) -> str:
        width, watched = self._options.width, self._board.watched
        # Date and zone of all times, for later readers.
        at = f" at {dated(self._cached_at or self._options.now, utc=self._options.utc)}"
        for is_wide, end in ((True, at), (True, ""), (False, "")):
            missing = missing_projects(self._board)
            pieces = summary_pieces(self._board.counts, wide=is_wide, missing=missing)
            pieces += hidden_branches(self._options.hidden)
            left = " · ".join(words for words, _ in pieces)
            noun = counted(watched, "project") if is_wide else f"{watched:,}"
            right = f"{noun} watched{end}"
            if width is not None and cells(left) + cells(right) + 2 <= width:
                return self._paint(f"{left}{right:>{width - cells(left)}}", _BOLD)
            if width is None:
                break
        return self._fit(f"{left}  {right}", _BOLD)

    def _section(self, rows: Sequence[PrintedRow]) -> Iterator[str]:
        margin = len(_STEP) * any(is_member for _, is_member in rows)
        columns = self._columns([row for row, _ in rows if row.heading is None], margin)
        for row, is_member in rows:
            step = _STEP * is_member
            if row.heading is None:
                yield self._first(row, next(columns), step)
            elif row.cells[0].text:
                yield self._marked(row.cells[0].text, row.heading.text, colour=_RED)
            else:
                yield self._fit(f"{_INDENT}{row.heading.text}")
            for line in row.below:
                colour = _DIM if row.muted else _RED * (line.left.role == "failed")
                yield self._paint(self._below(line, _INDENT + step), colour)

    def _columns(self, rows: Sequence[Row], margin: int) -> Iterator[str]:
        texts = [tuple(cell.text for cell in row.cells[1:]) for row in rows]
        used = [at for at, column in enumerate(zip(*texts, strict=True)) if any(column)]
        if not used:
            return iter(())
        columns = [replace(BROKEN.cli_columns[1:][at].cli_layout, title="") for at in used]
        room = self._options.width
        shown = [tuple(row[place] for place in used) for row in texts]
        room = None if room is None else room - len("✖ ") - margin
        return PrintedTable(columns, shown, room).lines(shown)

    def _first(self, row: Row, columns: str, step: str) -> str:
        glyph = row.cells[0]
        if row.muted or glyph.role != "failed":
            return self._fit(f"{step}{glyph.text} {columns}", _DIM * row.muted)
        return self._marked(glyph.text, columns, step)

    def _below(self, line: LineBelow, indent: str) -> str:
        left, right, width = line.left.text, line.right.text, self._options.width
        right = f" · {right}" if left and right else right
        if width is not None:
            left = cut_end(left, max(1, width - cells(indent) - cells(right)))
        text = f"{indent}{left}{right}"
        return text if width is None else cut_end(text, width)

    def _marked(self, glyph: str, line: str, step: str = "", colour: str = _BOLD) -> str:
        width = self._options.width
        left = cells(glyph) + 1 + len(step)
        fitting = line if width is None else cut_end(line, width - left)
        return f"{step}{self._paint(glyph, _RED)} {self._paint(fitting, colour)}"

    def _fit(self, line: str, colour: str = "") -> str:
        width = self._options.width
        fitting = line if width is None else cut_end(line, width)
        return self._paint(fitting, colour)

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if colour and self._options.colours and text else text
