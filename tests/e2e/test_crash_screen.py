"""When platui itself breaks: what and where, no value of any variable, a usable terminal."""

from __future__ import annotations

import re

import pytest
from tests.support.pty import Pty

TOKEN = "planted-7f3c9d-token"


@pytest.mark.parametrize("place", ["compose", "on_mount", "timer", "worker", "thread", "handler"])
def test_a_crash_shows_no_secret(place: str) -> None:
    """Textual's own traceback prints locals; ours does not, wherever it broke."""
    with Pty("crash.py", place, environ={"PLANTED": TOKEN, "COLUMNS": "200"}) as pty:
        if place == "handler":
            pty.expect("20")
            pty.send("k")
        assert pty.end() == 1
        written = re.sub("\x1b\\[[0-9;]*m", "", pty.written)
        assert "RuntimeError" in written
        assert "broken with 1 header" in written
        assert "crash.py" in written
        assert TOKEN not in written
        assert "planted" not in written
        assert "\x1b]0;owned" not in written
        assert "\x9b" not in written
        assert pty.terminal_is_itself()
