"""`platui triage` as a process: on a terminal of 80 columns, interrupted, and in a pipe."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.support.faults import fault
from tests.support.leaving import leave
from tests.support.platform import api_client, red_project, running_platform
from tests.support.session import PROGRAM, Session, at_home

from platui.cli.exit_codes import Exit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="module")
def company() -> Iterator[RunningEmulator]:
    """Run a company of which some projects are red."""
    with running_platform() as platform:
        yield platform


@pytest.fixture(scope="module")
def red(company: RunningEmulator) -> str:
    """Return a project of which one thing is broken."""
    return red_project(company)


def environ_of(company: RunningEmulator) -> dict[str, str]:
    """Return what leads to it, where faults strike."""
    return {"PLATUI_URL": company.faults_url, "PLATUI_TOKEN": company.token}


def test_ctrl_c_prints_what_is_known_by_then(
    company: RunningEmulator, red: str, tmp_path: Path
) -> None:
    """While one project does not answer; the exit code says that it is not all."""
    with api_client(company) as client:
        every = client.get("projects", params={"membership": True}).json()
    slow = next(one for one in every if one["path_with_namespace"] != red)
    words = ("triage", "--project", red, "--project", slow["path_with_namespace"])
    with (
        fault(company, "hang", path=f".*projects/{slow['id']}/pipelines.*"),
        Session(*words, home=tmp_path, environ=environ_of(company), size=(80, 24)) as session,
    ):
        session.until(re.compile(r"Loaded 1 of 2 projects.*\(Ctrl\+C prints").search)
        session.press("ctrl+c")
        assert session.end() == Exit.INTERRUPTED
        assert "Incomplete: status loaded for 1 of 2 projects" in session.text
        assert "Status loaded for 1 of 2 projects." in session.text
        assert "cached" not in session.text
        assert re.search(r"^✖ ", session.text, re.MULTILINE)
        assert "Ctrl+C prints" not in session.text


def test_changes_are_watched_until_ctrl_c(
    company: RunningEmulator, red: str, tmp_path: Path
) -> None:
    """How it stands is told first; then there is silence."""
    words = ("triage", "--watch", "--project", red)
    with Session(*words, home=tmp_path, environ=environ_of(company)) as session:
        session.until(re.compile(r"1 project watched: 1 broken").search)
        session.press("ctrl+c")
        assert session.end() == Exit.INTERRUPTED
        assert "Traceback" not in session.text


def test_default_branches_alone_are_watched(company: RunningEmulator, tmp_path: Path) -> None:
    """What is broken elsewhere is not counted, and its changes are not printed."""
    environ, group = {**os.environ, **at_home(tmp_path), **environ_of(company)}, "acme/finance"
    words = ("triage", "--group", group)
    told = subprocess.run(
        [*PROGRAM, *words, "--json"], env=environ, capture_output=True, text=True, check=True
    )
    board = json.loads(told.stdout)
    broken = [one["is_main"] for one in board["broken"]]
    assert False in broken
    for only, count in (((), len(broken)), (("--default-branches",), sum(broken))):
        with Session(*words, "--watch", *only, home=tmp_path, environ=environ) as session:
            session.until(re.compile(rf"projects watched: {count} broken").search)
            session.press("ctrl+c")
            assert session.end() == Exit.INTERRUPTED


def test_its_reader_may_go_away(company: RunningEmulator, red: str, tmp_path: Path) -> None:
    """`platui triage | head -1`, or `head -0`."""
    environ = {**os.environ, **at_home(tmp_path), **environ_of(company)}
    leave("triage", "--project", red, environ=environ)
