"""What loggers write before a message: times, container streams, places in the code, levels."""

from __future__ import annotations

import re
from typing import Final

_DATE: Final = r"(?:\d{4}[-/]\d\d[-/]\d\d|\d\d/\d\d/(?:\d{4}|\d\d))"
_ZONE: Final = r"(?:Z| ?UTC| ?GMT| ?[+-]\d\d(?::?\d\d)?)?"
_CLOCK: Final = rf"\[?(?:{_DATE}[T ,]{{1,2}})?\d\d:\d\d:\d\d(?:[.,]\d+)?{_ZONE}\]?(?:  ?|$)"
_STREAM: Final = r"std(?:out|err) [FP] |[\w.-]+-\d+ +\| "  # of a container's log, of Compose
_PLACE: Final = r"\{{1,2}[\w.]+\.py:\d+\}{1,2} "  # Airflow's
_LEVELS: Final = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|SEVERE)"
_BUILD_STEP: Final = r"#\d+ (?:\d+\.\d+ )?"  # Docker's

# What loggers write between the time and the message.
_LOGGER: Final = "|".join(
    (
        rf"(?:[\[(]?[\w.:-]+[\])]? )?- {_LEVELS} - ",
        rf"- [\w.]+ - {_LEVELS} - ",
        rf"{_LEVELS}:[\w.]+:",
        rf"\| {_LEVELS} *\| [\w.:<>-]+ - ",
        rf"\[[\w.-]+\] {_LEVELS} +[\w.$]+ +- ",
        r"[IWEF]\d{4} [\d:.]+ +\d+ [\w./-]+:\d+\] ",
    )
)

_ORIGIN: Final = re.compile(rf"(?:{_CLOCK}|{_STREAM}|{_PLACE}|{_BUILD_STEP}){{1,4}}")
_TASK_RUNNER: Final = rf"(?:{_PLACE}(?:{_LEVELS} - )?(?:{_CLOCK})?(?:b['\"])?|(?<=\] ){_LEVELS} - )"
_PREFIX: Final = re.compile(
    rf"(?:{_CLOCK}|{_STREAM}|{_BUILD_STEP}){{0,3}}(?:(?P<runner>{_TASK_RUNNER})|{_LOGGER})?"
)


def without_origin(line: str) -> str:
    """Return a line without the times and the place before it; its level stays."""
    found = _ORIGIN.match(line)
    return line if found is None else line[found.end() :]


def without_prefix(line: str) -> str:
    """Return a line without all that a logger wrote before it; the message's indentation stays."""
    found = _PREFIX.match(line)
    return line if found is None else line[found.end() :]


def is_indented(line: str) -> bool:
    return without_prefix(line)[:1].isspace()


def is_by_task_runner(line: str) -> bool:
    """Return whether Airflow wrote a line: programs it runs have its level, not their own."""
    found = _PREFIX.match(line)
    return found is not None and found["runner"] is not None
