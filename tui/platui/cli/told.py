"""What a command prints on stdout: lines for people, which a terminal has whole, and objects."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from platui.cli.stdout import is_terminal
from platui.cli.table_fit import TableFit, begin_of

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
    room = line_room()
    return lines if room is None else (begin_of(line, room) for line in lines)


def wrapped(text: str) -> list[str]:
    """Return a sentence as lines that a terminal has whole, broken between words; else as one."""
    room = line_room()
    if room is None:
        return [text]
    return textwrap.wrap(text, max(_NARROWEST, room), break_on_hyphens=False)


def fitted_table(
    rows: Sequence[tuple[str, ...]],
    right: Collection[int] = (),
    spare: Sequence[tuple[int, int]] = (),
) -> Iterable[str]:
    """Return a table that a terminal has whole; what is for a program is as long as it is.

    Args:
        rows: as `table` takes them, that of headings first.
        right: as `table` takes it.
        spare: as `TableFit` takes it.
    """
    return TableFit(rows, right, spare, line_room()).lines(rows) if rows else ()


def line_room() -> int | None:
    """Return the cells of a line of the terminal; None where what is printed is for a program."""
    return shutil.get_terminal_size().columns if is_terminal() else None


def say_object(value: Any) -> None:
    """Print one JSON object on one line; no sign of it steers a terminal."""
    say(json.dumps(value))
