"""Waiting from the command line: it ends as the pipeline does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.support.command_user import TRUTHFUL
from tests.support.platform import failed_pipeline

from platui.present.status import standing, status_cell

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.command_user import User


@TRUTHFUL
def test_waiting_ends_as_the_pipeline_does(user_of: Callable[..., User]) -> None:
    """0 or 1 as the platform has it; with --json the last status is in the one object."""
    user = user_of(speed=200.0)
    said = user.yes("run", user.project, "--ref", "main", "--wait", "--json")
    told = json.loads(said.out)
    assert said.out.count("\n") == 1
    assert user.get(f"pipelines/{told['id']}")["status"] == told["status"]
    assert said.code == (0 if told["status"] == "success" else 1)
    for status, code in (("success", 0), ("failed", 1)):
        one = user.get(f"pipelines?status={status}&per_page=1")[0]
        assert user("wait", one["web_url"]).code == code
        job = user.get(f"jobs?scope[]={status}&per_page=1")[0]
        waited = user("wait", user.project, str(job["id"]), "--job", "--json")
        assert (waited.code, json.loads(waited.out)["status"]) == (code, status)
    missing = user("wait", user.project, "1")
    assert (missing.code, missing.out) == (4, "")


@TRUTHFUL
def test_following_prints_the_logs_of_all_its_jobs(user_of: Callable[..., User]) -> None:
    """Each line with its job before it; the exit code is the pipeline's, not its jobs'."""
    user = user_of(speed=200.0)
    said = user.yes("run", user.project, "--ref", "main", "--follow")
    lines = said.out.splitlines()
    # Not the newest of the platform: at this speed others start meanwhile.
    pipeline = user.get(f"pipelines/{lines[-1].partition('#')[2].split()[0]}")
    assert (pipeline["source"], pipeline["ref"]) == ("api", "main")
    assert said.code == (0 if pipeline["status"] == "success" else 1)
    names = {line.partition("│")[0].strip() for line in lines if "│" in line}
    jobs = user.get(f"pipelines/{pipeline['id']}/jobs?per_page=100")
    assert names >= {job["name"] for job in jobs if job["status"] == "success"}
    assert str(pipeline["id"]) in said.err
    ends = [
        line for line in said.err.splitlines() if line.endswith(f" {standing(pipeline['status'])}.")
    ]
    assert len(ends) == 1, said.err


@TRUTHFUL
def test_following_a_retry_prints_the_new_attempts(user_of: Callable[..., User]) -> None:
    """Also if the jobs were read before, all of them ended: their list is kept."""
    user = user_of(speed=200.0)
    pipeline = failed_pipeline(user.platform)
    assert user("jobs", user.project, str(pipeline)).code == 0
    before = {one["id"] for one in user.get(f"pipelines/{pipeline}/jobs?include_retried=true")}
    said = user.yes("retry", user.project, str(pipeline), "--follow")
    jobs = user.get(f"pipelines/{pipeline}/jobs?per_page=100")
    again = [one for one in jobs if one["id"] not in before and one["started_at"]]
    assert again
    for one in again:  # it had failed, begins, ends
        assert said.out.count(f"── {one['name']} ") >= 2, said.out
    status = user.get(f"pipelines/{pipeline}")["status"]
    assert said.lines[-1] == f"━━ pipeline #{pipeline} {status_cell(status).text}"
