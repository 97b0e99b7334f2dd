"""In a terminal of five columns it says that it is too small, and is all there when it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.processes import emulator_process
from tests.support.session import Session
from tests.support.walk import shows_pipelines

if TYPE_CHECKING:
    from pathlib import Path


def test_it_says_so_and_comes_back(tmp_path: Path) -> None:
    """Keys do nothing meanwhile but to quit, redraw and suspend."""
    with (
        emulator_process("--speed", "0") as platform,
        Session(
            f"{platform.base_url}/{platform.project}",
            home=tmp_path,
            environ=platform.environ(),
            size=(5, 2),
        ) as session,
    ):
        session.until("too s\nmall:")
        session.press("q", ":", "q", "enter")
        session.settle()
        session.resize(80, 24)
        session.until(shows_pipelines)
        assert "too" not in session.text.split()
        session.resize(12, 3)
        session.until("too small: c")
        session.press("t")  # the form of a run
        session.settle()
        session.screen.feed(b"\x1b[2J")  # as another program does
        session.press("ctrl+l")
        session.until("too small: c")
        session.resize(16, 4)
        session.until("STATUS")
        session.resize(80, 24)
        session.until(lambda text: shows_pipelines(text) and "enter open" in text)
        session.resize(1, 1)
        session.until("t")
        session.press("ctrl+c")
        assert session.end() == 0
        assert session.terminal_is_itself()
