"""Exit codes and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final


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
    Exit.UNKNOWN: "sent, result unknown or done in part: check before you retry",
    Exit.INTERRUPTED: "interrupted, or not confirmed",
    Exit.NO_READER: "cannot write to stdout or stderr: closed, no reader, or disk full",
}

UNCHANGED: Final = "With 2, 3 and 4, nothing was changed.\n"


def exit_code_table(*codes: Exit) -> str:
    lines = "".join(f"  {code.value:<4} {MEANINGS[code]}\n" for code in codes)
    return f"{lines}{UNCHANGED if Exit.REFUSED in codes else ''}"
