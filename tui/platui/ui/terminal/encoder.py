"""The shortest output that changes what the terminal shows to a new frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from platui.ui.terminal.cells import PLAIN_CELL, TAIL, UNKNOWN, UNSURE, Alphabet, Row
from platui.ui.terminal.strokes import Move, Painter

if TYPE_CHECKING:
    from rich.color import ColorSystem
    from textual.strip import Strip

_GAP: Final = 4  # Unchanged cells that cost less than a move of the cursor
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

    def blank(self) -> Encoder:
        """Return an encoder for an empty screen, which shares what styles look like."""
        other = Encoder(edits=self._edits)
        other._alphabet = self._alphabet
        return other

    def shown(self) -> dict[str, Any]:
        """Return the content as JSON, for `take`."""
        return {"alphabet": self._alphabet.document(), "rows": [*self._rows.items()]}

    def take(self, document: dict[str, Any], size: tuple[int, int]) -> None:
        """Take the content that another encoder wrote. Raises an error of a wrong shape or size."""
        alphabet = Alphabet.of(document["alphabet"])
        rows = {int(y): Row(str(texts), str(pens)) for y, (texts, pens) in document["rows"]}
        (width, height), last_pen = size, chr(len(alphabet.pens) - 1)
        if sorted(rows) != [*range(height)]:
            raise ValueError(sorted(rows))
        for row in rows.values():
            if {len(row.texts), len(row.pens)} != {width} or max(row.pens) > last_pen:
                raise ValueError(row)
        self._width, self._alphabet, self._rows = width, alphabet, rows

    def changes(
        self, pieces: Iterable[tuple[int, int, Strip]], width: int, system: ColorSystem
    ) -> str:
        """Return the output for pieces (line, column, cells), and record it as written."""
        if width != self._width or self._alphabet.is_full:
            self.forget()
            self._width = width
        unknown = Row(UNKNOWN * width, PLAIN_CELL * width)
        rows, wanted = self._rows, self._with_pieces(pieces, unknown, system)
        changed = {y: wanted[y] for y in sorted(wanted) if wanted[y] != rows.get(y)}
        if not changed:
            return ""
        move = None
        if self._edits and len(changed) >= _LEAST_MOVED:
            move = _moved_block(rows, changed)
        if move is not None:
            changed = self._scrolled(move, changed)
        painter = Painter(self._alphabet, edits=self._edits)
        for y, row in changed.items():
            painter.add(y, row, _changed_spans(rows.get(y) or unknown, row, self._alphabet.blanks))
            rows[y] = row
        return painter.output(move)

    def has_written(
        self, pieces: Iterable[tuple[int, int, Strip]], width: int, system: ColorSystem
    ) -> bool:
        unknown = Row(UNKNOWN * width, PLAIN_CELL * width)
        wanted = self._with_pieces(pieces, unknown, system)
        return all(row == self._rows.get(y) for y, row in wanted.items())

    def _with_pieces(
        self, pieces: Iterable[tuple[int, int, Strip]], unknown: Row, system: ColorSystem
    ) -> dict[int, Row]:
        """Return the rows of the pieces as they will be."""
        wanted: dict[int, Row] = {}
        for y, x, strip in pieces:
            row = wanted.get(y) or self._rows.get(y) or unknown
            wanted[y] = _with_piece(row, x, self._alphabet.row(strip, system))
        return wanted

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
        if x == end:
            end += 1
            continue
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
