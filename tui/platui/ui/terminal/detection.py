"""Detect the abilities of the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, TextIO

from platui.config.environment import WHOLE_FRAMES, is_colourless, wants_colours
from platui.core.dataclass import dataclass
from platui.ui.terminal.background import guess_dark

_NO_SCREEN: Final = frozenset({"", "dumb", "unknown"})
_CONSOLES: Final = ("linux", "vt", "ansi", "cons25")  # Consoles with few colours and glyphs
_NO_EDITS: Final = ("screen", "vt", "ansi", "cons25")
_NO_ITALICS: Final = ("screen", "linux", "vt", "ansi", "cons25")
"""Names whose terminfo entry has no `sitm`: they show italics reversed, or in another colour."""
_NO_MOUSE: Final = ("linux", "vt")
_MANY_COLOURS: Final = (
    "xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "rio",
)  # fmt: skip
"""Terminals with at least 256 colours that TERM does not state."""
_TRUE_COLOUR: Final = frozenset({"truecolor", "24bit"})


class Colours(IntEnum):
    NONE = 0
    SIXTEEN = 16
    MANY = 256
    TRUE = 1 << 24


@dataclass(frozen=True)
class Terminal:
    """The abilities of the terminal."""

    usable: bool  # Whether a full-screen program can run on it
    why: str = ""
    unicode: bool = True  # Whether it shows more than ASCII
    ansi_theme: bool = False  # Whether to use only the terminal's own colours, or none
    mouse: bool = True
    has_window: bool = True  # Whether it supports title, notification and clipboard sequences
    colours: Colours = Colours.TRUE
    dark: bool | None = None
    italics: bool = True
    edits: bool = True  # Whether it scrolls regions, and erases in the current background
    whole_frames: bool = False  # Whether Textual writes the frames, not only what changed


def detect(environ: Mapping[str, str], stdin: TextIO | None, stderr: TextIO | None) -> Terminal:
    """Return the abilities of a terminal, from `sys.__stdin__` and `sys.__stderr__`."""
    name = environ.get("TERM", "")
    if why := _obstacle(name, stdin, stderr):
        return Terminal(
            usable=False,
            why=why,
            unicode=False,
            mouse=False,
            has_window=False,
            colours=Colours.NONE,
        )
    console = name.startswith(_CONSOLES)
    is_screen = _is_gnu_screen(name, environ)
    encoding = (getattr(stderr, "encoding", None) or "").lower().replace("-", "").replace("_", "")
    colours = count_colours(environ)
    return Terminal(
        usable=True,
        unicode=encoding == "utf8" and not console,
        ansi_theme=colours <= Colours.SIXTEEN,
        mouse=not is_screen and not name.startswith(_NO_MOUSE),
        has_window=not console,
        colours=colours,
        dark=guess_dark(environ),
        italics=not is_screen and not name.startswith(_NO_ITALICS),
        edits=not is_screen and (bool(environ.get("TMUX")) or not name.startswith(_NO_EDITS)),
        whole_frames=bool(environ.get(WHOLE_FRAMES)),
    )


def _obstacle(name: str, stdin: TextIO | None, stderr: TextIO | None) -> str:
    if stdin is None or stdin.closed or not stdin.isatty():
        return "Standard input is not a terminal; keys cannot be read."
    if stderr is None or stderr.closed or not stderr.isatty():
        return "Standard error is not a terminal; the screen is drawn there."
    if name in _NO_SCREEN:
        return f"The terminal has no full screen (TERM={name or 'unset'})."
    return ""


def _is_gnu_screen(name: str, environ: Mapping[str, str]) -> bool:
    """Return whether GNU screen shows the window, whatever TERM it sets.

    Measured on 4.9: it erases in the default colour, shows italics reversed, and while the mouse
    reports, it holds a lone Escape back until the next key.
    """
    if name.startswith("tmux"):  # started in a window of screen
        return False
    return bool(environ.get("STY")) or name.startswith("screen.")


def count_colours(environ: Mapping[str, str]) -> Colours:
    name = environ.get("TERM", "")
    wanted = wants_colours(environ)
    if wanted is False or (wanted is None and is_colourless(name)):
        return Colours.NONE
    if name.startswith(_CONSOLES):
        return Colours.SIXTEEN
    if environ.get("COLORTERM", "").strip().lower() in _TRUE_COLOUR or name.endswith("-direct"):
        return Colours.TRUE
    many = "256color" in name or name.startswith(_MANY_COLOURS)
    return Colours.MANY if many else Colours.SIXTEEN
