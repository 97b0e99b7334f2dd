"""Show the end of a log before the whole log is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.logs.document import Log
from platui.logs.stamps import STAMP_LENGTH, continues, starts_stamped

if TYPE_CHECKING:
    from platui.models.values.log import ErrorRules

TAIL: Final = 256 * 1024  # Bytes that are enough for any screen

MIN_PREVIEW_BYTES: Final = 2 * 1024 * 1024  # Smaller logs are read at once


class TailPreview(NamedTuple):
    """The last lines of a log as a document."""

    document: Log
    start: int  # First byte in the log


def preview(size: int, read: Callable[[int, int], bytes]) -> TailPreview | None:
    """Read the end of a log of `size` bytes; None if no line begins in it."""
    return preview_of(read(0, STAMP_LENGTH), read(max(0, size - TAIL), size), size)


def preview_of(
    head: bytes, tail: bytes, size: int, errors: ErrorRules | None = None
) -> TailPreview | None:
    """Return the end of a log, given its first and last bytes."""
    stamped = bool(starts_stamped(head))
    at = tail.find(b"\n") + 1
    while at and stamped and continues(tail, at - 1):
        at = tail.find(b"\n", at) + 1
    if at == 0 or at == len(tail):
        return None
    document = Log(stamped=stamped, errors=errors)
    document.append(tail[at:])
    document.finish()
    return TailPreview(document, size - len(tail) + at)
