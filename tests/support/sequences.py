"""The control sequences that a program wrote to its terminal, and what stood between them."""

from __future__ import annotations

import base64
import re
from typing import Final

_SEQUENCE: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P_^X].*?(?:\x07|\x1b\\)|\x1b.|[\x00-\x1f\x7f-\x9f]", re.DOTALL
)
_CLIPBOARD: Final = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)")
UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
"""What moves, hides, reorders or commands."""


def kinds(written: str) -> set[str]:
    """Return the sequences that were written; colours, moves and copied texts count as one each."""
    found = _SEQUENCE.findall(_CLIPBOARD.sub("\x1b]52;c;\x07", written))
    return {one[-1] if one.startswith("\x1b[") and one[-1] in "mH" else one for one in found}


def between(written: str) -> str:
    """Return the text that was written, without the sequences."""
    return _SEQUENCE.sub("", written)


def copied(written: str) -> list[str]:
    """Return what was brought to the clipboard."""
    return [base64.b64decode(found).decode() for found in _CLIPBOARD.findall(written)]
