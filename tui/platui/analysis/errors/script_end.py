"""Where the script of a job stopped: its last lines are near the cause, later ones are not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.headings import is_empty_heading, is_heading, is_separator, reports_end
from platui.analysis.errors.prefixes import is_indented

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument, Section

SCRIPTS: Final = frozenset({"step_script", "build_script", "user_script"})

# Sections that the runner opens after the script.
AFTERMATH: Final = frozenset(
    {"after_script", "archive_cache", "archive_cache_on_failure", "cleanup_file_variables",
     "upload_artifacts_on_failure", "upload_artifacts_on_success"},
)  # fmt: skip

_TIME: Final = r"(?: ?\d\d:\d\d)?\s*$"

# Lines of the runner after the script, in a log without sections.
_RUNNER_GOES_ON: Final = re.compile(
    r"(?:Running after_script|Running after script\.\.\.|Uploading artifacts for failed job"
    r"|Cleaning up (?:project directory and )?file based variables|Saving cache for failed job)"
    rf"{_TIME}|section_end:\d+:(?:step_script|build_script)|##\[section\]Finishing:"
)
_UPLOADS_RESULTS: Final = re.compile(rf"Uploading artifacts for successful job{_TIME}")
_RUNNER_BEGINS: Final = re.compile(r"Running with gitlab-runner ")
_SCRIPT_BEGINS: Final = re.compile(r"\$ |Executing \"(?:step|build)_script\"")

_AFTERMATH_LINES: Final = 500  # Lines before the end that are searched for the script's end
_FIRST_LINES: Final = 200  # Lines after the start that are searched for the script's start
_LAST_LINES: Final = 200  # Lines before the script's end that may be its last message
_BLOCK_LINES: Final = 50  # Indented lines below one message

_COMMAND: Final = re.compile(r"\$ ")
_NO_MESSAGE: Final = re.compile(
    r"\++ \S|\s*File \"[^\"]+\", line \d|\s+at \S+\("
    r"|\s*(?:= )?help: |(?:\s*\d+|\s+) \|(?:\s|$)"
)
"""A command of `set -x`, a frame of a stack, or what a linter prints below a message."""


class Lines:
    """The lines of some sections."""

    def __init__(self, sections: Iterable[Section]) -> None:
        self._starts: list[int] = []
        self._ends: list[float] = []
        for one in sections:
            end = float("inf") if one.end is None else one.end
            if not self._ends or one.start >= self._ends[-1]:
                self._starts.append(one.start)
                self._ends.append(end)
            else:
                self._ends[-1] = max(self._ends[-1], end)

    def __contains__(self, line: int) -> bool:
        at = bisect_right(self._starts, line) - 1
        return at >= 0 and line < self._ends[at]


def script_of(document: LogDocument, end: int) -> range:
    """Return the lines of the script before line `end`; empty if it never started."""
    after = [one.start for one in document.sections if one.name in AFTERMATH]
    script = _script_section(document.sections)
    if script is not None:
        first = script.start + 1
        ends = [end, *(start for start in after if start >= first)]
        if script.end is not None:
            ends.append(script.end)
        return range(first, max(first, min(ends)))
    end = min(after, default=end)
    return range(_start_of_script(document, end), _end_of_script(document, end))


def _script_section(sections: Sequence[Section]) -> Section | None:
    return next((one for one in reversed(sections) if one.name in SCRIPTS), None)


def _start_of_script(document: LogDocument, end: int) -> int:
    if not any(_RUNNER_BEGINS.match(document.beginning(y)) for y in range(min(end, 3))):
        return 0
    for y in range(min(end, _FIRST_LINES)):
        if _SCRIPT_BEGINS.match(document.beginning(y)):
            return y
    return end


def _end_of_script(document: LogDocument, end: int) -> int:
    found = end
    for y in range(end - 1, max(-1, end - _AFTERMATH_LINES), -1):
        text = document.beginning(y)
        if _UPLOADS_RESULTS.match(text):
            return end  # the script succeeded, and what came after it failed
        if _RUNNER_GOES_ON.match(text):
            found = y
    return found


def last_message(document: LogDocument, script: range) -> int | None:
    """Return the last line of the script that may give a reason; of a block, its first line."""
    command = None
    for y in range(script.stop - 1, max(script.start - 1, script.stop - 1 - _LAST_LINES), -1):
        text = document.beginning(y)
        if _COMMAND.match(text):
            command = y if command is None else command
        elif not (
            is_separator(text)
            or reports_end(text)
            or is_empty_heading(text)
            or _NO_MESSAGE.match(text)
        ):
            return _first_of_block(document, script, y) if command is None else command
    return command


def _first_of_block(document: LogDocument, script: range, last: int) -> int:
    """Return the line that indented lines belong to; below a heading the first of them."""
    first = last
    for y in range(last, max(script.start - 1, last - 1 - _BLOCK_LINES), -1):
        text = document.beginning(y)
        if is_separator(text):
            continue
        if not is_indented(text):
            is_above = is_heading(text) or _SCRIPT_BEGINS.match(text)
            return first if is_above and y < last else y
        first = y
    return last


def open_sections(sections: Sequence[Section], end: int) -> list[int]:
    """Return the sections that were open when the script ended, outermost first."""
    script = _script_section(sections)
    if script is None:
        unended = [at for at, one in enumerate(sections) if one.end is None]
        work = [at for at, one in enumerate(sections) if one.name not in AFTERMATH]
        return unended or work[-1:]
    stop = end if script.end is None else script.end
    return [
        at for at, one in enumerate(sections)
        if script.start <= one.start < stop and (one.end is None or one.end >= stop)
    ]  # fmt: skip


def sections_around(sections: Sequence[Section], line: int) -> list[int]:
    return [
        at for at, one in enumerate(sections)
        if one.start <= line and (one.end is None or line < one.end)
    ]  # fmt: skip
