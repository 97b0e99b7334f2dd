"""Prompts on a terminal: printed to stderr, answered by one line."""

from __future__ import annotations

import codecs
import os
import re
import select
import shutil
import sys
import termios
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from platui.core.errors import ConfigError
from platui.core.secrets import looks_like_token
from platui.core.text import clean

_YES: Final = frozenset({"y", "yes"})
_NARROWEST: Final = 20

_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?")  # Arrow keys etc., ignored
_END_OF_INPUT: Final = "\x04"  # Ctrl+D
_CLEAR_KEYS: Final = frozenset("\x15\x17")  # Ctrl+U and Ctrl+W
_CHUNK: Final = 1 << 12
_LOCAL, _CHARACTERS = 3, 6  # Indexes in the result of `tcgetattr`


def has_terminal() -> bool:
    return all(one is not None and one.isatty() for one in (sys.stdin, sys.stderr))


def read_line(prompt: str) -> str | None:
    """Prompt for a line; None at the end of the input (Ctrl+D)."""
    # Discard keys typed before the prompt.
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    print(prompt, end="", file=sys.stderr, flush=True)
    # Bytes: a key of another encoding would be an error.
    line = sys.stdin.buffer.readline().decode(sys.stdin.encoding, errors="replace")
    if not line:
        print(file=sys.stderr)
        return None
    return line.strip()


def ask(question: str, default: str = "", read: Callable[[str], str | None] = read_line) -> str:
    """Prompt for a line. Raises KeyboardInterrupt: the input ended."""
    shown = f" [{clean(default)}]" if default else ""
    prompt = f"{question}{shown}: "
    while True:
        typed = read(prompt)
        if typed is None:
            raise KeyboardInterrupt
        if not looks_like_token(typed):
            return typed or default
        rows = -(-len(prompt + typed) // shutil.get_terminal_size().columns)
        print(f"\x1b[{rows}A\r\x1b[J", end="", file=sys.stderr, flush=True)
        print_paragraph(
            "  That looks like a token, which this prompt does not accept. It was not used."
        )


def ask_yes(question: str, *, default: bool) -> bool:
    while True:
        typed = read_line(f"{question} [{'Y/n' if default else 'y/N'}]: ")
        if typed is None:
            raise KeyboardInterrupt
        if not typed:
            return default
        if typed.casefold() in _YES | {"n", "no"}:
            return typed.casefold() in _YES
        print_paragraph("  Please answer y or n.")


def ask_number(question: str, choices: Sequence[str]) -> int:
    for number, choice in enumerate(choices, 1):
        print_paragraph(f"  {number}  {choice}")
    while True:
        typed = ask(question, "1")
        if typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= len(choices):
            return int(typed) - 1
        print_paragraph(f"  Type a number from 1 to {len(choices)}.")


def print_paragraph(text: str) -> None:
    """Print a text to stderr, wrapped at the width of the terminal, keeping its indent."""
    encoding = sys.stderr.encoding or "utf-8"
    line = clean(text).encode(encoding, "replace").decode(encoding)
    if sys.stderr.isatty():
        margin = " " * (len(line) - len(line.lstrip()))
        width = max(_NARROWEST, shutil.get_terminal_size().columns)
        # Do not break addresses.
        line = textwrap.fill(
            line.strip(),
            width,
            initial_indent=margin,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )
    print(line, file=sys.stderr, flush=True)


class PromptReader:
    """Reads lines from a terminal, without the terminal's own line editing."""

    def __init__(self) -> None:
        self._ahead = ""  # Input that is not processed yet
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @contextmanager
    def without_echo(self) -> Iterator[None]:
        """Hide and buffer typed keys; no effect unless stdin is a terminal."""
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
            raise ConfigError("This terminal cannot hide typed text.") from None
        try:
            yield
        finally:
            while select.select([at], [], [], 0)[0] and self._read(at):
                pass  # buffer all of it
            with suppress(termios.error):  # the terminal was closed
                termios.tcsetattr(at, termios.TCSADRAIN, before)

    def forget(self) -> None:
        self._ahead = ""
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def read_visible(self, prompt: str) -> str | None:
        """Prompt for a line; buffer further input. None: the input ended."""
        with self.without_echo():
            self.forget()
            return self._line(prompt, is_shown=True)

    def read_hidden(self, prompt: str) -> str | None:
        """Prompt for a hidden line, which may be typed already. None: the input ended."""
        with self.without_echo():
            self._ahead = self._ahead.lstrip()
            return self._line(prompt, is_shown=False)

    def _line(self, prompt: str, *, is_shown: bool) -> str | None:
        at = sys.stdin.fileno()
        print(prompt, end="", file=sys.stderr, flush=True)
        line = ""
        while True:
            if not self._ahead and not self._read(at):
                return self._finish_line(None)
            self._ahead = _ESCAPES.sub("", self._ahead)
            while self._ahead:
                key, self._ahead = self._ahead[0], self._ahead[1:]
                if key in {"\r", "\n"}:
                    return self._finish_line(line.strip())
                if key == _END_OF_INPUT and not line:
                    return self._finish_line(None)
                typed = line
                if key in {"\x7f", "\x08"}:
                    typed = line[:-1]
                elif key in _CLEAR_KEYS:
                    typed = ""
                elif key.isprintable():
                    typed = line + key
                if is_shown:
                    gone = len(line) - len(typed)
                    text = typed[len(line) :] or "\b \b" * gone
                    print(text, end="", file=sys.stderr, flush=True)
                line = typed

    def _finish_line(self, line: str | None) -> str | None:
        print(file=sys.stderr, flush=True)
        return line

    def _read(self, at: int) -> bool:
        try:
            data = os.read(at, _CHUNK)
        except OSError:  # the terminal was closed
            return False
        self._ahead += self._decoder.decode(data)
        return bool(data)
