"""The control sequences that a program wrote to its terminal, and what stood between them."""

from __future__ import annotations

import base64
import re
from typing import Final

_SEQUENCE: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P_^X].*?(?:\x07|\x1b\\)|\x1b.|[\x00-\x1f\x7f-\x9f]", re.DOTALL
)
_CLIPBOARD: Final = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)")
_TOLD: Final = re.compile(r"\x1b\](2|9);(.*?)(?:\x07|\x1b\\)", re.DOTALL)
UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
"""What moves, hides, reorders or commands."""


def kinds(written: str) -> set[str]:
    """Return the sequences that were written; those that differ in their texts count as one each.

    Colours, moves, erased and scrolled cells, what is copied, the window's titles, and notices.
    """
    plain = _CLIPBOARD.sub("\x1b]52;c;\x07", written)
    found = _SEQUENCE.findall(_TOLD.sub(lambda one: f"\x1b]{one[1]};\x07", plain))
    return {one[-1] if one.startswith("\x1b[") and one[-1] in "mHCKXLMr" else one for one in found}


def between(written: str) -> str:
    """Return the text that was written, without the sequences."""
    return _SEQUENCE.sub("", written)


def copied(written: str) -> list[str]:
    """Return what was brought to the clipboard."""
    return [base64.b64decode(found).decode() for found in _CLIPBOARD.findall(written)]


def told(written: str) -> list[str]:
    """Return the titles that the window got, and the texts of notices."""
    return [text for _, text in _TOLD.findall(written)]
