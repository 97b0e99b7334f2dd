"""Terminal detection: a table of what is there and what follows."""

from __future__ import annotations

import io
import os
from dataclasses import replace

import pytest

from platui.ui.terminal.detection import Colours, Terminal, detect


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
MANY = replace(FULL, colours=Colours.MANY)
FEW = replace(FULL, colours=Colours.SIXTEEN, ansi_theme=True)
CONSOLE = Terminal(
    usable=True,
    unicode=False,
    ansi_theme=True,
    mouse=False,
    has_window=False,
    colours=Colours.SIXTEEN,
    italics=False,
)
OLD = replace(CONSOLE, edits=False)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("xterm-256color", MANY),
        ("tmux-256color", MANY),
        ("screen-256color", replace(MANY, edits=False, italics=False)),
        ("screen.xterm-256color", replace(MANY, edits=False, mouse=False, italics=False)),
        ("xterm-kitty", MANY),
        ("foot", MANY),
        ("xterm", FEW),
        ("screen", replace(FEW, edits=False, italics=False)),
        ("xterm-direct", replace(FULL, colours=Colours.TRUE)),
        ("linux", CONSOLE),
        ("linux-16color", CONSOLE),
        ("vt100", replace(OLD, colours=Colours.NONE)),
        ("vt220", replace(OLD, colours=Colours.NONE)),
        ("xterm-mono", replace(FEW, colours=Colours.NONE)),
        ("ansi", replace(OLD, mouse=True)),
        ("cons25", replace(OLD, mouse=True)),
    ],
)
def test_the_terminals_name_decides(name: str, expected: Terminal) -> None:
    """Consoles get ASCII, their own colours and no mouse; everything else gets all."""
    assert seen(TERM=name) == expected


def test_tmux_edits_whatever_it_is_called() -> None:
    """It scrolls regions and erases in colour itself, also by the name of another terminal."""
    assert seen(TERM="screen-256color", TMUX="socket,1,0").edits


@pytest.mark.parametrize("name", ["xterm-256color", "screen-256color", "screen", "xterm"])
def test_gnu_screen_neither_edits_nor_reports_the_mouse_nor_slants(name: str) -> None:
    """By any name, also in a window of tmux: it erases in no colour, and would hold Escape back."""
    for environ in ({}, {"TMUX": "socket,1,0"}):
        terminal = seen(TERM=name, STY="1.pts-0", **environ)
        assert not terminal.edits
        assert not terminal.mouse
        assert not terminal.italics


def test_tmux_in_gnu_screen_is_tmux() -> None:
    """It has both variables."""
    terminal = seen(TERM="tmux-256color", STY="1.pts-0", TMUX="socket,1,0")
    assert terminal.edits
    assert terminal.mouse
    assert terminal.italics


def test_frames_may_be_written_whole() -> None:
    """For a terminal that shows differences wrongly."""
    assert seen(TERM="xterm-256color", PLATUI_WHOLE_FRAMES="1").whole_frames


@pytest.mark.parametrize(
    "environ", [{"NO_COLOR": "1"}, {"NO_COLOR": "0"}, {"CLICOLOR": "0"}], ids=str
)
def test_no_color_takes_the_colours_away(environ: dict[str, str]) -> None:
    """Set to anything; only what is bold, underlined or reversed remains."""
    terminal = seen(TERM="xterm-256color", **environ)
    assert terminal.ansi_theme
    assert terminal.colours is Colours.NONE
    assert terminal.unicode


@pytest.mark.parametrize(
    "environ", [{"NO_COLOR": ""}, {"CLICOLOR": "1"}, {"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}],
    ids=str,
)  # fmt: skip
def test_colours_stay_where_nobody_takes_them(environ: dict[str, str]) -> None:
    """An empty NO_COLOR is none, and CLICOLOR_FORCE is over it."""
    assert seen(TERM="xterm-256color", **environ) == MANY


def test_a_terminal_without_colours_gets_those_that_are_asked_for() -> None:
    """Some that call themselves by an old name have them."""
    assert seen(TERM="vt100", CLICOLOR_FORCE="1") == OLD


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
