"""Lay out details as lines of a given width, and wrap text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, chop_cells, set_cell_size

from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.present.details.layout import Details, Field

LABEL: Final = 11  # Minimum cells of the label column, with the gap after it

_INDENT: Final = 2
_NARROWEST: Final = 2  # Cells of a wide character
_LEAST: Final = 8
_SEAMS: Final = re.compile(r"[^/?&=_.,:@-]*[/?&=_.,:@-]*")  # A long word may break after each


class Line(NamedTuple):
    label: str
    text: str
    role: str
    indent: int = LABEL  # Cells before the text; 0 for a title or a heading
    rule: bool = False  # Whether a horizontal rule follows the text


def detail_lines(details: Details, width: int) -> list[Line]:
    label = _label_room(details, width)
    lines = [Line("", piece, "strong", 0) for piece in wrapped(details.title, max(_LEAST, width))]
    for group in details.groups:
        if group.heading:
            lines += [Line("", "", "text", 0), Line("", group.heading, "muted", 0, rule=True)]
        role = "muted" if group.quiet else ""
        for field in group.fields:
            lines += _field(field, width, role, label)
    return lines


def _label_room(details: Details, width: int) -> int:
    """Return the cells of the label column: at most half of the pane."""
    longest = max((cell_len(field.label) for field in details.fields), default=0)
    return max(LABEL, min(longest + 1, width // 2))


def _field(field: Field, width: int, quiet: str, label: int) -> Iterator[Line]:
    """Yield the lines of a field; a wide value, or one with a long word, goes below its label."""
    value = field.value
    if field.is_line:
        is_whole = cell_len(value.text) <= width
        text = value.text if is_whole else f"{set_cell_size(value.text, max(0, width - 1))}…"
        yield Line("", text, value.role, 0)
        return
    room = max(_LEAST, width - label)
    role = value.role if value.role != "text" or not quiet else quiet
    cells = cell_len(value.text)
    if field.is_wide and (cells > room or not field.label):
        if field.label:
            yield Line(field.label, "", role)
        for piece in wrapped(value.text, max(_LEAST, width)):
            yield Line("", piece, role, 0)
        return
    longest = max(map(cell_len, value.text.split()), default=0)
    if longest > room and cells <= width:
        if field.label:
            yield Line(field.label, "", role)
        yield Line("", value.text, role, min(_INDENT, width - cells))
        return
    shown = field.label
    if cell_len(shown) >= label:
        shown = f"{set_cell_size(shown, label - 2)}… "
    for number, piece in enumerate(wrapped(value.text, room)):
        yield Line("" if number else shown, piece, role, label)


def wrapped(text: str, room: int) -> list[str]:
    """Return a text as lines of `room` cells, or 2, at most; long words break after punctuation."""
    room = max(_NARROWEST, room)
    if cell_len(text) <= room:
        return [text]
    lines: list[str] = []
    line = ""
    for word in _words(text, room):
        joined = f"{line} {word}" if line else word
        if cell_len(joined) <= room:
            line = joined
            continue
        if line:
            lines.append(line)
        *whole, line = _broken(word, room)
        lines += whole
    return [*lines, line]


def _words(text: str, room: int) -> Iterator[str]:
    """Yield unbreakable units: words, or a whole part after a ` · `."""
    first, *others = text.split(" · ")
    yield from first.split()
    for other in others:
        joined = f"· {' '.join(other.split())}"
        yield from [joined] if cell_len(joined) <= room else joined.split()


def _broken(word: str, room: int) -> list[str]:
    if cell_len(word) <= room:
        return [word]
    pieces: list[str] = []
    piece = ""
    for part in _SEAMS.findall(word):
        if cell_len(piece) + cell_len(part) <= room:
            piece += part
            continue
        if piece:
            pieces.append(piece)
        *whole, piece = chop_cells(part, room) if part else [""]
        pieces += whole
    return [*pieces, piece]
