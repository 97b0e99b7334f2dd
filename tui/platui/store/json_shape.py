"""Check values of JSON files that may have been edited by hand; imports nothing heavy."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, Final

SHAPE_ERRORS: Final = (
    ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError
)  # fmt: skip
"""Errors of reading a document that is invalid or of another version."""


def expect_type(value: Any, *types: type) -> Any:
    """Return the value if it has exactly one of the types. Raises TypeError: another type."""
    if type(value) not in types:
        raise TypeError(type(value))
    return value


def parse_time(text: Any) -> datetime:
    """Parse an ISO 8601 time; ValueError: without an offset, TypeError: not a text."""
    read = datetime.fromisoformat(text)
    if read.tzinfo is None:
        raise ValueError(text)
    return read


def parse_seconds(number: Any) -> float:
    """Parse Unix seconds; ValueError, OverflowError: beyond the calendar, TypeError: no number."""
    seconds = float(expect_type(number, int, float))
    datetime.fromtimestamp(seconds, UTC)
    return seconds


_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")


def file_stem(profile: str) -> str:
    """Return the file name stem of a profile; names with other characters are hashed."""
    if _PLAIN.fullmatch(profile):
        return profile
    from hashlib import blake2b  # noqa: PLC0415  (rare, and not free before the first frame)

    return "~" + blake2b(profile.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
