"""How far something is, where stderr is a file or a pipe."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from platui.cli.progress_line import ProgressLine

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


def test_a_log_is_told_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing of what is over at once; and nothing in the place of which nobody asked for lines."""
    now = 100.0
    line, silent = ProgressLine("triage", lambda: now), ProgressLine(clock=lambda: now)
    for second in range(10):
        now = 100.0 + second
        line.show(f"{second} of 60 projects")
        silent.show("nothing")
    line.clear()
    told = capsys.readouterr().err
    assert told.splitlines() == [f"triage: {second} of 60 projects" for second in (3, 6, 9)]


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
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The newest of it, and only once: after it there may be nothing for long."""
    now, loop = 100.0, Later()
    line = ProgressLine("triage", lambda: now, loop)
    for text in ("0 of 2 projects", "1 of 2 projects"):
        line.show(text)
    now += 3
    for handle in loop.due:
        if not handle.cancelled():
            handle._run()
    line.show("2 of 2 projects")
    line.clear()
    assert capsys.readouterr().err == "triage: 1 of 2 projects\n"
    loop.close()
    assert [handle.cancelled() for handle in loop.due] == [True, False, True]
