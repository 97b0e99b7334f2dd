"""How far something is: on a terminal, where it comes too fast, and elsewhere."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from platui.cli.output.progress import ProgressLine, print_notice

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


def test_a_file_or_a_pipe_is_told_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A job at night sends by mail what is on stderr: it is to be empty where all is well."""
    now = 100.0
    line = ProgressLine(lambda: now)
    for second in range(10):
        now = 100.0 + second
        line.show(f"{second} of 60 projects")
    line.clear()
    assert capsys.readouterr().err == ""


class Later(asyncio.BaseEventLoop):
    """A loop that runs nothing before it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.due: list[asyncio.TimerHandle] = []

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[[str], None], *args: str
    ) -> asyncio.TimerHandle:
        """Keep what is to be called."""
        self.due.append(asyncio.TimerHandle(delay, callback, args, self))
        return self.due[-1]


def test_what_came_too_soon_is_told_when_its_time_has_come(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The newest of it, and only once: after it there may be nothing for long."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    now, loop = 100.0, Later()
    line = ProgressLine(lambda: now, loop)
    for text in ("begun", "0 of 2 projects", "1 of 2 projects"):
        line.show(text)
    now += 1
    for handle in loop.due:
        if not handle.cancelled():
            handle._run()
    line.show("2 of 2 projects")
    line.clear()
    told = capsys.readouterr().err.replace("\r\x1b[K", "|")
    assert told == "|begun|1 of 2 projects|"
    loop.close()
    assert [handle.cancelled() for handle in loop.due] == [True, False, True]


def test_what_is_said_meanwhile_has_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wait for the quota begins in the middle of a list."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    line = ProgressLine(lambda: 100.0)
    line.show("200 of 5,000 projects")
    print_notice("The quota is spent.")
    line.clear()
    told = capsys.readouterr().err.replace("\r\x1b[K", "|")
    assert told == "|200 of 5,000 projects|platui: The quota is spent.\n"
