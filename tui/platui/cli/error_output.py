"""What an error prints, and the exit code that it sets."""

from __future__ import annotations

import sys

from platui.cli.exit_codes import Exit
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
