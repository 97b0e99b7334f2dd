"""`platui report` as a process: on a terminal, in pipes, and interrupted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.support.faults import fault
from tests.support.leaving import leave
from tests.support.platform import running_platform
from tests.support.report_texts import AFTER
from tests.support.session import PROGRAM, Session, at_home

from platui.cli.exit_codes import Exit

if TYPE_CHECKING:
    from pathlib import Path


def reports_of(home: Path) -> list[str]:
    """Return what lies among the reports of all profiles."""
    folder = home / ".local/share/platui/reports"
    return [one.name for shelf in folder.iterdir() for one in shelf.iterdir()]


@pytest.mark.skipif(sys.platform == "darwin", reason="they lie elsewhere there")
def test_a_fetch_on_a_terminal_says_how_far_it_is_and_can_be_stopped(tmp_path: Path) -> None:
    """Ctrl+C: nothing is left of it, and it is said."""
    with running_platform() as platform:
        path = platform.admin_url.removeprefix(platform.base_url)
        environ = {
            "PLATUI_ADMIN_URL": f"{platform.faults_url}{path}",
            "PLATUI_ADMIN_KEY": platform.admin_key,
        }
        with (
            fault(platform, "bandwidth", rate=1000, path=".*reporting.*"),
            Session("report", "fetch", home=tmp_path, environ=environ) as session,
        ):
            session.until(re.compile(r"Receiving: .*/s \(Ctrl\+C stops\)").search)
            session.press("ctrl+c")
            assert session.end() == Exit.INTERRUPTED
            assert "Interrupted: nothing was saved." in session.text
            assert "Receiving" not in session.text
    assert reports_of(tmp_path) == []


def test_a_report_is_piped_in_and_its_reader_may_go_away(tmp_path: Path) -> None:
    """`… | platui report import -`, then `platui report … | head -0`: no traceback."""
    environ = {**os.environ, **at_home(tmp_path)}
    words = [*PROGRAM, "report", "import", "-"]
    done = subprocess.run(words, input=AFTER, capture_output=True, env=environ, check=False)
    assert done.returncode == 0, done.stderr
    for asked in (["show", "--all"], ["export"]):
        leave("report", *asked, environ=environ)
