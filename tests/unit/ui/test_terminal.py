"""Terminal detection: a table of what is there and what follows."""

from __future__ import annotations

import io
import os
from dataclasses import replace

import pytest

from platui.ui.terminal import Colours, Terminal, detect


class Stream(io.TextIOWrapper):
    """A text stream that says whether it is a terminal."""

    def __init__(self, *, tty: bool = True, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._tty = tty

    def isatty(self) -> bool:
        """Say it."""
        return self._tty


def seen(*, encoding: str = "utf-8", **environ: str) -> Terminal:
    """Return what is detected on two good streams."""
    return detect(environ, Stream(), Stream(encoding=encoding))


FULL = Terminal(usable=True)
CONSOLE = Terminal(
    usable=True,
    unicode=False,
    ansi_theme=True,
    mouse=False,
    clipboard=False,
    colours=Colours.SIXTEEN,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("xterm-256color", FULL),
        ("tmux-256color", FULL),
        ("screen-256color", FULL),
        ("xterm", replace(FULL, colours=Colours.SIXTEEN)),
        ("xterm-kitty", replace(FULL, colours=Colours.SIXTEEN)),
        ("xterm-direct", replace(FULL, colours=Colours.TRUE)),
        ("linux", CONSOLE),
        ("linux-16color", CONSOLE),
        ("vt100", CONSOLE),
        ("vt220", CONSOLE),
        ("ansi", replace(CONSOLE, mouse=True)),
        ("cons25", replace(CONSOLE, mouse=True)),
    ],
)
def test_the_terminals_name_decides(name: str, expected: Terminal) -> None:
    """Consoles get ASCII, their own colours and no mouse; everything else gets all."""
    assert seen(TERM=name) == expected


@pytest.mark.parametrize("value", ["1", "", "0"])
def test_no_color_takes_the_colours_away(value: str) -> None:
    """Being set is enough, as Textual counts it, and only the terminal's own remain."""
    terminal = seen(TERM="xterm-256color", NO_COLOR=value)
    assert terminal.ansi_theme
    assert terminal.colours is Colours.NONE
    assert terminal.unicode


@pytest.mark.parametrize("value", ["truecolor", "24bit", " TrueColor "])
def test_colorterm_promises_all_colours(value: str) -> None:
    """Where the terminal says so; SSH does not carry this."""
    assert seen(TERM="xterm-256color", COLORTERM=value).colours is Colours.TRUE


@pytest.mark.parametrize(
    ("encoding", "unicode"),
    [("utf-8", True), ("UTF8", True), ("utf_8", True), ("ascii", False), ("latin-1", False)],
)
def test_the_encoding_of_stderr_decides_on_unicode(encoding: str, unicode: bool) -> None:  # noqa: FBT001
    """The screen is drawn on stderr; what it cannot write would be backslashes."""
    assert seen(TERM="xterm-256color", encoding=encoding).unicode is unicode


@pytest.mark.parametrize("name", [None, "", "dumb", "unknown"])
def test_a_terminal_without_a_screen_is_refused(name: str | None) -> None:
    """With a sentence that names TERM."""
    terminal = seen() if name is None else seen(TERM=name)
    assert not terminal.usable
    assert "TERM=" in terminal.why


@pytest.mark.parametrize("stream", [None, Stream(tty=False)])
def test_streams_that_are_no_terminal_are_refused(stream: Stream | None) -> None:
    """A pipe on stdin would be read as keys, a file on stderr would be drawn on."""
    environ = {"TERM": "xterm-256color"}
    assert "Standard input" in detect(environ, stream, Stream()).why
    assert "Standard error" in detect(environ, Stream(), stream).why
    assert not detect(environ, stream, Stream()).usable


def test_closed_streams_are_refused() -> None:
    """`platui <&-` gets a sentence, not a traceback."""
    closed = Stream()
    closed.close()
    assert not detect({"TERM": "xterm"}, closed, Stream()).usable


def test_a_real_pseudo_terminal_is_usable() -> None:
    """Not only the ones made for this test."""
    master, slave = os.openpty()
    try:
        with os.fdopen(slave, "w", encoding="utf-8") as stream:
            assert detect({"TERM": "xterm-256color"}, stream, stream).usable
    finally:
        os.close(master)
