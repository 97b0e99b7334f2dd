"""What a command prints on stdout: lines for people, which a terminal has whole, and objects."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from platui.cli.stdout import is_terminal
from platui.core.cells import cells

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_NARROWEST: Final = 20
"""Cells that a column of paths keeps in any case."""
_AT_ONCE: Final = 500
"""Lines that are printed in one go."""


def say(text: str) -> None:
    """Print a line of data, in what letters stdout has."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def say_lines(lines: Iterable[str]) -> None:
    """Print many lines of data, as `say` does, some hundred at a time."""
    encoding = sys.stdout.encoding or "utf-8"
    left = iter(lines)
    while some := list(islice(left, _AT_ONCE)):
        text = "\n".join(some)
        print(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def fitted(lines: Iterable[str]) -> Iterable[str]:
    """Return lines that a terminal has whole: there, what is too long ends with an ellipsis."""
    if not is_terminal():
        return lines
    width = shutil.get_terminal_size().columns
    return (line if cells(line) <= width else _cut(line, width) for line in lines)


def wrapped(text: str) -> list[str]:
    """Return a sentence as lines that a terminal has whole, broken between words; else as one."""
    if not is_terminal():
        return [text]
    width = shutil.get_terminal_size().columns
    return textwrap.wrap(text, max(_NARROWEST, width), break_on_hyphens=False)


def fitted_table(
    rows: Sequence[tuple[str, ...]],
    right: Collection[int] = (),
    spare: Sequence[tuple[int, int]] = (),
) -> Iterable[str]:
    """Return a table that a terminal has whole; what is for a program is as long as it is.

    Args:
        rows: as `table` takes them, that of headings first.
        right: as `table` takes it.
        spare: columns that give way, one after the other, and the cells that each keeps; with
            0 it is left out. A path keeps its end. All others, such as counts, are never cut.
    """
    if not is_terminal() or not rows:
        return table(rows, right)
    columns = [list(column) for column in zip(*rows, strict=True)]
    widths = [max(map(cells, column)) for column in columns]
    over = sum(widths) + 2 * (len(widths) - 1) - shutil.get_terminal_size().columns
    for at, least in spare:
        if over <= 0:
            break
        room = max(least, widths[at] - over) if least else 0
        if room and room < widths[at]:
            cut = end_of if columns[at][0] in {"PATH", "FROM"} else begin_of
            columns[at] = [cut(text, room) for text in columns[at]]
        over -= max(0, widths[at] - room) + (0 if room else 2)
        widths[at] = min(room, widths[at])
    kept = [at for at, width in enumerate(widths) if width]
    left = list(zip(*(columns[at] for at in kept), strict=True))
    return fitted(table(left, {new for new, at in enumerate(kept) if at in right}))


def begin_of(text: str, room: int) -> str:
    """Return a text, or as much of its beginning as fits before an ellipsis."""
    return text if cells(text) <= room else _cut(text, room)


def end_of(text: str, room: int) -> str:
    """Return an ellipsis, and as much of the end of a text as fits behind it."""
    if cells(text) <= room:
        return text
    begin = max(0, len(text) - room + 1)
    while cells(text[begin:]) > room - 1:
        begin += 1
    return "…" + text[begin:]


def _cut(line: str, width: int) -> str:
    """Return what of a line fits, and an ellipsis."""
    end = min(len(line), width - 1)
    while end > 0 and cells(line[:end]) > width - 1:
        end -= 1
    return line[:end].rstrip() + "…"


def say_object(value: Any) -> None:
    """Print one JSON object on one line; no sign of it steers a terminal."""
    say(json.dumps(value))


def table(rows: Sequence[tuple[str, ...]], right: Collection[int] = ()) -> list[str]:
    """Return rows of clean texts as lines, in columns as wide as their texts.

    Args:
        rows: texts, as many in each.
        right: numbers of the columns whose texts end alike, as those of counts.
    """
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)] if rows else []
    columns = [(width, at in right) for at, width in enumerate(widths)]
    return [
        "  ".join(
            " " * (width - cells(text)) + text if is_right else text + " " * (width - cells(text))
            for text, (width, is_right) in zip(row, columns, strict=True)
        ).rstrip()
        for row in rows
    ]
