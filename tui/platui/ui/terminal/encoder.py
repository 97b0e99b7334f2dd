"""The shortest output that changes what the terminal shows to a new frame."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.ui.terminal.cells import (
    CLUSTER,
    PLAIN,
    PLAIN_CELL,
    SHOWN_ON_BLANKS,
    TAIL,
    UNKNOWN,
    UNSURE,
    Alphabet,
    Pen,
    Row,
    change_pen,
)

if TYPE_CHECKING:
    from rich.color import ColorSystem
    from textual.strip import Strip

_RUN: Final = re.compile(r"(.)\1*", re.DOTALL)
_GAP: Final = 4  # Unchanged cells that cost less than a move of the cursor
_LONG: Final = 10  # Blank cells that cost more than to erase and to step over them
_LEAST_END: Final = 4  # Blank cells at the end of a row that cost more than to erase the rest
_LEAST_MOVED: Final = 3  # Changed rows that another place on the screen had


class Encoder:
    """Remembers what was written; `edits`: the terminal scrolls regions and erases in colour."""

    def __init__(self, *, edits: bool) -> None:
        self._edits = edits
        self._alphabet = Alphabet()
        self._rows: dict[int, Row] = {}
        self._width = 0

    def forget(self) -> None:
        """Forget the content, after a resize or output of another program."""
        self._rows.clear()
        if self._alphabet.is_full:
            self._alphabet = Alphabet()

    def changes(
        self, pieces: Iterable[tuple[int, int, Strip]], width: int, system: ColorSystem
    ) -> str:
        """Return the output for pieces (line, column, cells), and record it as written."""
        if width != self._width:
            self.forget()
            self._width = width
        unknown = Row(UNKNOWN * width, PLAIN_CELL * width)
        rows, wanted = self._rows, dict[int, Row]()
        for y, x, strip in pieces:
            row = wanted.get(y) or rows.get(y) or unknown
            wanted[y] = _with_piece(row, x, self._alphabet.row(strip, system))
        changed = {y: wanted[y] for y in sorted(wanted) if wanted[y] != rows.get(y)}
        if not changed:
            return ""
        writer = _Writer(self._alphabet, edits=self._edits)
        if (
            self._edits
            and len(changed) >= _LEAST_MOVED
            and (move := _moved_block(rows, changed)) is not None
        ):
            writer.scroll(move)
            changed = self._scrolled(move, changed)
        for y, row in changed.items():
            writer.write_row(y, rows.get(y) or unknown, row)
            rows[y] = row
        return writer.finish()

    def _scrolled(self, move: Move, changed: dict[int, Row]) -> dict[int, Row]:
        """Record scrolled lines; return the rows to write, as moved lines may be wanted too."""
        blank = Row(" " * self._width, PLAIN_CELL * self._width)
        before = {y: self._rows.get(y) for y in move.lines}
        for y in move.lines:
            moved = before.get(y + move.shift, blank)
            wanted = changed.pop(y, before[y])
            if moved is None:
                self._rows.pop(y, None)
            else:
                self._rows[y] = moved
            if wanted is not None and wanted != moved:
                changed[y] = wanted
        return dict(sorted(changed.items()))


def _with_piece(row: Row, x: int, piece: Row) -> Row:
    """Return a row with a piece at a column; halves of wide characters beside it are unknown."""
    width, end = len(row.texts), x + len(piece.texts)
    left, right = row.texts[:x], row.texts[end:]
    if row.texts[x : x + 1] == TAIL:
        left = left[:-1] + UNKNOWN
    if right[:1] == TAIL:
        right = UNKNOWN + right[1:]
    pens = row.pens[:x] + piece.pens + row.pens[end:]
    return Row((left + piece.texts + right)[:width], pens[:width])


class Move(NamedTuple):
    """Lines that show what `shift` lines below them showed; negative: above."""

    lines: range
    shift: int


def _moved_block(rows: dict[int, Row], changed: dict[int, Row]) -> Move | None:
    """Return the scroll that spares the most rows; None: none is worth it."""
    places: dict[Row, int] = {}
    for y, row in rows.items():
        if row.texts.strip():
            places[row] = -1 if row in places else y  # rows that occur twice are no evidence
    shifts = Counter(places[row] - y for y, row in changed.items() if places.get(row, -1) >= 0)
    if not shifts:
        return None
    shift = shifts.most_common(1)[0][0]
    fitting = [y for y, row in changed.items() if rows.get(y + shift) == row]
    first, last = min(fitting), max(fitting)
    lines = range(min(first, first + shift), max(last, last + shift) + 1)
    lost = sum(1 for y in lines if y not in changed)
    return Move(lines, shift) if len(fitting) - lost >= _LEAST_MOVED else None


class _Writer:
    """Builds output; knows where the cursor is, and its pen."""

    def __init__(self, alphabet: Alphabet, *, edits: bool) -> None:
        self._alphabet = alphabet
        self._edits = edits
        self._written: list[str] = []
        self._pen = PLAIN
        self._y = self._x = -1  # -1: unknown

    def finish(self) -> str:
        self._take(PLAIN)
        return "".join(self._written)

    def scroll(self, move: Move) -> None:
        top, bottom, shift = move.lines[0] + 1, move.lines[-1] + 1, move.shift
        verb = f"{shift}M" if shift > 0 else f"{-shift}L"
        self._take(PLAIN)  # of the lines that come in
        self._written.append(f"\x1b[{top};{bottom}r\x1b[{top}H\x1b[{verb}\x1b[r")
        self._y = self._x = -1

    def write_row(self, y: int, before: Row, row: Row) -> None:
        width = len(row.texts)
        for start, end in _changed_spans(before, row, self._alphabet.blanks):
            stop = end if end < width else max(start, self._rest_begins(row))
            self._go_to(y, start)
            at = start
            while at < stop:
                at = self._write_run(row, at, stop)
            if at < end:
                self._go_to(y, at)
                self._take_for_blanks(self._pen_at(row, at))
                self._written.append("\x1b[K")

    def _pen_at(self, row: Row, x: int) -> Pen:
        return self._alphabet.pens[ord(row.pens[x])]

    def _can_erase(self, pen: Pen) -> bool:
        return not pen.attributes and (self._edits or not pen.background)

    def _rest_begins(self, row: Row) -> int:
        """Return where blanks begin that are erased to the end of the row; its width: nowhere."""
        width = len(row.texts)
        start = max(len(row.texts.rstrip(" ")), len(row.pens.rstrip(row.pens[-1])))
        is_long = width - start >= _LEAST_END and self._can_erase(self._pen_at(row, width - 1))
        return start if is_long else width

    def _write_run(self, row: Row, at: int, stop: int) -> int:
        """Write cells of one pen from a column; return the column after them."""
        found = _RUN.match(row.pens, at, stop)
        assert found is not None  # noqa: S101  (at < stop)
        end, pen = found.end(), self._pen_at(row, at)
        cells = row.texts[at:end]
        if cluster := CLUSTER.search(cells):  # the cursor is moved to the column after it
            cells = cells[: cluster.end()]
            end = at + len(cells)
        if cells.isspace():
            self._take_for_blanks(pen)
            if len(cells) > _LONG and self._edits and not pen.attributes:
                self._written.append(f"\x1b[{len(cells)}X")
                if end < stop:
                    self._go_to(self._y, end)
                return end
        else:
            self._take(pen)
        self._written.append(self._alphabet.text(cells))
        is_sure = end < len(row.texts) and not UNSURE.search(cells)
        self._x = end if is_sure else -1
        if end < stop:
            self._go_to(self._y, end)
        return end

    def _go_to(self, y: int, x: int) -> None:
        if (self._y, self._x) == (y, x):
            return
        if self._y == y and x == 0:
            move = "\r"
        elif self._y == y and 0 <= self._x < x:
            move = f"\x1b[{x - self._x}C" if x > self._x + 1 else "\x1b[C"
        elif self._y >= 0 and y == self._y + 1 and x == 0:
            move = "\r\n"
        else:
            move = f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"
        self._written.append(move)
        self._y, self._x = y, x

    def _take(self, pen: Pen) -> None:
        self._written.append(change_pen(self._pen, pen))
        self._pen = pen

    def _take_for_blanks(self, pen: Pen) -> None:
        """Take what blanks show of a pen, and keep a foreground that they do not show."""
        if pen.attributes:
            self._take(pen)
        else:
            kept = self._pen.attributes - SHOWN_ON_BLANKS
            self._take(Pen(self._pen.foreground, pen.background, kept))


def _changed_spans(before: Row, row: Row, blanks: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the cells to write: all between, where columns are unsure."""
    texts, pens = row
    cells = zip(texts, before.texts, pens, before.pens, strict=True)
    changed = [
        x
        for x, (new, old, pen, was) in enumerate(cells)
        if (new != old or pen != was) and new != UNKNOWN
    ]
    if not changed:
        return
    is_unsure = UNSURE.search(texts) or UNSURE.search(before.texts)
    gap = len(texts) if is_unsure else _GAP
    start = changed[0]
    while texts[start] == TAIL:
        start -= 1
    end = start
    for x in changed:
        between = texts[end:x]
        near = {pens[end - 1], pens[x], blanks[pens[end - 1]], blanks[pens[x]]}
        needs_pen = not is_unsure and not set(pens[end:x]) <= near
        if x > end + gap or UNKNOWN in between or needs_pen:
            yield start, end
            start = x
        end = x + 1
    while end < len(texts) and (texts[end] == TAIL or is_unsure) and texts[end] != UNKNOWN:
        end += 1
    yield start, end
