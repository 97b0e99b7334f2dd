"""What the terminal can do, found out before anything is drawn on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from platui.core.colour_wish import is_colourless, wants_colours
from platui.ui.background import guess_dark

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

_NO_SCREEN: Final = frozenset({"", "dumb", "unknown"})
_CONSOLES: Final = ("linux", "vt", "ansi", "cons25")
"""Few colours or none, and a font without blocks, arrows or braille."""
_NO_MOUSE: Final = ("linux", "vt")
_MANY_COLOURS: Final = (
    "xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour", "rio",
)  # fmt: skip
"""They have 256 at least, and do not say so in their names."""
_TRUE_COLOUR: Final = frozenset({"truecolor", "24bit"})


class Colours(IntEnum):
    """How many colours there are to draw with."""

    NONE = 0
    SIXTEEN = 16
    MANY = 256
    TRUE = 1 << 24


@dataclass(frozen=True)
class Terminal:
    """What was found out about the terminal."""

    usable: bool
    """Whether a full-screen program can run on it."""
    why: str = ""
    """One sentence, where it is not usable."""
    unicode: bool = True
    """Whether more than ASCII can be drawn."""
    ansi_theme: bool = False
    """Whether only the terminal's own colours (or none) will do: a theme's would be nearest ones,
    and the row under the cursor as black as all others."""
    mouse: bool = True
    clipboard: bool = True
    """Whether it may have one: a console has not."""
    colours: Colours = Colours.TRUE
    dark: bool | None = None
    """Whether its ground is; None: nobody has said so yet."""

    @property
    def has_window(self) -> bool:
        """Return whether it may have a title, and a desktop around it: a console has neither.

        Nor does a console know modes and queries of today: it prints parts of them as letters.
        """
        return self.clipboard


def detect(environ: Mapping[str, str], stdin: TextIO | None, stderr: TextIO | None) -> Terminal:
    """Return what can be drawn and read; Textual draws on stderr and reads keys from stdin.

    Hand in `sys.__stdin__` and `sys.__stderr__`: a redirected stdout does not matter.
    """
    name = environ.get("TERM", "")
    if why := _obstacle(name, stdin, stderr):
        return Terminal(
            usable=False, why=why, unicode=False, mouse=False, clipboard=False, colours=Colours.NONE
        )
    console = name.startswith(_CONSOLES)
    colours = count_colours(environ)
    return Terminal(
        usable=True,
        unicode=_is_utf8(stderr) and not console,
        ansi_theme=colours <= Colours.SIXTEEN,
        mouse=not name.startswith(_NO_MOUSE),
        clipboard=not console,
        colours=colours,
        dark=guess_dark(environ),
    )


def _obstacle(name: str, stdin: TextIO | None, stderr: TextIO | None) -> str:
    if not _is_terminal(stdin):
        return "Standard input is not a terminal: no key could be read."
    if not _is_terminal(stderr):
        return "Standard error is not a terminal: that is where the screen is drawn."
    if name in _NO_SCREEN:
        return f"The terminal says that it has no screen (TERM={name or 'unset'})."
    return ""


def _is_terminal(stream: TextIO | None) -> bool:
    if stream is None or stream.closed:
        return False
    return stream.isatty()


def _is_utf8(stream: TextIO | None) -> bool:
    encoding = (getattr(stream, "encoding", None) or "").lower()
    return encoding.replace("-", "").replace("_", "") == "utf8"


def count_colours(environ: Mapping[str, str]) -> Colours:
    """Return how many colours the environment promises, none where it wants none."""
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
