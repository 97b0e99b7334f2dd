"""Lines from the terminal that are shown by this program alone, never by the terminal itself.

A terminal shows what is typed or pasted as soon as it comes: also the second line of a paste,
which may be a token, while the first is only asked for, and what is typed while nothing is asked.
Here the terminal shows nothing; a line that may be seen is shown up to its end, and what came
behind it is kept for the next question.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
import termios
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?")
"""Arrows and their like, which do nothing on these lines."""
_ENDS: Final = frozenset("\r\n")
_RUBS: Final = frozenset("\x7f\x08")
_OUT: Final = "\x04"
"""Ctrl+d."""
_KILLS: Final = frozenset("\x15\x17")
"""Ctrl+u and ctrl+w: what is asked for here is one word."""
_PIECE: Final = 1 << 12
_LOCAL, _CHARACTERS = 3, 6
"""Where the local modes and the special characters stand in what `tcgetattr` returns."""


class Keyboard:
    """Reads lines from stdin, which is a terminal wherever a line is asked for."""

    def __init__(self) -> None:
        self._ahead = ""
        """What came and was not asked for yet."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @contextmanager
    def hushed(self) -> Iterator[None]:
        """Have nothing shown of what is typed; it is kept. Where stdin is no terminal: nothing.

        Raises:
            ConfigError: the terminal would show it.
        """
        if sys.stdin is None or not sys.stdin.isatty():
            yield
            return
        at = sys.stdin.fileno()
        try:
            before = termios.tcgetattr(at)
            modes = termios.tcgetattr(at)
            modes[_LOCAL] &= ~(termios.ECHO | termios.ICANON)
            modes[_CHARACTERS][termios.VMIN], modes[_CHARACTERS][termios.VTIME] = 1, 0
            termios.tcsetattr(at, termios.TCSADRAIN, modes)
        except termios.error:
            raise ConfigError("This terminal cannot hide what is typed.") from None
        try:
            yield
        finally:
            while select.select([at], [], [], 0)[0] and self._read(at):
                pass  # all of it is kept
            with suppress(termios.error):  # it has gone
                termios.tcsetattr(at, termios.TCSADRAIN, before)

    def forget(self) -> None:
        """Drop what was typed until now: it is no answer to what is asked next."""
        self._ahead = ""
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def shown_line(self, prompt: str) -> str | None:
        """Return a line that is typed now, and shown; None where the input has ended.

        What was typed before the question is no answer. What came behind the line is kept.
        """
        with self.hushed():
            self.forget()
            return self._line(prompt, is_shown=True)

    def hidden_line(self, prompt: str) -> str | None:
        """Return a line of which nothing is shown; None where the input has ended.

        It may have come before the question, but enter alone may not.
        """
        with self.hushed():
            self._ahead = self._ahead.lstrip()
            return self._line(prompt, is_shown=False)

    def _line(self, prompt: str, *, is_shown: bool) -> str | None:
        at = sys.stdin.fileno()
        print(prompt, end="", file=sys.stderr, flush=True)
        line = ""
        while True:
            if not self._ahead and not self._read(at):
                return self._ended(None)
            self._ahead = _ESCAPES.sub("", self._ahead)
            while self._ahead:
                sign, self._ahead = self._ahead[0], self._ahead[1:]
                if sign in _ENDS:
                    return self._ended(line.strip())
                if sign == _OUT and not line:
                    return self._ended(None)
                typed = _typed(line, sign)
                if is_shown:
                    _show(line, typed)
                line = typed

    def _ended(self, line: str | None) -> str | None:
        print(file=sys.stderr, flush=True)
        return line

    def _read(self, at: int) -> bool:
        """Take what has come, waiting for it; returns whether the input goes on."""
        try:
            data = os.read(at, _PIECE)
        except OSError:  # the terminal has gone
            return False
        self._ahead += self._decoder.decode(data)
        return bool(data)


def _typed(line: str, sign: str) -> str:
    """Return a line after another key."""
    if sign in _RUBS:
        return line[:-1]
    if sign in _KILLS:
        return ""
    return line + sign if sign.isprintable() else line


def _show(before: str, now: str) -> None:
    """Bring the line on the screen from one state to the next."""
    if now.startswith(before):
        text = now[len(before) :]
    else:
        gone = len(before) - len(now)
        text = "\b \b" * gone
    print(text, end="", file=sys.stderr, flush=True)
