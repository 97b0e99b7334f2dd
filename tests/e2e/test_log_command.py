"""`platui log`: a job's log into pipes, over real HTTP, and what a script is told."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.leaving import leave
from tests.support.platform import ask
from tests.support.processes import Desk, emulator_process
from tests.support.session import PROGRAM, Session, at_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STEERING = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
"""What a terminal acts on: every control character but a line's end."""


@pytest.fixture(scope="module")
def platform() -> Iterator[Desk]:
    """Run a platform with a quota that no test spends."""
    with emulator_process("--rate-limit", "100000") as desk:
        yield desk


@pytest.fixture(scope="module")
def hostile() -> Iterator[Desk]:
    """Run a platform whose every text is an attack."""
    with emulator_process("--rate-limit", "100000", "--scenario", "hostile") as desk:
        yield desk


def environ_at(home: Path, desk: Desk, **more: str) -> dict[str, str]:
    """Return the environment of a user of the platform."""
    return {**os.environ, **at_home(home), "TERM": "xterm", **desk.environ(), **more}


def log(home: Path, desk: Desk, *words: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run `platui log` into pipes, to its end."""
    return subprocess.run(
        [*PROGRAM, "log", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
        env=environ_at(home, desk, **environ),
    )


def job_of(desk: Desk, status: str) -> dict[str, Any]:
    """Return the newest job of the showcase that is in a status."""
    path = f"projects/{desk.project.replace('/', '%2F')}/jobs"
    jobs: list[dict[str, Any]] = desk.get(f"{path}?scope[]={status}&per_page=20").json()
    return jobs[0]


def trace_of(desk: Desk, job: int) -> bytes:
    """Return the bytes of a log as the platform has them."""
    return desk.get(f"projects/{desk.project.replace('/', '%2F')}/jobs/{job}/trace").content


def test_a_log_into_a_pipe_is_plain_text(platform: Desk, tmp_path: Path) -> None:
    """By address or by project and id: the same lines, no colour, and nothing on stderr."""
    job = job_of(platform, "failed")
    by_id = log(tmp_path, platform, platform.project, str(job["id"]))
    assert (by_id.returncode, by_id.stderr) == (0, b"")
    assert b"ERROR: Job failed" in by_id.stdout
    assert not _STEERING.search(by_id.stdout)
    by_address = log(tmp_path, platform, job["web_url"])
    assert by_address.stdout == by_id.stdout


def test_raw_is_the_platforms_very_bytes(platform: Desk, tmp_path: Path) -> None:
    """Every one of them, escapes and markers too."""
    job = job_of(platform, "failed")
    done = log(tmp_path, platform, platform.project, f"#{job['id']}", "--raw")
    assert done.stdout == trace_of(platform, job["id"])
    assert b"\x1b" in done.stdout


def test_a_name_is_the_newest_pipelines_and_that_is_said(platform: Desk, tmp_path: Path) -> None:
    """On stderr, so that the data stays data; `--pipeline` names another one."""
    job = job_of(platform, "failed")
    pipeline = str(job["pipeline"]["id"])
    done = log(tmp_path, platform, platform.project, job["name"], "--pipeline", pipeline)
    assert done.returncode == 0
    assert f"of pipeline #{pipeline}.".encode() in done.stderr
    newest = log(tmp_path, platform, platform.project, job["name"], "--ref", job["ref"])
    assert b", the newest of that ref)" in newest.stderr
    wrong = log(tmp_path, platform, platform.project, "no-such-job")
    assert (wrong.returncode, wrong.stdout) == (4, b"")
    assert job["name"].encode() in wrong.stderr


@pytest.mark.parametrize("option", ["--cause", "--errors"])
def test_errors_and_cause_of_a_name_are_of_the_newest_pipeline_that_failed(
    platform: Desk, tmp_path: Path, option: str
) -> None:
    """A newer pipeline, which has not failed, has neither."""
    path = f"projects/{platform.project.replace('/', '%2F')}/pipelines"
    name = job_of(platform, "failed")["name"]
    for pipeline in platform.get(f"{path}?status=failed").json():
        newest = pipeline["id"]
        jobs = platform.get(f"{path}/{newest}/jobs").json()
        of_name = [one for one in jobs if (one["name"], one["status"]) == (name, "failed")]
        if of_name:
            failed = max(of_name, key=lambda one: one["id"])
            break
    assert platform.start_pipeline() > newest
    said = log(tmp_path, platform, platform.project, failed["name"], option)
    assert said.returncode == 0
    assert said.stdout
    note = said.stderr.decode()
    assert f"Job {failed['id']} of pipeline #{newest}" in note
    assert "the newest pipeline of the project in which it failed" in note


def test_one_section_alone(platform: Desk, tmp_path: Path) -> None:
    """From its heading to its end; of an unknown one, those there are."""
    job = str(job_of(platform, "failed")["id"])
    whole = log(tmp_path, platform, platform.project, job).stdout.splitlines()
    part = log(tmp_path, platform, platform.project, job, "--section", "get_sources")
    lines = part.stdout.splitlines()
    assert lines[0] == b"Getting source from Git repository"
    start = whole.index(lines[0])
    assert whole[start : start + len(lines)] == lines
    assert 1 < len(lines) < len(whole)
    wrong = log(tmp_path, platform, platform.project, job, "--section", "nope")
    assert (wrong.returncode, wrong.stdout) == (4, b"")
    assert b"get_sources" in wrong.stderr


def test_colours_where_they_are_asked_for(platform: Desk, tmp_path: Path) -> None:
    """SGR, and no other sequence; what is typed for this one command wins over NO_COLOR."""
    job = str(job_of(platform, "failed")["id"])
    done = log(tmp_path, platform, platform.project, job, "--color=always", NO_COLOR="1")
    assert b"\x1b[" in done.stdout
    assert not _STEERING.search(re.sub(rb"\x1b\[[0-9;]*m", b"", done.stdout))


def test_following_ends_as_the_job_does(platform: Desk, tmp_path: Path) -> None:
    """0 where it succeeded, 1 where it did not."""
    for status, code, said in (("success", 0, "succeeded"), ("failed", 1, "failed")):
        job = job_of(platform, status)
        done = log(tmp_path, platform, platform.project, str(job["id"]), "--follow")
        assert done.returncode == code
        assert f"The job {said}.".encode() in done.stderr
        assert done.stdout.count(b"\n") > 10


def running_job(desk: Desk) -> tuple[str, str]:
    """Return the project and the id of a job that runs and has written something."""
    for project in desk.get("projects?per_page=100&simple=true").json():
        path = f"projects/{project['id']}"
        for pipeline in desk.get(f"{path}/pipelines?per_page=5").json():
            if pipeline["status"] == "running":
                jobs = f"{path}/pipelines/{pipeline['id']}/jobs?scope[]=running"
                for job in desk.get(jobs).json():
                    if b"\n" in desk.get(f"{path}/jobs/{job['id']}/trace").content:
                        return str(project["path_with_namespace"]), str(job["id"])
    raise LookupError


def test_following_prints_what_comes_and_notices_who_leaves(tmp_path: Path) -> None:
    """A line is there as soon as it is whole; without a reader it ends, also in silence."""
    # Time stands still there: what runs goes on running.
    with emulator_process("--rate-limit", "100000", "--speed", "0") as still:
        words = ("log", *running_job(still), "--follow")
        leave(*words, environ=environ_at(tmp_path, still), after="Running with")


def test_what_fails_is_a_sentence_and_a_code(platform: Desk, tmp_path: Path) -> None:
    """No job 4, no choice 2, no line 3, a wrong token 4, no profile 2; stdout stays empty."""
    job = str(job_of(platform, "failed")["id"])
    nobody = {"PLATUI_URL": "", "PLATUI_TOKEN": ""}
    cases: tuple[tuple[tuple[str, ...], dict[str, str], int, bytes], ...] = (
        (("1",), {}, 4, b"Job #1 not found in"),
        (("no-such-job",), {}, 4, b"not found in pipeline"),
        ((job, "--ref", "main"), {}, 2, b"Omit --ref"),
        ((job,), {"PLATUI_TOKEN": "wrong"}, 4, b"401"),
        ((job,), {"PLATUI_URL": "http://127.0.0.1:1"}, 3, b"127.0.0.1:1 refused"),
        ((job,), nobody, 2, b"No profile"),
    )
    for words, environ, code, said in cases:
        done = log(tmp_path, platform, platform.project, *words, **environ)
        assert (done.returncode, done.stdout) == (code, b""), done
        assert said in done.stderr
        assert b"Traceback" not in done.stderr


def test_a_hostile_log_steers_no_terminal(hostile: Desk, tmp_path: Path) -> None:
    """Not one control byte gets through, on either stream."""
    for status in ("failed", "success"):
        job = job_of(hostile, status)
        done = log(tmp_path, hostile, hostile.project, str(job["id"]))
        assert done.returncode == 0, done.stderr
        assert done.stdout
        assert not _STEERING.search(done.stdout)
        assert not _STEERING.search(done.stderr)


def test_on_a_terminal_the_dashboard_opens_at_the_log(platform: Desk, tmp_path: Path) -> None:
    """Also by the name of a job."""
    job = job_of(platform, "failed")
    name, pipeline = job["name"], str(job["pipeline"]["id"])
    words = ("log", platform.project, name, "--pipeline", pipeline)
    with Session(*words, home=tmp_path, environ=platform.environ()) as session:
        session.until(lambda text: f"› {name}" in text and " lines " in text)
        session.press("q", "q", "q", "q")
        assert session.end() == 0


def test_a_dropped_connection_is_tried_again(platform: Desk, tmp_path: Path) -> None:
    """In the middle of the log: each line comes once, and stderr says what happened."""
    job = job_of(platform, "failed")
    whole = log(tmp_path / "before", platform, platform.project, str(job["id"]))
    wish = {"kind": "reset_during", "bytes": 600, "times": 1, "path": r"/trace$"}
    ask("POST", f"{platform.base_url}/-/emulator/faults", json=wish)
    relay = {"PLATUI_URL": platform.faults_url}
    done = log(tmp_path / "then", platform, platform.project, str(job["id"]), **relay)
    assert (done.returncode, done.stdout) == (0, whole.stdout)
    assert b"Retrying" in done.stderr
