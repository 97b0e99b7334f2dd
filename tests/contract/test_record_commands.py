"""One pipeline, job or file from the command line."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any

from tests.support.command_user import TRUTHFUL
from tests.support.platform import api_client, credentials, failed_pipeline, in_project
from tests.support.service import running_service, viewing_any

from platui.cli.commands import file
from platui.cli.commands.log import job as log_job
from platui.models.values.routes import Route
from platui.models.values.search import SearchQuery
from platui.models.wire import RepositoryFile
from platui.present.files.source import Check
from platui.service import resources
from platui.ui.terminal.detection import Terminal

if TYPE_CHECKING:
    import pytest
    from tests.support.command_user import User


def _red(user: User) -> int:
    return failed_pipeline(user.platform)


def test_a_pipeline_comes_with_its_jobs(user: User) -> None:
    """Named by a number or by its address; the jobs are all of it, and its variables as told."""
    number = _red(user)
    told = user("pipeline", user.project, str(number), "--json")
    assert told.code == 0, told
    [one] = told.objects
    theirs = user.get(f"pipelines/{number}/jobs?per_page=100")
    assert (one["id"], one["status"]) == (number, "failed")
    assert {job["id"] for job in one["jobs"]} == {job["id"] for job in theirs}
    address = f"{user.platform.base_url}/{user.project}/-/pipelines/{number}"
    text = user("pipeline", address)
    assert text.lines[0] == f"Pipeline #{number}"
    for job in theirs:
        assert str(job["id"]) in text.out
    for words in ((user.project,), (address.replace("pipelines", "jobs"),), ()):
        assert user("pipeline", *words).code == 2, words
    gone = user("pipeline", user.project, "1")
    assert (gone.code, gone.out) == (4, "")
    assert "Pipeline #1 not found in" in gone.err


@TRUTHFUL
def test_variables_are_told_and_secrets_are_not(user: User) -> None:
    """What a pipeline ran with, where the platform tells it; a secret by its name is masked."""
    started = user.yes(
        "run", user.project, "--ref", "main", "--var", "DAY=2026-03-14", "--var",
        "API_TOKEN=planted-value", "--json",
    )  # fmt: skip
    assert started.code == 0, started
    number = started.objects[0]["id"]
    told = user("pipeline", user.project, str(number), "--json")
    variables = {one["key"]: one for one in told.objects[0]["variables"]}
    assert variables["DAY"]["value"] == "2026-03-14"
    assert (variables["API_TOKEN"]["value"], variables["API_TOKEN"]["is_secret"]) == (None, True)
    text = user("pipeline", user.project, str(number))
    assert "planted-value" not in text.out + told.out
    assert "2026-03-14" in text.out
    assert ["project", user.project] in [line.split() for line in text.lines]


def test_a_job_says_where_its_log_is(user: User) -> None:
    """By its number, and by the address of its page; the command it names prints the log."""
    theirs = user.get(f"pipelines/{_red(user)}/jobs?per_page=100")
    job = next(one for one in theirs if one["status"] == "failed")
    told = user("job", user.project, str(job["id"]), "--json")
    assert told.code == 0, told
    [one] = told.objects
    assert (one["id"], one["status"]) == (job["id"], "failed")
    text = user("job", user.project, f"#{job['id']}")
    assert one["log_command"] in text.out
    rows = [line.split() for line in text.lines]
    for label in ("name", "description"):
        value = (one["runner"] or {}).get(label)
        assert value is None or [label, *value.split()] in rows
    words = one["log_command"].split()
    assert words[0] == "platui"
    assert user(*words[1:]).code == 0
    address = f"{user.platform.base_url}/{user.project}/-/jobs/{job['id']}"
    assert user("job", address, "--json").objects[0]["id"] == job["id"]
    assert "Job #1 not found in" in user("job", user.project, "1").err
    assert user("job", user.project, str(job["id"]), "--ref", "main").code == 2


@TRUTHFUL
def test_a_skipped_job_that_a_retry_runs_is_read_again(user: User) -> None:
    """Unlike a failed one it keeps its id, so what is kept of it may be out of date."""
    pipeline, job = next(
        (one["id"], job["id"])
        for one in user.get("pipelines?status=failed&per_page=100")
        for job in user.get(f"pipelines/{one['id']}/jobs?scope[]=skipped")
    )
    words = ("job", user.project, str(job), "--json")
    assert user(*words).objects[0]["status"] == "skipped"
    with api_client(user.platform) as client:
        client.post(in_project(user.platform, f"pipelines/{pipeline}/retry")).raise_for_status()
    assert user(*words).objects[0]["status"] != "skipped"


@TRUTHFUL
def test_a_job_is_named_by_its_name(user: User) -> None:
    """Its newest attempt in the pipeline that is said, as `platui log` takes it."""
    pipeline = _red(user)
    theirs = user.get(f"pipelines/{pipeline}/jobs?per_page=100")
    name = theirs[0]["name"]
    words = ("job", user.project.rpartition("/")[2], name, "--pipeline", str(pipeline), "--json")
    assert user(*words).objects[0]["id"] == theirs[0]["id"]
    none = user("job", user.project, "no-such-job", "--pipeline", str(pipeline))
    assert (none.code, none.out) == (4, "")
    assert name in none.err


@TRUTHFUL
def test_a_running_job_is_told_of_itself(user: User) -> None:
    """With its own token, which opens that and no other record."""
    running = credentials(user.platform)["jobs"]["running"]
    environ = {"PLATUI_TOKEN": "", "CI_JOB_TOKEN": running["token"]}
    told = user("job", "--json", **environ)
    assert told.code == 0, told
    assert (told.objects[0]["id"], told.objects[0]["name"]) == (running["job_id"], running["name"])
    assert told.objects[0]["log_command"] is None
    assert told.objects[0]["project"] == running["project"]
    assert user("job", CI_JOB_TOKEN="", PLATUI_TOKEN=user.platform.token).code == 2


@TRUTHFUL
def test_a_file_comes_byte_for_byte(user: User) -> None:
    """The bytes that the platform's sha256 names, at the default branch or at another ref."""
    path = "README.md"
    theirs = user.get(f"repository/files/{path}?ref=main")
    content = base64.b64decode(theirs["content"])
    told = user("file", user.project, path)
    assert (told.code, told.out.encode()) == (0, content)
    [one] = user("file", user.project, path, "--ref", "main", "--json").objects
    assert (one["check"], one["content"].encode()) == ("matches", content)
    assert hashlib.sha256(content).hexdigest() == one["content_sha256"]
    branches = [one["name"] for one in user.get("repository/branches")]
    branch = next(name for name in branches if "/" in name)
    page = f"{user.platform.base_url}/{user.project}/-/blob"
    [one] = user("file", f"{page}/{branch}/{path}#L2", "--json").objects
    assert (one["ref"], one["file_path"]) == (branch, path)
    assert user("file", f"{page}/main/{path}", "--ref", "main").code == 2
    both = user("file", user.project, path, "--pipeline", "1")
    assert (both.code, both.out) == (2, "")
    assert "PATH or --pipeline" in both.err
    none = user("file", f"{page}/main/no/such.file")
    assert "no/such.file not found at main" in none.err
    none = user("file", user.project, "no/such.file")
    assert (none.code, none.out) == (4, "")
    assert "no/such.file not found" in none.err
    assert user("file", user.project).code == 2


@TRUTHFUL
def test_a_pipeline_has_a_file(user: User) -> None:
    """The one that its variables name, at the commit it ran on."""
    started = user.yes(
        "run", user.project, "--ref", "main", "--file", "refresh-ci.yml", "--json"
    )  # fmt: skip
    number = started.objects[0]["id"]
    record = user.get(f"pipelines/{number}")
    theirs = user.get(f"repository/files/refresh-ci.yml?ref={record['sha']}")
    address = f"{user.platform.base_url}/{user.project}/-/pipelines/{number}"
    for words in ((address,), (user.project, "--pipeline", str(number))):
        told = user("file", *words)
        assert told.out.encode() == base64.b64decode(theirs["content"]), words
    assert user("file", address, "--ref", "main").code == 2


@TRUTHFUL
def test_a_damaged_file_is_not_printed(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not what its sha256 says ends with 3; as JSON it says so itself."""
    monkeypatch.setattr(RepositoryFile, "decoded", lambda _: b"another text\n")
    told = user("file", user.project, "README.md")
    [one] = user("file", user.project, "README.md", "--json").objects
    assert (told.code, told.out) == (3, ""), told
    assert "does not match its sha256" in told.err
    assert one["check"] == "differs"


@TRUTHFUL
def test_a_file_on_a_terminal_cannot_write_over_its_lines(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a pipe it comes as it is."""
    monkeypatch.setattr(RepositoryFile, "decoded", lambda _: b"rm -rf /\rls\r\nx\n")
    monkeypatch.setattr(file, "check_of", lambda *_: Check.MATCHES)
    assert user("file", user.project, "README.md").out == "rm -rf /\rls\r\nx\n"
    monkeypatch.setattr(file, "is_terminal", lambda: True)
    assert user("file", user.project, "README.md").out == "rm -rf /�ls\nx\n"


@TRUTHFUL
def test_following_a_log_that_a_search_has_cached_ends_as_its_job_did(user: User) -> None:
    """The search keeps the logs, not the jobs: how one ended is asked for."""
    pipeline = user.get("pipelines?status=success&per_page=1")[0]["id"]
    job = user.get(f"pipelines/{pipeline}/jobs?scope[]=success&per_page=1")[0]["id"]

    async def search() -> None:
        async with running_service(user.platform) as service:
            query = SearchQuery("runner")
            feed = service.watch(resources.logs.search(user.project, pipeline, query))
            async with viewing_any(feed) as viewer:
                await viewer.until(lambda found: found.is_whole)

    asyncio.run(search())
    for _ in range(2):
        followed = user("log", user.project, str(job), "--follow")
        assert followed.code == 0, followed
        assert followed.lines


@TRUTHFUL
def test_a_thing_of_a_project_is_found_by_the_end_of_the_path(user: User) -> None:
    """In every command alike; a number of the other kind, or of none, is said to be that."""
    pipeline = str(failed_pipeline(user.platform))
    job = str(user.get(f"pipelines/{pipeline}/jobs?per_page=1")[0]["id"])
    last = user.project.rpartition("/")[2]
    two = "/".join(user.project.split("/")[-2:])
    for end in (last, two):
        assert user("wait", end, pipeline).code == 1
        assert user("log", end, job).out == user("log", user.project, job).out
        dry = ("--dry-run", "--unlock", "here")
        assert user("retry", end, pipeline, *dry).code == 0
        planned = user("run", end, "--ref", "main", *dry)
        assert (planned.code, user.project.replace("/", "%2F") in planned.out) == (0, True), planned
    for words, hint in (
        (("wait", last, job), f"Job #{job} exists: add --job"),
        (("wait", last, pipeline, "--job"), "exists: omit --job"),
        (("log", last, pipeline), f"JOB --pipeline {pipeline}"),
        (("pipeline", last, job), f"platui job {user.project} {job}"),
        (("play", last, pipeline, "--dry-run"), f"platui jobs {user.project} {pipeline}"),
        (("cancel", last, "1", "--dry-run"), f"List them with: platui pipelines {user.project}"),
    ):
        wrong = user(*words)
        assert (wrong.code, wrong.out) == (4, ""), wrong
        assert f"not found in {user.project}" in wrong.err
        assert hint in wrong.err, wrong
    for command in ("log", "job"):
        both = user(command, last, "dbt_run", "--pipeline", pipeline, "--ref", "main")
        assert (both.code, both.out) == (2, ""), both


def test_a_log_is_opened_where_nobody_tells_that_its_job_is_there(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The view shows what is kept of it, and what is in the way; a job's name is not known then."""
    shown: list[Route] = []

    def show(*given: Any) -> int:
        shown.append(next(one for one in given if isinstance(one, Route)))
        return 0

    monkeypatch.setattr(log_job, "_CHECK_TIMEOUT", 0.1)
    monkeypatch.setattr(log_job, "is_terminal", lambda: True)
    monkeypatch.setattr(log_job, "detect", lambda *_: Terminal(usable=True))
    monkeypatch.setattr(log_job, "run_app", show)
    away = {"PLATUI_URL": "http://127.0.0.1:9"}
    assert user("log", user.project, "4711", **away).code == 0
    assert user("log", user.project, "dbt_run", **away).code == 3
    assert [(one.project, one.job) for one in shown] == [(user.project, 4711)]


@TRUTHFUL
def test_a_project_and_pipeline_are_one_word_as_in_the_jump_prompt(user: User) -> None:
    """`acme/etl#4711` is a project and a pipeline; a command of a project says so."""
    pipeline = _red(user)
    one_word = f"{user.project}#{pipeline}"
    for command in ("jobs", "pipeline", "tests", "changes"):
        two_words = user(command, user.project, str(pipeline), "--json")
        assert user(command, one_word, "--json").out == two_words.out, command
    job = user.get(f"pipelines/{pipeline}/jobs?per_page=1")[0]
    for command in ("log", "job"):
        named = user(command, user.project, job["name"], "--pipeline", str(pipeline))
        assert named.code == 0, named
        same = user(command, one_word, job["name"])
        assert re.sub(r"\d+\w ago", "", same.out) == re.sub(r"\d+\w ago", "", named.out)
        both = user(command, one_word, job["name"], "--pipeline", "1")
        assert (both.code, both.out) == (2, ""), both
    wrong = user("pipelines", one_word)
    assert (wrong.code, wrong.out) == (2, "")
    assert "is a pipeline, not a project. " in wrong.err.replace("\n", " ")


def test_a_wrong_admin_url_stops_only_access_reports(user: User) -> None:
    """Their commands and the doctor name the variable and the reason."""
    assert user("jobs", user.project, PLATUI_ADMIN_URL=user.platform.admin_url).code == 0
    wrong = {"PLATUI_ADMIN_URL": "/admin"}
    assert user("jobs", user.project, **wrong).code == 0
    reason = "PLATUI_ADMIN_URL does not begin with https:// or http://."
    for words in (("report", "fetch"), ("report", "docs")):
        said = user(*words, **wrong)
        assert (said.code, reason in said.err) == (2, True), said
    doctor = user("doctor", **wrong)
    assert reason in " ".join(doctor.out.split()), doctor


@TRUTHFUL
def test_a_job_that_cannot_be_asked_about_is_told_as_it_is(user: User) -> None:
    """A pipeline without a job names no option; a job that succeeded has no failure to come."""
    pipeline = user("job", f"{user.project}#{_red(user)}")
    assert (pipeline.code, pipeline.out) == (2, "")
    assert "is a pipeline: add a JOB." in pipeline.err
    done = next(one["id"] for one in user.get("jobs?scope[]=success"))
    cause = user("log", user.project, str(done), "--cause")
    assert (cause.code, cause.out) == (4, "")
    assert cause.err.startswith("platui: The job succeeded: there is no failure.")


def test_a_rejected_token_of_the_environment_is_named(user: User) -> None:
    """Not that of the profile, which may be right."""
    said = user("pipelines", user.project, PLATUI_TOKEN="wrong")
    assert (said.code, said.out) == (4, "")
    assert "The token is that of PLATUI_TOKEN: set a new one there." in said.err
