"""The 32 bytes that a runner may put before every line, and the line breaks they undo.

`2026-09-25T07:33:00.992977Z 00O ` is a time, a stream and its kind; a `+` in place of the
last blank says that the line break before the stamp is artificial: the line goes on.
Whether a log is stamped is decided by its first line.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

STAMP_LENGTH: Final = 32

_STAMP: Final = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z [0-9a-f]{2}[OE]"
_ANY_STAMP: Final = re.compile(_STAMP + rb"[ +]")
_CONTINUATION: Final = re.compile(rb"\n" + _STAMP + rb"\+")
_STAMPS: Final = re.compile(rb"\n" + _STAMP + rb"[ +]")
_MODEL: Final = b"2000-01-01T00:00:00.000000Z 00O+"
_GOES_ON: Final = b"+"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TIME_LENGTH: Final = 27


def starts_stamped(data: bytes) -> bool | None:
    """Return whether a log that begins with `data` is stamped; None while that is open."""
    if _ANY_STAMP.match(data):
        return True
    return None if may_become_stamp(data) else False


def may_become_stamp(data: bytes) -> bool:
    """Return whether `data` is the beginning of a stamp, but not yet all of one."""
    missing = _MODEL[len(data) :]
    return bool(missing) and _ANY_STAMP.fullmatch(data + missing) is not None


def continuations(data: bytes) -> list[int]:
    """Return where in `data` a line break stands that a stamp undoes."""
    # To look for the rare sign at a stamp's end is much faster than to try every line.
    found: list[int] = []
    at = data.find(_GOES_ON)
    while at >= 0:
        if _CONTINUATION.match(data, at - STAMP_LENGTH):
            found.append(at - STAMP_LENGTH)
        at = data.find(_GOES_ON, at + 1)
    return found


def stamped_at(line: bytes) -> float | None:
    """Return when a stamped line was written, in Unix seconds; None where that is no time."""
    if not _ANY_STAMP.match(line):
        return None
    try:
        moment = datetime.fromisoformat(line[:_TIME_LENGTH].decode("ascii"))
    except ValueError:
        return None
    # Not timestamp(): the microseconds shall be exact.
    passed = moment - _EPOCH
    return passed.days * 86_400 + passed.seconds + passed.microseconds / 1e6


def unstamp(line: bytes) -> bytes:
    """Return a logical line without its stamps, its pieces joined."""
    if _ANY_STAMP.match(line):
        line = line[STAMP_LENGTH:]
    return _CONTINUATION.sub(b"", line) if b"\n" in line else line


def joined(data: bytes) -> bytes:
    """Return lines without the line breaks that a stamp undoes, nor those stamps."""
    return _CONTINUATION.sub(b"", data) if _GOES_ON in data else data


def continues(data: bytes, at: int) -> bool:
    """Return whether the line break at `at` is one that a stamp undoes."""
    return _CONTINUATION.match(data, at) is not None


def stamp_length(data: bytes, at: int) -> int:
    """Return how long the stamp at `at` is: 0 where none stands there."""
    return STAMP_LENGTH if _ANY_STAMP.match(data, at) else 0


def without_stamps(lines: bytes) -> bytes:
    """Return lines, each ended by a line feed, without the stamps they begin with."""
    return _STAMPS.sub(b"\n", b"\n" + lines)[1:]
