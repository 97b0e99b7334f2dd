"""Pipelines, jobs and projects from the command line: what the platform has after it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.support.command_user import PLANTED, TRUTHFUL
from tests.support.performing import everything_written
from tests.support.platform import api_client, failed_job

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.command_user import User


@pytest.mark.variants("default", "spec-only", reason="its ref is called what it is called")
def test_a_pipeline_is_started_once_and_its_id_is_the_data(user: User) -> None:
    """Id and address on stdout, the sentence on stderr; the platform has it as it was asked."""
    seen = user.seen
    said = user.yes("run", user.project, "--ref", "main", "--var", "DAY=2026-03-14")
    assert said.code == 0, said
    assert said.out.count("\n") == 1
    assert f"Pipeline #{said.id} started on main in" in said.err
    assert len(user.writes_since(seen)) == 1
    assert user.get(f"pipelines/{said.id}")["ref"] == "main"
    as_json = json.loads(user.yes("run", user.project, "--ref", "main", "--json").out)
    assert (as_json["outcome"], as_json["kind"]) == ("done", "pipeline")
    assert user.get(f"pipelines/{as_json['id']}")["id"] == as_json["id"]


@TRUTHFUL
def test_variables_and_secrets_arrive_and_are_written_nowhere(user: User, tmp_path: Path) -> None:
    """From a file or a variable; not in what is printed, kept, put on record or shown before."""
    file = tmp_path / "secret"
    file.write_text(f"{PLANTED}-a\n")
    words = (
        "run", user.project, "--ref", "main", "--file", "full-ci.yml", "--var", "DAY=1",
        "--secret", f"A=@{file}", "--secret", "B=env:MINE",
    )  # fmt: skip
    dry = user.yes(*words, "--dry-run", MINE=f"{PLANTED}-b")
    dry_json = user.yes(*words, "--dry-run", "--json", MINE=f"{PLANTED}-b")
    debug = tmp_path / "debug.log"
    done = user.yes(*words, "--debug", str(debug), MINE=f"{PLANTED}-b")
    assert (dry.code, done.code) == (0, 0), done
    sent = {one["key"]: one["value"] for one in user.get(f"pipelines/{done.id}/variables")}
    assert sent == {"_PIPELINE_FILE_NAME": "full-ci.yml", "DAY": "1", "A": None, "B": None}
    assert "•••" in dry.out
    assert json.loads(dry_json.out)["body"]["variables"][-1]["secret_value"] == "•••"
    audit = user("audit")
    everything = [dry, dry_json, done, audit, user("audit", "--json")]
    assert not [said for said in everything if PLANTED in said.out + said.err]
    assert "start pipeline" in audit.out
    assert PLANTED.encode() not in everything_written() + debug.read_bytes()


@pytest.mark.variants("default", reason="the others do not list branches")
@pytest.mark.parametrize("command", ["run", "trigger"])
def test_a_dry_run_checks_the_ref(user_of: Callable[..., User], command: str) -> None:
    """By the lists of branches and tags; without a token it says that it did not."""
    user = user_of()
    good = user.yes(command, user.project, "--ref", "main", "--dry-run")
    wrong = user.yes(command, user.project, "--ref", "no-such-branch", "--dry-run")
    sent = user.yes("run", user.project, "--ref", "no-such-branch")
    assert (good.code, wrong.code, sent.code) == (0, 4, 4)
    assert " main" not in good.err
    assert "the project has no branch or tag no-such-branch." in wrong.err
    if command == "trigger":
        blind = user.yes(command, user.project, "--ref", "main", "--dry-run", PLATUI_TOKEN="")
        assert "Not checked whether main exists: no access token." in blind.err


@pytest.mark.variants("default", reason="the others do not list branches")
def test_a_dry_run_checks_the_ref_of_a_schedule(user_of: Callable[..., User]) -> None:
    """Sending would be refused, as for a pipeline; a change without a ref checks none."""
    user = user_of()
    schedule = str(user.get("pipeline_schedules")[0]["id"])
    create = ("schedule", "create", user.project, "--description", "x", "--cron", "1 * * * *")
    edit = ("schedule", "edit", user.project, schedule)
    for words in (create, edit):
        good = user.yes(*words, "--ref", "main", "--dry-run")
        wrong = user.yes(*words, "--ref", "no-such-branch", "--dry-run")
        assert (good.code, wrong.code) == (0, 4)
        assert "the project has no branch or tag no-such-branch." in wrong.err
        assert "no-such-branch" in wrong.out
    assert user.yes(*edit, "--description", "y", "--dry-run").code == 0
    assert user.yes(*create, "--ref", "no-such-branch").code == 4


@pytest.mark.variants("spec-only", reason="the others list branches")
def test_a_dry_run_says_where_refs_are_not_listed(user_of: Callable[..., User]) -> None:
    """It is no error."""
    user = user_of()
    said = user.yes("run", user.project, "--ref", "main", "--dry-run")
    assert said.code == 0
    assert "Not checked whether main exists: this platform does not list" in said.err


@TRUTHFUL
def test_pipelines_and_jobs_are_acted_on(user_of: Callable[..., User]) -> None:
    """Canceled, retried and played, by number or by address; a retried job is another one."""
    user = user_of()
    run = user.yes("run", user.project, "--ref", "main").id
    canceled = user.yes("cancel", user.project, f"#{run}")
    assert (canceled.code, canceled.id) == (0, run), canceled
    assert user.get(f"pipelines/{run}")["status"].startswith("cancel")
    again = user.yes("retry", user.project, str(run))
    assert (again.code, again.id) == (0, run)
    failed = failed_job(user.platform)
    retried = user.yes("retry", failed["web_url"])
    assert retried.code == 0, retried
    assert retried.id != failed["id"]
    stopped = user.yes("cancel", user.project, "--job", str(retried.id))
    assert (stopped.code, stopped.id) == (0, retried.id)
    once_more = user.yes("retry", failed["web_url"])
    assert (once_more.code, once_more.out) == (4, ""), once_more
    assert f"its newest attempt #{retried.id}" in once_more.err
    manual = user.get("jobs?scope[]=manual&per_page=1")[0]
    played = user.yes("play", user.project, str(manual["id"]))
    assert (played.code, played.id) == (0, manual["id"])
    assert user.get(f"jobs/{manual['id']}")["status"] != "manual"
    wrong = user.yes("play", f"{user.platform.base_url}/{user.project}/-/pipelines/{run}")
    assert wrong.code == 2


@TRUTHFUL
def test_a_job_is_found_by_its_name(user_of: Callable[..., User]) -> None:
    """That of the newest pipeline in which it failed, or of the pipeline that is named."""
    user = user_of()
    failed = failed_job(user.platform)
    name, pipeline = failed["name"], failed["pipeline"]["id"]
    dry = user.yes("retry", f"{user.project}#{pipeline}", name, "--dry-run")
    assert dry.code == 0, dry
    assert f"/jobs/{failed['id']}/retry" in dry.out
    newest = user.yes("retry", user.project, name, "--dry-run")
    assert "/retry" in newest.out, newest
    assert "the newest pipeline of the project in which it failed" in newest.err
    done = user.yes("retry", f"{user.project}#{pipeline}", name)
    assert done.code == 0, done
    assert done.id != failed["id"]
    wrong = user.yes("retry", user.project, f"{name}x")
    assert (wrong.code, wrong.out) == (4, "")
    assert f"Did you mean {name}" in wrong.err
    failed_ever = {one["name"] for one in user.get("jobs?scope[]=failed&per_page=100")}
    fine = next(
        one["name"]
        for one in user.get(f"pipelines/{pipeline}/jobs?scope[]=success")
        if one["name"] not in failed_ever
    )
    other = user.yes("retry", user.project, fine)
    assert (other.code, other.out) == (4, ""), other
    assert f"Job {fine} failed in none of the newest pipelines" in other.err
    short = user.yes("retry", user.project.rpartition("/")[2], name)
    assert (short.code, short.out) == (2, ""), short


@TRUTHFUL
def test_a_dry_run_takes_a_commit_for_possible(user: User) -> None:
    """Triggers may name one (spec 4.3); only branches and tags can be looked up."""
    sha = user.get("pipelines?per_page=1")[0]["sha"]
    for ref in (sha, sha[:9]):
        said = user.yes("trigger", user.project, "--ref", ref, "--dry-run")
        assert said.code == 0, said
        assert "it may be a commit" in said.err


@pytest.mark.variants(
    "default", "hostile", reason="the spec lists projects, and shows no single one"
)
def test_a_project_is_created(user: User) -> None:
    """As JSON or as form fields; id and address are the data."""
    for extra in ((), ("--form", "--access", "private")):
        said = user.yes("project", "create", f"New {len(extra)}", "--description", "x", *extra)
        assert said.code == 0, said
        assert ("--access private is sent unchecked" in said.err) is bool(extra)
        with api_client(user.platform) as client:
            created = client.get(f"projects/{said.id}").json()
        assert created["id"] == said.id
    (told,) = user.yes("project", "create", "New in JSON", "--json").objects
    assert told["project"] in {f"{created['namespace']['full_path']}/new-in-json", told["id"]}
