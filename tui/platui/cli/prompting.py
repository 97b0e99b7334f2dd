"""Questions on a plain terminal: asked on stderr, answered by a line that is typed after them."""

from __future__ import annotations

import shutil
import sys
import termios
import textwrap
from typing import TYPE_CHECKING, Final

from platui.core.secrets import looks_like_token
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})
_NARROWEST: Final = 20


def is_asked() -> bool:
    """Return whether somebody is there who can answer."""
    return all(one is not None and one.isatty() for one in (sys.stdin, sys.stderr))


def line_typed(prompt: str) -> str | None:
    """Return the line that is typed now: what was typed before the question is no answer.

    None where the input has ended, as by ctrl+d.
    """
    # In this order: once the question stands there, every key is an answer to it.
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        print(file=sys.stderr)
        return None
    return line.strip()


def ask(question: str, default: str = "", read: Callable[[str], str | None] = line_typed) -> str:
    """Return an answer; enter alone takes the default, which stands there.

    Args:
        question: what is asked.
        default: what enter alone takes.
        read: returns the line that is typed behind a prompt; None where the input has ended.

    Raises:
        KeyboardInterrupt: there will be no answer.
    """
    shown = f" [{clean(default)}]" if default else ""
    prompt = f"{question}{shown}: "
    while True:
        typed = read(prompt)
        if typed is None:
            raise KeyboardInterrupt
        if not looks_like_token(typed):
            return typed or default
        _unsee(prompt + typed)
        aside("  That looks like a token, which is not asked for here: it was not used.")


def ask_yes(question: str, *, default: bool) -> bool:
    """Return whether the answer is yes; what is neither yes nor no is asked again.

    Raises:
        KeyboardInterrupt: there will be no answer.
    """
    while True:
        typed = line_typed(f"{question} [{'Y/n' if default else 'y/N'}]: ")
        if typed is None:
            raise KeyboardInterrupt
        if not typed:
            return default
        if typed.casefold() in _YES | _NO:
            return typed.casefold() in _YES
        aside("  Please answer y or n.")


def ask_number(question: str, choices: Sequence[str]) -> int:
    """Return which of several things is chosen, from 0; enter alone takes the first.

    Raises:
        KeyboardInterrupt: there will be no answer.
    """
    for number, choice in enumerate(choices, 1):
        aside(f"  {number}  {choice}")
    while True:
        typed = ask(question, "1")
        if typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= len(choices):
            return int(typed) - 1
        aside(f"  It is a number from 1 to {len(choices)}.")


def _unsee(shown: str) -> None:
    """Take what was typed off the screen, and the question with it."""
    rows = -(-len(shown) // shutil.get_terminal_size().columns)
    print(f"\x1b[{rows}A\r\x1b[J", end="", file=sys.stderr, flush=True)


def aside(text: str) -> None:
    """Say something between questions, beside the data; clean, in what letters stderr has.

    On a terminal it is broken between words, and goes on below its first letter.
    """
    encoding = sys.stderr.encoding or "utf-8"
    line = clean(text).encode(encoding, "replace").decode(encoding)
    if sys.stderr.isatty():
        margin = " " * (len(line) - len(line.lstrip()))
        width = max(_NARROWEST, shutil.get_terminal_size().columns)
        # An address stays whole, for whoever copies it.
        line = textwrap.fill(
            line.strip(),
            width,
            initial_indent=margin,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )
    print(line, file=sys.stderr, flush=True)
