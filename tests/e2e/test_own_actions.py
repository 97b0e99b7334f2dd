"""Own actions in a terminal: a command has it for a while, and gives it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.session import Session

if TYPE_CHECKING:
    from pathlib import Path

_CONFIG = """
[actions.ask]
key = "f6"
title = "Ask"
command = ["echo the command is here; env | grep -c TOKEN; read answer; exit $answer"]
shell = true
output = "terminal"
"""


def test_a_command_has_the_terminal_and_gives_it_back(tmp_path: Path) -> None:
    """It reads keys itself; its exit code is shown, and no token was in its environment."""
    file = tmp_path / "own.toml"
    file.write_text(_CONFIG)
    with Session("--config", str(file), "demo", home=tmp_path) as session:
        session.until("Triage")
        session.until("● live")
        session.press("\x1b[17~")
        session.until("the command is here\n0")
        session.press("7\r")
        session.until("Ask: exit 7.")
        session.press("q")
        assert session.end() == 0
        assert session.terminal_is_itself()
