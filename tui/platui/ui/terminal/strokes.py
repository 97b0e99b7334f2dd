"""The shortest output for cells to write: pens change, and the cursor moves, as little as possible.

In true colour, a change of the pen costs 20 bytes and a move of the cursor 8, so that all cells of
a pen are written, wherever they are, before those of the next one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, zip_longest
from typing import Final

from platui.core.named_tuple import NamedTuple
from platui.ui.terminal.cells import (
    CLUSTER,
    PLAIN,
    SHOWN_ON_BLANKS,
    UNSURE,
    Alphabet,
    Pen,
    Row,
    change_pen,
)

_LONG: Final = 10  # Blank cells that cost more than to erase and to step over them
_LEAST_END: Final = 4  # Blank cells at the end of a row that cost more than to erase the rest
_ERASING: Final = 5  # Bytes to erase some cells
_ERASING_ALL: Final = 10  # Bytes to erase all cells of a span first, with a move
_SHORT: Final = 3  # Cells that cost less than a move of the cursor over them


_Ink = tuple[str, frozenset[str]]  # A pen without its background


class Move(NamedTuple):
    """Lines that show what `shift` lines below them showed; negative: above."""

    lines: range
    shift: int


class Stroke(NamedTuple):
    """Neighbouring cells that one pen writes: texts, then blanks that are erased."""

    y: int
    x: int
    texts: str
    pen: Pen
    erased: int = 0
    to_end: bool = False  # Whether the blanks are the rest of the row

    @property
    def end(self) -> int:
        return self.x + len(self.texts) + self.erased

    @property
    def is_blank(self) -> bool:
        return not self.texts.strip(" ")

    def takes(self, blanks: Pen) -> bool:
        """Return whether its pen can write blanks of another one after its texts."""
        return not self.erased and blanks in (self.pen, self.pen.on_blanks)


class Painter:
    """Collects the rows of a frame."""

    def __init__(self, alphabet: Alphabet, *, edits: bool) -> None:
        self._alphabet = alphabet
        self._edits = edits
        self._rows: dict[int, Row] = {}
        self._fixed: list[Stroke] = []  # Of rows with unsure columns: written from left to right
        self._free: list[Stroke] = []

    def add(self, y: int, row: Row, spans: Iterable[tuple[int, int]]) -> None:
        """Add cells of a row to write: spans of start and end."""
        self._rows[y] = row
        strokes = self._fixed if UNSURE.search(row.texts) else self._free
        for start, end in spans:
            strokes += self._strokes(y, row, start, end)

    def output(self, move: Move | None) -> str:
        """Return the output for the frame, after the scroll of some lines."""
        writer = _Writer(self._alphabet, move)
        for one in self._fixed:
            writer.write(one)
        writer.write_in_any_order(_sorted_by_pen(self._free), self._rows)
        return writer.finish()

    def _strokes(self, y: int, row: Row, start: int, end: int) -> list[Stroke]:
        strokes: list[Stroke] = []
        width = len(row.texts)
        rest = max(start, self._rest_begins(row)) if end == width else end
        at = start
        while at < rest:
            texts, pen = row.texts[at : self._run_ends(row, at, rest)], self._pen_at(row, at)
            if not texts.isascii() and (
                cluster := CLUSTER.search(texts)
            ):  # the cursor is moved to the column after it
                texts = texts[: cluster.end()]
            is_blank = not texts.strip(" ")
            is_long = is_blank and len(texts) > _LONG and self._edits and not pen.attributes
            _append(strokes, Stroke(y, at, texts, pen), is_long=is_long)
            at += len(texts)
        if rest < end:
            blanks = row.texts[rest:]
            _append(strokes, Stroke(y, rest, blanks, self._pen_at(row, rest)), is_long=True)
            strokes[-1] = strokes[-1]._replace(to_end=True)
        return _erased_first(strokes, start, end) if self._edits else strokes

    def _run_ends(self, row: Row, start: int, end: int) -> int:
        """Return where cells of one pen end, with short blanks that it can write."""
        pen = row.pens[start]
        blank = self._alphabet.blanks[pen]
        until = _run_end(row.pens, start, end, pen, blank)
        blanks = row.pens.count(blank, start, until)
        if pen != blank and row.texts.count(" ", start, until) != blanks:
            # The pen of blanks also writes texts
            return _run_end(row.pens, start, end, pen, pen)
        return until

    def _pen_at(self, row: Row, x: int) -> Pen:
        return self._alphabet.pens[ord(row.pens[x])]

    def _rest_begins(self, row: Row) -> int:
        """Return where blanks begin that are erased to the end of the row; its width: nowhere."""
        width, pen = len(row.texts), self._pen_at(row, -1)
        start = max(len(row.texts.rstrip(" ")), len(row.pens.rstrip(row.pens[-1])))
        can_erase = not pen.attributes and (self._edits or not pen.background)
        return start if width - start >= _LEAST_END and can_erase else width


def _run_end(pens: str, start: int, end: int, pen: str, blank: str) -> int:
    found = _run(pen, blank).match(pens, start, end)
    assert found is not None  # noqa: S101  (it begins with the pen)
    return found.end()


@lru_cache(maxsize=1024)
def _run(pen: str, blank: str) -> re.Pattern[str]:
    """Match cells of a pen, with those of a pen for blanks that are not worth erasing."""
    pen, blank = re.escape(pen), re.escape(blank)
    return re.compile(f"{pen}+" if pen == blank else f"(?:{pen}+|{blank}{{1,{_LONG}}}(?!{blank}))+")


def _append(strokes: list[Stroke], new: Stroke, *, is_long: bool) -> None:
    """Append cells; blanks join the stroke before them, or after them."""
    last = strokes[-1] if strokes else None
    if is_long:
        if last is not None and last.takes(new.pen):
            strokes[-1] = Stroke(last.y, last.x, last.texts, last.pen, len(new.texts))
        else:
            strokes.append(Stroke(new.y, new.x, "", new.pen, len(new.texts)))
    elif last is not None and _is_one(last, new):
        strokes[-1] = Stroke(last.y, last.x, last.texts + new.texts, last.pen, last.erased)
    elif last is not None and last.is_blank and not last.erased and new.takes(last.pen):
        strokes[-1] = Stroke(new.y, last.x, last.texts + new.texts, new.pen)
    else:
        strokes.append(new)


def _is_one(one: Stroke, following: Stroke) -> bool:
    if following.is_blank:
        return one.takes(following.pen)
    return one.pen == following.pen and not one.erased and not CLUSTER.search(one.texts)


def _erased_first(strokes: list[Stroke], start: int, end: int) -> list[Stroke]:
    """Return strokes that erase all cells and then write texts only, if that is shorter."""
    blanks = strokes[0].pen.on_blanks
    spared = sum(
        len(one.texts) - len(one.texts.rstrip(" ")) + _ERASING * (one.erased > 0 and not one.to_end)
        for one in strokes
    )
    if spared <= _ERASING_ALL or blanks.attributes:
        return strokes
    if any(one.pen.on_blanks != blanks for one in strokes):
        return strokes
    last = strokes[-1]
    texts = (Stroke(one.y, one.x, one.texts.rstrip(" "), one.pen) for one in strokes)
    base = Stroke(last.y, start, "", blanks, erased=end - start, to_end=last.to_end)
    return [base, *(one for one in texts if one.texts)]


def _sorted_by_pen(strokes: Sequence[Stroke]) -> list[Stroke]:
    """Return strokes by background, the most frequent one first, then by pen, from the left."""
    pens = [pen for pen, _ in Counter(one.pen for one in strokes).most_common()]
    best: dict[Pen, Pen] = {}  # The pen that takes blanks as well
    for pen in pens:
        best.setdefault(pen.on_blanks, pen)
    of_pen: dict[Pen, list[Stroke]] = {pen: [] for pen in pens}
    for one in strokes:
        of_pen[best[one.pen] if one.is_blank and one.pen in best else one.pen].append(one)
    backgrounds = Counter(one.pen.background for one in strokes).most_common()
    left: dict[Pen, int] = {}
    for one in sorted(strokes, key=lambda one: one.x):
        left.setdefault(one.pen, one.x)
    pens.sort(key=left.__getitem__)
    groups = [[pen for pen in pens if pen.background == one] for one, _ in backgrounds]
    found = [one for pen in _chained(groups) for one in of_pen[pen]]
    # What is erased first is written later, with the same background.
    return [
        one
        for _, group in groupby(found, lambda one: one.pen.background)
        for one in sorted(group, key=lambda one: bool(one.texts))
    ]


def _chained(groups: Sequence[Sequence[Pen]]) -> Iterator[Pen]:
    """Yield pens so that, where the background changes, the foreground stays, if it can."""
    first: Pen | None = None
    for pens, following, after in zip_longest(groups, groups[1:], groups[2:], fillvalue=()):
        others, later = _by_ink(following), _by_ink(after)
        shared = [one for one in pens if _ink(one) in others and one != first]
        # One that the group after the next one has, too, is kept for the next change.
        last = max(reversed(shared), key=lambda one: _ink(one) not in later, default=None)
        yield from sorted(pens, key=lambda one: (one != first, one == last))
        first = others[_ink(last)] if last else None


def _ink(pen: Pen) -> _Ink:
    return pen.foreground, pen.attributes


def _by_ink(pens: Iterable[Pen]) -> dict[_Ink, Pen]:
    return {_ink(one): one for one in pens}


class _Writer:
    """Builds output; knows where the cursor is, and its pen."""

    def __init__(self, alphabet: Alphabet, move: Move | None) -> None:
        self._alphabet = alphabet
        self._written: list[str] = []
        self._pen = PLAIN
        self._y = self._x = -1  # -1: unknown
        if move is not None:  # with the default pen: lines come in
            top, bottom, shift = move.lines[0] + 1, move.lines[-1] + 1, move.shift
            verb = f"{shift}M" if shift > 0 else f"{-shift}L"
            self._written.append(f"\x1b[{top};{bottom}r\x1b[{top}H\x1b[{verb}\x1b[r")

    def finish(self) -> str:
        self._take(PLAIN)
        return "".join(self._written)

    def write(self, one: Stroke) -> None:
        self._go_to(one.y, one.x)
        if one.is_blank:
            self._take_for_blanks(one.pen)
        else:
            self._take(one.pen)
        if one.texts:
            is_sure = one.texts.isascii() or not UNSURE.search(one.texts)
            self._written.append(one.texts if is_sure else self._alphabet.text(one.texts))
            self._x = one.x + len(one.texts) if is_sure else -1
        if one.erased:
            self._go_to(one.y, one.end - one.erased)
            self._written.append("\x1b[K" if one.to_end else f"\x1b[{one.erased}X")

    def write_in_any_order(self, strokes: Sequence[Stroke], rows: dict[int, Row]) -> None:
        """Write strokes; a short gap before one is written over if later strokes paint it."""
        later = {y: bytearray(len(row.texts)) for y, row in rows.items()}
        for one in strokes:
            later[one.y][one.x : one.end] = b"\1" * (one.end - one.x)
        for one in strokes:
            left = later[one.y]
            left[one.x : one.end] = bytes(one.end - one.x)
            gap = one.x - self._x
            if self._y == one.y and self._x >= 0 and 0 < gap <= _SHORT:
                texts = rows[one.y].texts[self._x : one.x]
                if texts.isascii() and all(left[self._x : one.x]):
                    self._written.append(texts)
                    self._x = one.x
            self.write(one)

    def _go_to(self, y: int, x: int) -> None:
        if (self._y, self._x) == (y, x):
            return
        move = f"\x1b[{y + 1};{x + 1}H" if x else f"\x1b[{y + 1}H"
        if self._y == y and 0 <= self._x < x:
            move = f"\x1b[{x - self._x}C" if x > self._x + 1 else "\x1b[C"
        elif self._y in (y, y - 1) and self._y >= 0:
            line = "\r" if self._y == y else "\r\n"
            move = min(move, line + (f"\x1b[{x}C" if x else ""), key=len)
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
