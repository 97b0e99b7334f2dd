"""Detect a dark terminal background: queries, and replies in the input."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from platui.ui.contrast import BLACK, RGB, WHITE, ratio

QUERY_COLOUR: Final = "\x1b]11;?\x1b\\"
QUERY_REPORTS: Final = "\x1b[?2031$p"
ENABLE_REPORTS: Final = "\x1b[?2031h"
DISABLE_REPORTS: Final = "\x1b[?2031l"

_ANSWER: Final = re.compile(
    r"\x1b\]11;(?P<colour>[^\x07\x1b]{0,60})(?:\x07|\x1b\\)"
    r"|\x1b\[\?997;(?P<scheme>[12])n"
    r"|\x1b\[\?2031;(?P<mode>\d)\$y"
)
_BEGUN: Final = re.compile(
    r"\x1b(?:\](?:1(?:1(?:;[^\x07\x1b]{0,60}\x1b?)?)?)?"
    r"|\[(?:\?(?:9(?:9(?:7(?:;[12]?)?)?)?|2(?:0(?:3(?:1(?:;\d?\$?)?)?)?)?)?)?)\Z"
)
"""The start of a reply; the rest may follow with the next read."""
_CHANNELS: Final = re.compile(
    r"rgba?:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})(?:/|\Z)", re.IGNORECASE
)
_NUMBERS: Final = frozenset(map(str, range(16)))
_LIGHT: Final = frozenset({7, *range(9, 16)})  # The light ones of the 16 colours; 8 is dark grey
_SETTABLE: Final = frozenset({"1", "2"})


class ReplyFilter:
    """Removes the terminal's replies from the input, which Textual would parse as keys."""

    def __init__(
        self, on_background: Callable[[bool], None], on_reports: Callable[[], None]
    ) -> None:
        self._on_background = on_background
        self._on_reports = on_reports
        self._held = ""
        self._expects = False

    def expect(self, does: bool) -> None:  # noqa: FBT001  (called back with it)
        """Set whether a lone Escape is held back, too, which delays the Escape key."""
        self._expects = does

    def feed(self, text: str) -> str:
        """Return the typed input; a possible start of a reply is held back."""
        text, self._held = self._held + text, ""
        if "\x1b" not in text:
            return text
        text = _ANSWER.sub(self._take, text)
        begun = _BEGUN.search(text)
        if begun is None and self._expects and text.endswith("\x1b"):
            self._held, text = "\x1b", text[:-1]
        elif begun is not None:
            self._held = text[begun.start() :]
            text = text[: begun.start()]
        return text

    @property
    def is_holding(self) -> bool:
        return bool(self._held)

    def give_up(self) -> str:
        held, self._held = self._held, ""
        return held

    def _take(self, found: re.Match[str]) -> str:
        if found["scheme"]:
            self._on_background(found["scheme"] == "1")
        elif found["mode"]:
            if found["mode"] in _SETTABLE:
                self._on_reports()
        elif (colour := colour_in(found["colour"])) is not None:
            self._on_background(is_dark(colour))
        return ""


def colour_in(answer: str) -> RGB | None:
    """Parse a colour like `rgb:1f1f/2020/2121`, with 1 to 4 digits each; None: other format."""
    found = _CHANNELS.match(answer)
    if found is None:
        return None
    red, green, blue = (
        round(int(part, 16) * 255 / (16 ** len(part) - 1)) for part in found.groups()
    )
    return (red, green, blue)


def is_dark(ground: RGB) -> bool:
    return ratio(WHITE, ground) >= ratio(BLACK, ground)


def guess_dark(environ: Mapping[str, str]) -> bool | None:
    """Return whether COLORFGBG (`15;0`, `15;default;0`) means dark; None: not set."""
    number = environ.get("COLORFGBG", "").rpartition(";")[2]
    return int(number) not in _LIGHT if number in _NUMBERS else None
