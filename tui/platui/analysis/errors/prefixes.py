"""What loggers write before a message: times, container streams, places in the code, levels."""

from __future__ import annotations

import re
from typing import Final

_DATE: Final = r"(?:\d{4}[-/]\d\d[-/]\d\d|\d\d/\d\d/(?:\d{4}|\d\d))"
_ZONE: Final = r"(?:Z| ?UTC| ?GMT| ?[+-]\d\d(?::?\d\d)?)?"
_CLOCK: Final = rf"\[?(?:{_DATE}[T ,]{{1,2}})?\d\d:\d\d:\d\d(?:[.,]\d+)?{_ZONE}\]?(?:  ?|$)"
_STREAM: Final = r"std(?:out|err) [FP] "  # of a container's log
_PLACE: Final = r"\{[\w.]+\.py:\d+\} "  # Airflow's
_LEVEL: Final = r"(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL) - "  # its level

_ORIGIN: Final = re.compile(rf"(?:{_CLOCK}|{_STREAM}|{_PLACE}){{1,4}}")
_PREFIX: Final = re.compile(
    rf"(?:{_CLOCK}|{_STREAM}){{0,3}}(?:{_PLACE}(?:{_LEVEL})?(?:{_CLOCK})?)?"
)


def without_origin(line: str) -> str:
    """Return a line without the times and the place before it; its level stays."""
    found = _ORIGIN.match(line)
    return line if found is None else line[found.end() :]


def without_prefix(line: str) -> str:
    """Return a line without all that a logger wrote before it; the message's indentation stays."""
    found = _PREFIX.match(line)
    return line if found is None else line[found.end() :]
