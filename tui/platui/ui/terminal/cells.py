"""Rows of cells as strings: one character a cell for its text, and one for its pen."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Self

from rich.cells import cell_len, split_graphemes

from platui.core.named_tuple import NamedTuple
from platui.core.text import REPLACEMENT

if TYPE_CHECKING:
    from rich.color import Color, ColorSystem
    from rich.style import Style
    from textual.strip import Strip

TAIL: Final = "\0"  # The second cell of a wide character
UNKNOWN: Final = "\1"  # A cell whose content is not known
PLAIN_CELL: Final = "\0"  # The index of the default pen
UNSURE: Final = re.compile(f"[{TAIL}\U00100000-\U0010fffd]")
"""Cells around which terminals may disagree about the column."""
CLUSTER: Final = re.compile(f"[\U00100000-\U0010fffd]{TAIL}*")
"""A character with combining marks, or a private one."""
_FIRST_CLUSTER: Final = 0x100000  # Private code points for these characters
_LAST_CLUSTER: Final = 0x10FFFD
_MOST_CLUSTERS: Final = 50_000  # The code points above are for one more frame
_MOST_PENS: Final = 50_000  # Below the surrogates
_MOST_KEPT: Final = 500  # Texts whose cells are kept
_ATTRIBUTES: Final = (
    ("bold", "1", "22"),
    ("dim", "2", "22"),
    ("italic", "3", "23"),
    ("underline", "4", "24"),
    ("blink", "5", "25"),
    ("blink2", "6", "25"),
    ("reverse", "7", "27"),
    ("conceal", "8", "28"),
    ("strike", "9", "29"),
    ("underline2", "21", "24"),
    ("frame", "51", "54"),
    ("encircle", "52", "54"),
    ("overline", "53", "55"),
)
SHOWN_ON_BLANKS: Final = frozenset(
    {"italic", "underline", "reverse", "strike", "underline2", "overline", "frame", "encircle"}
)
"""Italics are reversed in GNU screen."""


class Pen(NamedTuple):
    """How a cell looks: SGR parameters of its colours, and its attributes."""

    foreground: str = ""
    background: str = ""
    attributes: frozenset[str] = frozenset()

    @property
    def on_blanks(self) -> Pen:
        """Return what a blank shows of this pen."""
        return self if self.attributes & SHOWN_ON_BLANKS else Pen(background=self.background)


PLAIN: Final = Pen()


@lru_cache(maxsize=4096)
def change_pen(before: Pen, after: Pen) -> str:
    """Return the shortest SGR sequence from one pen to another."""
    if before == after:
        return ""
    codes: list[str] = []
    gone = before.attributes - after.attributes
    ended = {off for name, _, off in _ATTRIBUTES if name in gone}
    codes += sorted(ended)
    codes += [
        on
        for name, on, off in _ATTRIBUTES
        if name in after.attributes and (name not in before.attributes or off in ended)
    ]
    if before.foreground != after.foreground:
        codes.append(after.foreground or "39")
    if before.background != after.background:
        codes.append(after.background or "49")
    fresh = [on for name, on, _ in _ATTRIBUTES if name in after.attributes]
    fresh += [one for one in (after.foreground, after.background) if one]
    anew = ";".join(["", *fresh])  # an empty parameter resets
    return f"\x1b[{min(';'.join(codes), anew, key=len)}m"


class Row(NamedTuple):
    """The cells of a row."""

    texts: str
    pens: str


class Alphabet:
    """Characters for pens and for texts of more than one character."""

    def __init__(self) -> None:
        self.pens: list[Pen] = [PLAIN]
        self.blanks: dict[str, str] = {PLAIN_CELL: PLAIN_CELL}  # Pen -> its pen of blanks
        self._of_pen: dict[Pen, int] = {PLAIN: 0}
        self._of_style: dict[Style | None, tuple[str, str]] = {}
        self._system: ColorSystem | None = None
        self._clusters: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._cells_of: dict[str, str] = {}  # Text -> its cells

    @classmethod
    def of(cls, document: dict[str, Any]) -> Self:
        """Return the alphabet of a document."""
        self = cls()
        for foreground, background, attributes in document["pens"]:
            self._index(Pen(foreground, background, frozenset(attributes)))
        for index, pen in enumerate(self.pens):
            blank = self._index(pen.on_blanks)
            self.blanks |= {chr(index): blank, blank: blank}
        for text in document["clusters"]:
            self._cluster(text)
        return self

    def document(self) -> dict[str, Any]:
        """Return the alphabet as JSON."""
        pens = [(one.foreground, one.background, sorted(one.attributes)) for one in self.pens]
        return {"pens": pens, "clusters": [*self._clusters]}

    @property
    def is_full(self) -> bool:
        return len(self.pens) > _MOST_PENS or len(self._clusters) > _MOST_CLUSTERS

    def row(self, strip: Strip, system: ColorSystem) -> Row:
        if system is not self._system:
            self._of_style.clear()
            self._system = system
        texts: list[str] = []
        pens: list[str] = []
        for text, style, _ in strip:
            if not text:
                continue
            known = self._of_style.get(style)
            pen, blank = self._add(style, system) if known is None else known
            if text.isascii():
                cells = text
            elif not cell_len(text[0]) and texts:
                cells = self._joined(texts, text)
            else:
                cells = self._cells(text)
            if not cells:  # Only marks, which are in the cell before
                continue
            texts.append(cells)
            if pen == blank or " " not in cells:
                pens.append(pen * len(cells))
            else:
                pens.append(blank.join([pen * len(word) for word in cells.split(" ")]))
        return Row("".join(texts), "".join(pens))

    def text(self, cells: str) -> str:
        """Return what is written for cells."""
        if not UNSURE.search(cells):
            return cells
        return "".join(self._texts.get(one, one) for one in cells if one != TAIL)

    def _joined(self, texts: list[str], text: str) -> str:
        """Give the last cell the marks that a text begins with; return the cells of the rest."""
        marks = next((at for at, one in enumerate(text) if cell_len(one)), len(text))
        before, tail = texts[-1].rstrip(TAIL), texts[-1].endswith(TAIL)
        last = self._texts.get(before[-1:], before[-1:])
        texts[-1] = before[:-1] + self._cluster(last + text[:marks]) + (TAIL if tail else "")
        return self._cells(text[marks:])

    def _cells(self, text: str) -> str:
        if (known := self._cells_of.get(text)) is None:
            if len(self._cells_of) >= _MOST_KEPT:
                self._cells_of.clear()
            known = self._cells_of[text] = self._split(text)
        return known

    def _split(self, text: str) -> str:
        cells: list[str] = []
        for start, end, width in split_graphemes(text)[0]:
            one = text[start:end]
            if not width:
                if cells:
                    at = -2 if cells[-1] == TAIL else -1
                    cells[at] = self._cluster(self._texts.get(cells[at], cells[at]) + one)
                continue
            is_plain = len(one) == 1 and ord(one) < _FIRST_CLUSTER
            cells.append(one if is_plain else self._cluster(one))
            cells += [TAIL] * (width - 1)
        return "".join(cells)

    def _cluster(self, text: str) -> str:
        known = self._clusters.get(text)
        if known is None:
            code = _FIRST_CLUSTER + len(self._clusters)
            if code > _LAST_CLUSTER:
                return REPLACEMENT
            known = self._clusters[text] = chr(code)
            self._texts[known] = text
        return known

    def _add(self, style: Style | None, system: ColorSystem) -> tuple[str, str]:
        pen = PLAIN if style is None else _pen_of(style, system)
        found = self._of_style[style] = self._index(pen), self._index(pen.on_blanks)
        self.blanks |= {found[0]: found[1], found[1]: found[1]}
        return found

    def _index(self, pen: Pen) -> str:
        index = self._of_pen.setdefault(pen, len(self.pens))
        if index == len(self.pens):
            self.pens.append(pen)
        return chr(index)


def _pen_of(style: Style, system: ColorSystem) -> Pen:
    return Pen(
        _codes(style.color, system),
        _codes(style.bgcolor, system, foreground=False),
        frozenset(name for name, _, _ in _ATTRIBUTES if getattr(style, name)),
    )


def _codes(colour: Color | None, system: ColorSystem, *, foreground: bool = True) -> str:
    """Return the SGR parameters of a colour; empty: the default one."""
    if colour is None or colour.is_default:
        return ""
    return ";".join(colour.downgrade(system).get_ansi_codes(foreground=foreground))
