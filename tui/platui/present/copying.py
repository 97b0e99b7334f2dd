"""What can be copied out of a log, and how a saved one is called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.log import LogDocument

_UNFIT: Final = re.compile(r"[^\w.+-]+", re.ASCII)
_LONGEST_NAME: Final = 60


class Copyable(NamedTuple):
    """Lines of a log, or a text that is not of it."""

    what: str
    """Said in the menu and of what was copied."""
    lines: Sequence[int] = ()
    text: str = ""


def log_file_name(name: str, number: int | None) -> str:
    """Return a name for a saved log: the job's name and id, fit for any file system."""
    fit = _UNFIT.sub("-", name).strip("-.")[:_LONGEST_NAME] or "job"
    return f"{fit}.log" if number is None else f"{fit}-{number}.log"


def block_at(document: LogDocument, line: int) -> range | None:
    """Return the lines of the error that a line is part of."""
    for mark in document.errors:
        if mark.first <= line < mark.end:
            return range(mark.first, min(mark.end, document.line_count))
    return None


def section_at(document: LogDocument, line: int) -> tuple[str, range] | None:
    """Return name and lines of the innermost section that a line is in."""
    found = None
    count = document.line_count
    for section in document.sections:
        end = count if section.end is None else min(section.end, count)
        # They come in the order of their beginnings: the last that fits is the innermost.
        if section.start <= line < end:
            found = section.name, range(section.start, end)
    return found
