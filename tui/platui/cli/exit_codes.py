"""Exit codes and error messages."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from enum import IntEnum
from typing import Final

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


class Exit(IntEnum):
    DONE = 0
    FAILED = 1
    USAGE = 2
    TRY_AGAIN = 3
    REFUSED = 4
    UNKNOWN = 5
    INTERRUPTED = 130
    NO_READER = 141


MEANINGS: Final[Mapping[Exit, str]] = {
    Exit.DONE: "success; when waiting: it succeeded",
    Exit.FAILED: "when waiting: it did not succeed; when checking: problems or changes",
    Exit.USAGE: "usage or configuration error",
    Exit.TRY_AGAIN: "retry later: no connection, quota used up, or platform error",
    Exit.REFUSED: "not allowed, not found, not supported, or nothing to do",
    Exit.UNKNOWN: "sent, result unknown: check before you retry",
    Exit.INTERRUPTED: "interrupted, or not confirmed",
    Exit.NO_READER: "cannot write to stdout: its reader ended, or the disk is full",
}

UNCHANGED: Final = "With 2, 3 and 4, nothing was changed.\n"


def exit_code_of(error: PlatuiError) -> Exit:
    match error:
        case OutcomeUnknownError():
            return Exit.UNKNOWN
        case NoPlatformError():  # a retry would not help
            return Exit.USAGE
        case OfflineError() | RateLimitedError() | ServerFailedError() | InvalidResponseError():
            return Exit.TRY_AGAIN
        case ApiError() | WriteRefusedError() | NotSupportedError() | NothingToDoError():
            return Exit.REFUSED
        case CommandError():  # an unknown name
            return Exit.REFUSED
    return Exit.USAGE


def hint_of(error: PlatuiError) -> str:
    """Return the hint of an error, without that of automatic retries (dashboard only)."""
    is_default = error.hint == error.default_hint
    if is_default and isinstance(error, OfflineError) and error.reason is OfflineReason.REFUSED:
        return "Check the URL, VPN and proxy; run platui doctor."
    trying = exit_code_of(error) is Exit.TRY_AGAIN and not isinstance(error, InvalidResponseError)
    return "" if trying and is_default else error.hint


def print_error(error: PlatuiError) -> None:
    lines = [line for line in (*error.sentence.splitlines(), hint_of(error)) if line]
    print("platui: " + "\n        ".join(clean(line) for line in lines), file=sys.stderr)


def exit_code_table(*codes: Exit) -> str:
    lines = "".join(f"  {code.value:<4} {MEANINGS[code]}\n" for code in codes)
    return f"{lines}{UNCHANGED if Exit.REFUSED in codes else ''}"
