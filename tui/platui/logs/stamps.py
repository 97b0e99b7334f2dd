"""Stamps before log lines (`2026-09-25T07:33:00.992977Z 00O `); a final `+` undoes a line break."""

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
    """Return whether a log that begins with `data` is stamped; None if undecided."""
    if _ANY_STAMP.match(data):
        return True
    return None if may_become_stamp(data) else False


def may_become_stamp(data: bytes) -> bool:
    missing = _MODEL[len(data) :]
    return bool(missing) and _ANY_STAMP.fullmatch(data + missing) is not None


def continuations(data: bytes) -> list[int]:
    """Return the offsets of line breaks that a stamp undoes."""
    # Searching for the rare `+` is much faster than checking every line.
    found: list[int] = []
    at = data.find(_GOES_ON)
    while at >= 0:
        if _CONTINUATION.match(data, at - STAMP_LENGTH):
            found.append(at - STAMP_LENGTH)
        at = data.find(_GOES_ON, at + 1)
    return found


def parse_stamp(line: bytes) -> float | None:
    """Return the Unix time of a stamped line; None if invalid."""
    if not _ANY_STAMP.match(line):
        return None
    try:
        moment = datetime.fromisoformat(line[:_TIME_LENGTH].decode("ascii"))
    except ValueError:
        return None
        # Not timestamp(), which rounds the microseconds.
    passed = moment - _EPOCH
    return passed.days * 86_400 + passed.seconds + passed.microseconds / 1e6


def strip_stamp(line: bytes) -> bytes:
    """Remove the stamps of a logical line and join its pieces."""
    if _ANY_STAMP.match(line):
        line = line[STAMP_LENGTH:]
    return joined(line)


def joined(data: bytes) -> bytes:
    """Remove undone line breaks and their stamps."""
    return _CONTINUATION.sub(b"", data) if _GOES_ON in data else data


def continues(data: bytes, at: int) -> bool:
    """Return whether a stamp undoes the line break at `at`."""
    return _CONTINUATION.match(data, at) is not None


def stamp_length(data: bytes, at: int) -> int:
    """Return the length of the stamp at `at`: 0 if there is none."""
    return STAMP_LENGTH if _ANY_STAMP.match(data, at) else 0


def strip_stamps(lines: bytes) -> bytes:
    """Remove the stamps at the beginning of lines that end in line feeds."""
    return _STAMPS.sub(b"\n", b"\n" + lines)[1:]
