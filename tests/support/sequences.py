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

OURS: Final = frozenset(
    {
        "m", "H", "C", "\r", "\n",  # colours, moves
        "K", "X", "L", "M", "r",  # erased and scrolled cells
        "\x1b[?1049h", "\x1b[?1049l",  # the screen that is ours alone
        "\x1b[J",  # and erased before it is left
        "\x1b[?25h", "\x1b[?25l", "\x1b[?7h", "\x1b[?7l",  # cursor, wrapping
        "\x1b[?1000h", "\x1b[?1000l", "\x1b[?1006h", "\x1b[?1006l",  # clicks
        "\x1b[?1004h", "\x1b[?1004l", "\x1b[?2004h", "\x1b[?2004l",  # focus, paste
        "\x1b[?2026$p", "\x1b[?2026h", "\x1b[?2026l",  # a frame at a time
        "\x1b]11;?\x1b\\", "\x1b[?2031$p",  # whether the ground is dark, and whether it is told
        "\x1b[>25u", "\x1b[<u",  # keys told apart
        "\x1b]22;default\x07",  # the shape of the pointer
        "\x1b]52;c;\x07",  # what the user copies
        "\x1b[22;2t", "\x1b]2;\x07", "\x1b[23;2t",  # the window's title, and that of before
        "\x1b]9;\x07",  # a notice for who looks elsewhere
    }
)  # fmt: skip
"""Every sequence that the program writes, as `kinds` counts them."""


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
