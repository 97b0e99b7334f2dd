"""Escape sequences for bell, window titles and notifications, also inside tmux and GNU screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from zlib import crc32

from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.config.settings import DesktopNotice

BELL: Final = "\a"
_LONGEST: Final = 200  # Characters of a notice; a desktop cuts it earlier
_PIECE: Final = 76  # Characters that GNU screen passes on in one string
_END: Final = "\x1b\\"
SAVE_TITLE: Final = "\x1b[22;2t"
RESTORE_TITLE: Final = "\x1b[23;2t"


def sequence_kind(wish: DesktopNotice, environ: Mapping[str, str]) -> DesktopNotice:
    """Return the user's kind of sequence, else the one of the terminal."""
    if wish != "auto":
        return wish
    name = environ.get("TERM", "")
    if "KITTY_WINDOW_ID" in environ or "kitty" in name:
        return "osc99"
    if "VTE_VERSION" in environ or name.startswith(("rxvt", "foot")):
        return "osc777"
    # Over ssh only the terminal's name is known; this sequence has the widest support.
    return "osc9"


def notice_sequence(kind: DesktopNotice, title: str, text: str, environ: Mapping[str, str]) -> str:
    title, text = (shorten(one, _LONGEST).replace(";", ",") for one in (title, text))
    if kind == "osc9":
        # A text that begins with `4;` is a progress bar, so the title comes first.
        sequence = f"\x1b]9;{': '.join(filter(None, (title, text)))}\a"
    elif kind == "osc777":
        sequence = f"\x1b]777;notify;{title};{text}\a"
    elif kind == "osc99":
        # A notification replaces the previous one of the same id.
        name = f"platui-{crc32((title + text).encode()):08x}"
        sequence = f"\x1b]99;i={name}:d=0;{title}{_END}\x1b]99;i={name}:p=body;{text}{_END}"
    else:
        return ""
    return wrap_for_multiplexer(sequence, environ)


def wrap_for_multiplexer(sequence: str, environ: Mapping[str, str]) -> str:
    """Wrap a sequence so that a multiplexer passes it to the outer terminal."""
    if environ.get("TMUX"):
        doubled = sequence.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}{_END}"
    if environ.get("STY"):
        # Our sequence may contain the terminator, so each escape gets its own string.
        pieces = sequence.replace(_END, "\a")
        return "".join(
            f"\x1bP{pieces[at : at + _PIECE]}{_END}" for at in range(0, len(pieces), _PIECE)
        )
    return sequence


def title_sequence(title: str) -> str:
    return f"\x1b]2;{shorten(title, _LONGEST)}\a"
