"""The whole walk at the end of a bad line: 300 ms, 16 kB a second, 256 colours."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Final

import psutil
import pytest
from tests.support.processes import Desk, emulator_process, is_gone, wait_until
from tests.support.relay import LATENCY, RATE, SlowLine
from tests.support.session import Session, Settled
from tests.support.walk import WALK, red_project, shows_pipelines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JUMP_HOST: Final = {"TERM": "screen-256color", "COLORTERM": ""}
"""What is left of a terminal's abilities behind ssh and screen."""

SCREENFUL: Final = 80 * 24 * 3
"""Bytes that a change of the whole screen may cost, colours included."""


@pytest.fixture(scope="module")
def platform() -> Iterator[Desk]:
    """Run a platform with a quota that no walk spends."""
    with emulator_process("--rate-limit", "100000") as desk:
        yield desk


def far_away(platform: Desk, home: Path, *arguments: str) -> Session:
    """Open the dashboard at the end of the line."""
    environ = {**JUMP_HOST, **platform.environ()}
    return Session(*arguments, home=home, environ=environ, line=SlowLine)


def tell(what: str, settled: Settled) -> None:
    """Print what a step cost, for whoever runs this with -s."""
    sys.stdout.write(f"{what:20} {settled.seconds:6.2f} s {settled.size:7,} bytes\n")


def test_the_walk_at_the_end_of_a_bad_line(platform: Desk, tmp_path: Path) -> None:
    """Every step is there about as soon as the line can carry a screen, and no byte comes idle."""
    with far_away(platform, tmp_path, f"{platform.base_url}/{platform.project}") as session:
        session.until(shows_pipelines)
        session.settle()
        before, began = session.size, time.monotonic()
        for step in WALK:
            step(session)
            seconds = time.monotonic() - began
            rest = session.settle()
            tell(step.__name__, Settled(seconds + rest.seconds, session.size - before))
            before, began = session.size, time.monotonic()
        for key in ("esc", "esc", "3", "4", "?", "esc"):
            session.press(key)
            session.listen(2 * LATENCY + 1)
            settled = session.settle()
            tell(key, Settled(settled.seconds, session.size - before))
            assert session.size - before <= 2 * SCREENFUL
            before = session.size
        session.press(":", "q", "enter")
        assert session.end() == 0
        assert session.terminal_is_itself()


def test_a_page_key_held_down_settles_when_it_is_released(platform: Desk, tmp_path: Path) -> None:
    """The screens in between are not queued up for a line that cannot carry them."""
    with far_away(platform, tmp_path) as session:
        session.until("esc not now")
        session.press("esc")
        session.until("60 projects")
        red_project(session)  # the state of every project is known now: no row waits for it
        session.press("F", "g")
        session.settle()
        before, released = session.size, time.monotonic() + 2.0
        while time.monotonic() < released:
            session.press("pgdn" if int(time.monotonic() * 1.5) % 2 else "pgup")
            session.listen(1 / 30)
        settled = session.settle()
        tell("PgDn held for 2 s", Settled(settled.seconds, session.size - before))
        # What the line itself takes for keys under way, plus two screens.
        assert settled.seconds < LATENCY + 3 * SCREENFUL / RATE + 1.0


def test_a_dropped_line_leaves_no_process_and_a_state_to_start_from(
    platform: Desk, tmp_path: Path
) -> None:
    """The next start paints the kept rows before the platform has said a word."""
    address = f"{platform.base_url}/{platform.project}/-/pipelines"
    with far_away(platform, tmp_path, address) as session:
        session.until(shows_pipelines)
        session.settle()
        shown = session.screen.lines[3].split()[2]
        process = session.process
        session._line.close()
        session.drop_line()
        assert wait_until(lambda: is_gone(process))
        _, status = os.waitpid(process.pid, 0)
        assert os.waitstatus_to_exitcode(status) == 128 + 1
    files = (tmp_path / ".local/state/platui").rglob("*.json")
    [kept] = [file for file in files if "rows" in json.loads(file.read_text())]
    assert shown.removeprefix("#") in {row[0] for row in json.loads(kept.read_text())["rows"]}
    assert kept.stat().st_mode & 0o077 == 0
    (tmp_path / ".config/platui").mkdir(parents=True, exist_ok=True)
    (tmp_path / ".config/platui/config.toml").write_text('start = "last"\n')
    stopped = psutil.Process(platform.process.pid if platform.process else 0)
    stopped.suspend()
    try:
        with far_away(platform, tmp_path) as session:
            session.until(shown)
            assert "● live" not in session.text
            stopped.resume()
            session.until("● live")
            session.press("q", "q")
    finally:
        stopped.resume()
