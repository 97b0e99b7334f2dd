"""How far something is, where stderr is a file or a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli.progress_line import ProgressLine

if TYPE_CHECKING:
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
