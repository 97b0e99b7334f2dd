"""Secrets planted at every door of the dashboard are in nothing that it writes or draws.

The doors: access token, trigger token, organization key, a secret variable that is typed and one
that is pasted. Looked through: all bytes to the terminal, copies among them, and all files.
"""

from __future__ import annotations

import base64
import re
import sys
from typing import TYPE_CHECKING, Final

import pytest
from tests.support.platform import ask
from tests.support.processes import Desk, emulator_process
from tests.support.session import PROGRAM, Session
from tests.texts.screens import NEW_PIPELINE
from tests.texts.widgets import REQUEST_PREVIEW

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

TYPED: Final = "planted-s3cret-typed"
PASTED: Final = "planted-s3cret-pasted"

_COPIED: Final = re.compile(rb"\x1b\]52;[^;]*;([A-Za-z0-9+/=]*)")

_SEEN: Final = 0.4
"""Seconds of quiet after which keys that write, or answer, count."""

_BREAKS: Final = """
import sys
from platui.cli.main import main
from platui.ui.controllers.app.writes import Writes

def broken(self, task, wanted):
    secrets = [item.value.reveal() for item in task.request.intents[0].variables]
    raise RuntimeError(f"broken with {len(secrets)} secrets of {self._app.service.profile.name}")

Writes._ended = broken
sys.exit(main())
"""
"""The program, that breaks when a write has ended, with its secrets in reach."""


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    """Run a platform with a quota that no test spends."""
    with emulator_process("--rate-limit", "100000") as desk:
        yield desk


def admin_key(desk: Desk) -> str:
    """Return the organization's key."""
    return str(ask("GET", f"{desk.base_url}/-/emulator/credentials").json()["admin_key"])


def opened(desk: Desk, home: Path, program: Sequence[str] = PROGRAM) -> Session:
    """Open the dashboard on the showcase, every secret in its environment, with all that logs."""
    config = home / ".config/platui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        f'default_profile = "here"\n[profiles.here]\nurl = "{desk.base_url}"\n'
        f'admin_url = "{desk.base_url}/admin"\nwrites = "confirm"\n'
    )
    environ = {
        "PLATUI_TOKEN": desk.token,
        "PLATUI_TRIGGER_TOKEN": desk.trigger_token,
        "PLATUI_ADMIN_KEY": admin_key(desk),
    }
    words = ("--debug", str(home / "debug.log"), f"{desk.base_url}/{desk.project}")
    return Session(*words, home=home, environ=environ, program=program)


def fill_in(session: Session) -> None:
    """Type one secret into the form of a run, paste another, and look at the request."""
    session.until("COMMIT")
    session.settle(_SEEN)
    session.press("t")
    session.until(NEW_PIPELINE)
    session.settle(_SEEN)
    session.press("s", f"TYPED={TYPED}", "enter")
    session.until("env_var, secret")
    session.settle(_SEEN)
    session.press("s")
    session.until("key of the secret")
    session.press(f"\x1b[200~PASTED={PASTED}\x1b[201~")
    session.until("2 secrets, masked")
    session.press("\x1b[A")  # off the row where letters are text
    session.until("S send")
    session.settle(_SEEN)
    session.press("i")
    session.until(REQUEST_PREVIEW)
    session.press("y")
    session.settle(_SEEN)
    session.press("S")
    session.until("[ No ]")
    session.settle(_SEEN)
    session.press("i")
    session.until("secret_value")
    session.settle(_SEEN)
    session.press("y")


def look_through(session: Session, home: Path, desk: Desk) -> bytes:
    """Look for every secret in all that was written; return it, with what was copied."""
    drawn = session.kept.getvalue()
    copied = b"\n".join(base64.b64decode(one) for one in _COPIED.findall(drawn))
    files = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    everything = b"\n".join([drawn, copied, *files])
    for secret in (TYPED, PASTED, desk.token, desk.trigger_token, admin_key(desk)):
        assert secret.encode() not in everything
        assert base64.b64encode(secret.encode()) not in everything
    return copied + b"".join(files)


def test_nothing_written_or_drawn_holds_a_secret(desk: Desk, tmp_path: Path) -> None:
    """Typed, pasted, looked at, copied, sent; triggered; the report asked for; run again."""
    with opened(desk, tmp_path) as session:
        fill_in(session)
        session.until("TIMELINE")
        session.settle(_SEEN)
        session.press("R")
        session.until("Rerun")
        session.settle(_SEEN)
        session.press("3")
        session.until("COMMIT")
        session.settle(_SEEN)
        session.press(":trigger", "enter")
        session.until("trigger token")
        session.settle(_SEEN)
        session.press("s", f"TYPED={TYPED}", "enter")
        session.until("1 variable: TYPED (secret)")
        session.settle(_SEEN)
        session.press("y", "S")
        session.until("[ No ]")
        session.settle(_SEEN)
        session.press("y")
        session.until("triggered on")
        session.press("6")
        session.settle(_SEEN)
        session.press(":q", "enter")
        assert session.end() == 0
        written = look_through(session, tmp_path, desk)
    assert b"--secret TYPED" in written
    assert b"trigger pipeline" in written


def test_a_crash_with_secrets_in_reach_tells_none(desk: Desk, tmp_path: Path) -> None:
    """The traceback says where; neither what was sent nor with which token."""
    program = (sys.executable, "-c", _BREAKS)
    with opened(desk, tmp_path, program) as session:
        fill_in(session)
        assert session.end() == 1
        look_through(session, tmp_path, desk)
        told = re.sub("\x1b\\[[0-9;]*m", "", session.written)
        assert "broken with 2 secrets" in told, told[-3000:]
