"""Terminals of every kind, by their names: what platui shows on each, and leaves behind."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Final

import pytest
from tests.support.processes import Desk, emulator_process
from tests.support.sequences import kinds
from tests.support.session import PROGRAM, Session, at_home
from tests.support.walk import shows_pipelines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_OF_ALL: Final = {"\x1b[?25l", "\x1b[?25h", "\x1b[?7l", "\x1b[?7h", "\x1b[J", "\x1b[2J"} | set(
    "HCKm"
)
"""What a VT100 understands, or passes over without a sign of it."""
_OF_CONSOLES: Final = _OF_ALL | set("XLMr")
"""What a Linux console understands."""

_COLOURS: Final = {
    "linux": 16, "vt100": 0, "screen": 16, "screen-256color": 256, "tmux-256color": 256,
}  # fmt: skip
"""Name of a terminal -> colours that it is drawn with."""

_ROW: Final = re.compile(r"^ [✖x][▸> ]  ?\S+ ", re.MULTILINE)


@pytest.fixture(scope="module")
def platform() -> Iterator[Desk]:
    """Run a platform with a quota that no test spends."""
    with emulator_process("--rate-limit", "100000") as desk:
        yield desk


@pytest.fixture(scope="module")
def watching(platform: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home of somebody who watches a group."""
    home = tmp_path_factory.mktemp("watching")
    subprocess.run(
        [*PROGRAM, "triage", "watch", "acme/platform/"],
        env={**at_home(home), **platform.environ(), "PATH": "/usr/bin:/bin"},
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    return home


@pytest.mark.parametrize(("name", "colours"), _COLOURS.items())
def test_a_terminal_shows_what_is_broken_and_takes_keys(
    platform: Desk, watching: Path, tmp_path: Path, name: str, colours: int
) -> None:
    """Arrows of either mode, both kinds of backspace; then it is itself again."""
    home = shutil.copytree(watching, tmp_path / "home")
    environ = {**platform.environ(), "TERM": name}
    with Session(home=home, environ=environ) as session:
        session.until(lambda text: bool(_ROW.search(text)) and "broken" in text)
        # As long as it looks, rows come and change their places.
        session.until(lambda text: " live" in text and "looking" not in text)
        session.settle()
        first = cursor_lines(session)
        assert first
        session.press("\x1bOB")  # down, as application mode sends it
        session.until(lambda _: cursor_lines(session) not in ([], first))
        session.press("\x1b[A")  # up, as the other does
        session.until(lambda _: cursor_lines(session) == first)
        session.press(":", "zzz", "\x08", "\x7f")
        session.until(" :z")
        session.settle(0.2)
        assert ":zz" not in session.text
        session.press("\x7f", "quit", "enter")
        assert session.end() == 0
        assert session.terminal_is_itself()
        assert fewest_colours(session.written) == colours
        if name in {"linux", "vt100"}:
            assert session.kept.getvalue().isascii()
            known = _OF_CONSOLES if name == "linux" else _OF_ALL
            assert kinds(session.written) - {"\r", "\n"} <= known


def cursor_lines(session: Session) -> list[int]:
    """Return the lines of the row under the cursor: they have a ground of their own."""
    lines = range(2, 22)
    grounds = {y: session.screen.ground(y, 40) for y in lines}
    common = max(grounds.values(), key=[*grounds.values()].count)
    return [y for y in lines if grounds[y] != common]


def fewest_colours(written: str) -> int:
    """Return how many colours the terminal must have that all this is meant for."""
    if "38;2;" in written:
        return 1 << 24
    if "38;5;" in written:
        return 256
    return 16 if re.search(r"\x1b\[(\d+;)*3[1-6][;m]", written) else 0


def test_a_terminal_without_a_screen_is_told_what_to_use_instead(
    platform: Desk, tmp_path: Path
) -> None:
    """`TERM=dumb`, as in an editor's shell: commands tell the same as plain text."""
    environ = {**platform.environ(), "TERM": "dumb"}
    with Session(home=tmp_path, environ=environ) as session:
        assert session.end() == 2
        assert "TERM=dumb" in session.written
        assert "platui triage" in session.written
        assert "\x1b" not in session.written


def test_a_dialog_is_redrawn_too(platform: Desk, tmp_path: Path) -> None:
    """Ctrl+L repairs what another program has written over it."""
    where = f"{platform.base_url}/{platform.project}"
    with Session(where, home=tmp_path, environ=platform.environ()) as session:
        session.until(shows_pipelines)
        session.press("?")
        session.until("Keys")
        session.settle()
        session.screen.feed(b"\x1b[2J")
        assert "Keys" not in session.text
        session.press("\x0c")
        session.until("Keys")
