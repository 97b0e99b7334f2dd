"""Exit codes, their meanings, and error messages."""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from platui.core.errors import (
    ApiError,
    CommandError,
    InvalidResponseError,
    NoPlatformError,
    NothingToDoError,
    NotSupportedError,
    OfflineError,
    OfflineReason,
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    WriteRefusedError,
)
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping


class Exit(IntEnum):
    """What a script is told."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    TRY_AGAIN = 3
    REFUSED = 4
    UNKNOWN = 5
    INTERRUPTED = 130
    NO_READER = 141


MEANINGS: Final[Mapping[Exit, str]] = {
    Exit.DONE: "done; waited for or followed: it succeeded",
    Exit.FAILED: "waited for: it did not succeed; checked: it is broken, or differs",
    Exit.USAGE: "usage or configuration",
    Exit.TRY_AGAIN: "try again: no connection, quota spent, or the platform failed",
    Exit.REFUSED: "refused, not there, not offered, or nothing to do",
    Exit.UNKNOWN: "sent, and what came of it is not known: look before another try",
    Exit.INTERRUPTED: "interrupted, or answered with No",
    Exit.NO_READER: "stdout takes no more: its reader is gone, or a disk is full",
}

UNCHANGED: Final = "With 2, 3 and 4 nothing was changed.\n"


def exit_code_of(error: PlatuiError) -> Exit:
    match error:
        case OutcomeUnknownError():
            return Exit.UNKNOWN
        case NoPlatformError():  # another try would find the same one there
            return Exit.USAGE
        case OfflineError() | RateLimitedError() | ServerFailedError() | InvalidResponseError():
            return Exit.TRY_AGAIN
        case ApiError() | WriteRefusedError() | NotSupportedError() | NothingToDoError():
            return Exit.REFUSED
        case CommandError():  # of a name that is in no list of the platform's
            return Exit.REFUSED
    return Exit.USAGE


def hint_of(error: PlatuiError) -> str:
    """Leave out that it is tried again by itself: that is what a dashboard does."""
    is_default = error.hint == error.default_hint
    if is_default and isinstance(error, OfflineError) and error.reason is OfflineReason.REFUSED:
        return "Is the address right, and does it take a VPN or a proxy? platui doctor looks."
    trying = exit_code_of(error) is Exit.TRY_AGAIN and not isinstance(error, InvalidResponseError)
    return "" if trying and is_default else error.hint


def print_error(error: PlatuiError) -> None:
    print_message(error.sentence, error)


def print_message(sentence: str, error: PlatuiError) -> None:
    lines = [line for line in (*sentence.splitlines(), hint_of(error)) if line]
    print("platui: " + "\n        ".join(clean(line) for line in lines), file=sys.stderr)


def exit_code_table(*codes: Exit) -> str:
    lines = "".join(f"  {code.value:<4} {MEANINGS[code]}\n" for code in codes)
    return f"{lines}{UNCHANGED if Exit.REFUSED in codes else ''}"
