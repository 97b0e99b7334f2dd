"""`v` and `V`: another program has the terminal for a while, and gives it back."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from tests.support.session import Session

if TYPE_CHECKING:
    from pathlib import Path

_PAGER = """
import json, os, stat, sys, termios
path = sys.argv[-1]
seen = {
    "arguments": sys.argv[1:-1],
    "text": open(path).read(),
    "mode": oct(stat.S_IMODE(os.stat(path).st_mode)),
    "folder": oct(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode)),
    "path": path,
    "secrets": [name for name in os.environ if name.startswith("PLATUI_") and "TOKEN" in name],
    "echo": bool(termios.tcgetattr(0)[3] & termios.ECHO),
}
with open(os.environ["SEEN"], "w") as file:
    json.dump(seen, file)
print("the pager is here", flush=True)
answer = sys.stdin.readline()
os.kill(os.getpid(), 9) if answer.startswith("die") else sys.exit(0)
"""


def _scene(tmp_path: Path) -> tuple[Path, dict[str, str], Path]:
    """Return a saved log, an environment with a pager that tells what it saw, and where."""
    log, program, seen = tmp_path / "job.log", tmp_path / "pager.py", tmp_path / "seen.json"
    log.write_text("".join(f"\x1b[32mline {n}\x1b[0m\x1b]0;owned\x07\n" for n in range(300)))
    program.write_text(_PAGER)
    pager = tmp_path / "less"
    pager.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {program} "$@"\n')
    pager.chmod(0o700)
    environ = {"PAGER": f"{pager} --quiet", "SEEN": str(seen), "PLATUI_TOKEN": "x"}
    return log, environ | {"TMPDIR": str(tmp_path)}, seen


def test_the_pager_gets_the_log_and_gives_the_terminal_back(tmp_path: Path) -> None:
    """At the line one is at, with colours and nothing else; the file is gone afterwards."""
    import json  # noqa: PLC0415  (beside what it reads)

    log, environ, seen = _scene(tmp_path)
    with Session("log", "--file", str(log), home=tmp_path, environ=environ) as session:
        session.until("line 299")
        session.press(":", "120", "enter")
        session.until("line 119")
        session.press("v")
        session.until("the pager is here")
        told = json.loads(seen.read_text())
        assert told["arguments"] == ["--quiet", "-R", "+120"]
        assert told["text"].splitlines()[119] == "\x1b[32mline 119\x1b[0m"
        assert (told["mode"], told["folder"]) == ("0o600", "0o700")
        assert told["secrets"] == []
        assert told["echo"]
        session.press("\r")
        session.until(lambda text: "line 119" in text and "the pager" not in text)
        assert not (tmp_path / told["path"]).exists()
        assert not list(tmp_path.glob("platui-*"))
        session.press("q")
        assert session.end() == 0
        assert session.terminal_is_itself()


def test_a_pager_that_is_killed_or_interrupted_leaves_the_view_whole(tmp_path: Path) -> None:
    """Ctrl+C is the other program's own; that it was killed is said."""
    log, environ, _ = _scene(tmp_path)
    with Session("log", "--file", str(log), home=tmp_path, environ=environ) as session:
        session.until("line 299")
        session.press("v")
        session.until("the pager is here")
        session.press("die\r")
        session.until("was terminated by signal 9")
        session.press("g")
        session.until("line 0")
        session.press("v")
        session.until("the pager is here")
        session.press("ctrl+c")
        session.until(lambda text: "signal 2" in text or "exit code" in text)
        session.until("line 0")
        session.press("q")
        assert session.end() == 0
        assert session.terminal_is_itself()
        assert not list(tmp_path.glob("platui-*"))
