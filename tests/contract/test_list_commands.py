"""Lists from the command line: what the platform has at that moment, and how much of it."""

from __future__ import annotations

import csv
import io
import json
import re
import signal
from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.command_user import TRUTHFUL
from tests.support.faults import fault
from tests.support.platform import api_client, credentials, failed_pipeline, in_project
from tests.support.service import requests_of

from platui.cli.output.lists import Printer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.command_user import User

    from platui_emulator.server import RunningEmulator


_PLAIN = pytest.mark.variants(
    "default", "spec-only", reason="what is searched for is what is shown"
)


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def _get(user: User, path: str, **query: Any) -> Any:
    with api_client(user.platform) as client:
        return client.get(path, params=query).json()


def test_pipelines_are_those_of_the_platform_in_every_form(user: User) -> None:
    """The newest first; table, objects and CSV tell of the same ones, and stderr of the rest."""
    theirs = user.get("pipelines?per_page=5")
    told = user("pipelines", user.project, "--limit", "5", "--json")
    assert told.code == 0, told
    assert [one["id"] for one in told.objects] == [one["id"] for one in theirs]
    assert "pipelines; use --all or --limit N for more." in told.err
    rows = _rows(user("pipelines", user.project, "--limit", "5", "--csv").out)
    assert [int(row["id"]) for row in rows] == [one["id"] for one in theirs]
    table = user("pipelines", user.project, "--limit", "5").lines
    assert table[0].split()[:3] == ["STATUS", "ID", "REF"]
    for line, one in zip(table[1:], theirs, strict=True):
        assert str(one["id"]) in line
        assert one["status"] in line


@_PLAIN
def test_ctrl_c_keeps_what_was_read(
    user: User, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Pages are printed as they come: those of before are there, each line an object."""
    taken = Printer.take

    def take(printer: Printer[Any], items: Any) -> None:
        taken(printer, items)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Printer, "take", take)
    with pytest.raises(KeyboardInterrupt):
        user("pipelines", user.project, "--all", "--json")
    out, err = capfd.readouterr()
    theirs = user.get("pipelines?per_page=100")
    assert [json.loads(line)["id"] for line in out.splitlines()] == [one["id"] for one in theirs]
    assert "Interrupted: 100 pipelines were read and printed." in err


@_PLAIN
def test_filters_hold_on_a_platform_that_ignores_them(user: User) -> None:
    """Each pipeline has the status and ref that were asked for, whoever has sorted them out."""
    told = user("pipelines", user.project, "--status", "failed", "--ref", "main", "--json")
    assert told.code == 0, told
    assert {(one["status"], one["ref"]) for one in told.objects} == {("failed", "main")}
    sha = told.objects[-1]["sha"]
    by_commit = user("pipelines", user.project, "--sha", sha[:9], "--limit", "1", "--json")
    assert [one["sha"] for one in by_commit.objects] == [sha]


@pytest.mark.parametrize("command", ["pipelines", "jobs"])
def test_statuses_have_any_case_and_unknown_ones_are_listed(user: User, command: str) -> None:
    """The platform is not asked for one that it does not know."""
    told = user(command, user.project, "--status", "FAILED", "--limit", "2", "--json")
    assert told.code == 0, told
    assert [one["status"] for one in told.objects] == ["failed"] * 2
    slip = user(command, user.project, "--status", "Faild")
    assert slip.code == 2
    assert 'Unknown status "faild".' in slip.err
    assert "Did you mean failed? Statuses: success, failed, running" in slip.err


def test_pages_without_a_match_do_not_end_a_list(
    narrow_platform: RunningEmulator,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Where the platform ignores a filter, whole pages have nothing that was asked for."""
    from tests.support.command_user import User  # noqa: PLC0415  (of this test only)

    user = User(narrow_platform, monkeypatch, capfd)
    first, second = (user.get(f"pipelines?per_page=100&page={page}") for page in (1, 2))
    last = second[-1]
    assert all(one["sha"] != last["sha"] for one in first)
    told = user("pipelines", user.project, "--sha", last["sha"], "--limit", "1", "--json")
    assert [one["sha"] for one in told.objects] == [last["sha"]]
    refused = user("pipelines", user.project, "--source", "push")
    assert (refused.code, refused.out) == (4, ""), refused
    assert "--source is not supported" in refused.err


@TRUTHFUL
def test_what_started_a_pipeline_can_be_chosen(user: User) -> None:
    """By the platform's own word for it."""
    told = user("pipelines", user.project, "--source", "schedule", "--limit", "3", "--json")
    assert {one["source"] for one in told.objects} == {"schedule"}


@TRUTHFUL
def test_a_project_is_named_by_the_end_of_its_path(user: User) -> None:
    """Its last parts, a number and an address are as good; several or none are told by name."""
    last = user.project.rpartition("/")[2]
    by_end = user("pipelines", last, "--limit", "1", "--json")
    page = f"{user.platform.base_url}/{user.project}/-/pipelines"
    assert by_end.code == 0, by_end
    for word in ("/".join(user.project.split("/")[-2:]), page):
        told = user("pipelines", word, "--limit", "1", "--json")
        assert [one["id"] for one in told.objects] == [one["id"] for one in by_end.objects], word
    near = user("pipelines", f"{last[:-1]}x")
    assert (near.code, near.out) == (4, "")
    assert f"Did you mean {user.project}?" in near.err
    part = user("pipelines", "toolkit")  # of the only project whose name contains it
    assert "Did you mean acme/platform/shared/ingestion-toolkit?" in part.err
    wrong = user("schedules", f"{user.project}x")
    assert (wrong.code, wrong.out) == (4, "")
    assert "not visible to this token" in wrong.err
    group = user.project.rpartition("/")[0]
    assert f"{group} is a group, not a project" in user("pipelines", group).err
    by_end = user("schedules", "/".join(user.project.split("/")[-2:]), "--json")
    assert by_end.out == user("schedules", user.project, "--json").out
    assert user("pipelines").code == 2
    assert user("pipelines", "https://elsewhere.example/a/b").code == 2


@_PLAIN
def test_namespaces_are_all_that_one_sees(user: User) -> None:
    """Their names come as the platform has them; a search is a part of a name or path."""
    theirs = _get(user, "namespaces", per_page=100)
    told = user("namespaces", "--all", "--json")
    assert [one["id"] for one in told.objects] == [one["id"] for one in theirs]
    assert "--all" not in told.err
    word = theirs[-1]["name"][:4]
    found = user("namespaces", "--search", word, "--json").objects
    texts = [f"{one['name']} {one['path']} {one['full_path']}" for one in found]
    assert texts
    assert all(word.casefold() in text.casefold() for text in texts)


def test_projects_come_with_how_they_ran_last(user: User) -> None:
    """For those that are printed, each asked on its own."""
    told = user("projects", "--limit", "3", "--last-run", "--json")
    assert told.code == 0, told
    assert len(told.objects) == 3
    for one in told.objects:
        newest = [run["id"] for run in _get(user, f"projects/{one['id']}/pipelines", per_page=1)]
        # Of a project that another test has made a moment ago there is none.
        assert [one["last_pipeline"]["id"]] == newest if newest else not one["last_pipeline"]
    table = user("projects", "--limit", "3", "--last-run").lines
    assert table[0].split() == ["STATUS", "AGE", "PROJECT", "REF", "PROJECT", "ID"]
    assert user("projects", "--owned", "--visible").code == 2


@TRUTHFUL
def test_projects_are_ones_own_or_all_that_one_sees(user: User) -> None:
    """By the platform's own filters."""
    member = {one["id"] for one in user("projects", "--all", "--json").objects}
    owned = {one["id"] for one in user("projects", "--owned", "--all", "--json").objects}
    visible = {one["id"] for one in user("projects", "--visible", "--all", "--json").objects}
    assert owned
    assert owned <= member <= visible


def test_jobs_of_a_pipeline_are_all_of_them(user: User) -> None:
    """In the order of the stages, and by their status; those of a project newest first."""
    pipeline = failed_pipeline(user.platform)
    theirs = user.get(f"pipelines/{pipeline}/jobs?per_page=100")
    told = user("jobs", user.project, str(pipeline), "--json")
    assert {one["id"] for one in told.objects} == {one["id"] for one in theirs}
    assert {one["pipeline_id"] for one in told.objects} <= {pipeline, None}
    failed = user("jobs", user.project, f"#{pipeline}", "--status", "failed", "--json")
    assert {one["status"] for one in failed.objects} == {"failed"}
    address = f"{user.platform.base_url}/{user.project}/-/pipelines/{pipeline}"
    by_address = user("jobs", address, "--limit", "1", "--json")
    assert by_address.objects == told.objects[:1]
    assert f"1 of {len(theirs)} jobs" in by_address.err
    newest = user("jobs", user.project, "--status", "failed", "--limit", "2", "--json")
    assert {one["status"] for one in newest.objects} == {"failed"}
    assert user("jobs", user.project, "--retried").code == 2


@pytest.mark.variants("default", reason="names and addresses are what they seem")
def test_a_missing_pipeline_is_told_with_its_project(user: User) -> None:
    """By its path, whatever it was called."""
    for named in (user.project, user.project.rpartition("/")[2]):
        gone = user("jobs", named, "1")
        assert (gone.code, gone.out) == (4, "")
        assert f"Pipeline #1 not found in {user.project}" in gone.err


@TRUTHFUL
def test_schedules_and_schedule_list_say_the_same(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is the other's name; zone and owner are seen at 80 cells, too."""
    assert user("schedules", user.project).out == user("schedule", "list", user.project).out
    rows = _rows(user("schedules", user.project, "--csv").out)
    ids = [one["id"] for one in user("schedules", user.project, "--json").objects]
    assert [int(row["id"]) for row in rows] == ids
    monkeypatch.setattr("platui.cli.output.stdout.is_terminal", lambda: True)
    narrow = user("schedules", user.project, COLUMNS="80").lines
    assert {"ID", "ON", "CRON", "ZONE", "OWNER"} <= set(narrow[0].split())
    assert all(len(line) <= 80 for line in narrow)


@pytest.mark.variants("hostile", reason="texts that attack whoever shows them")
def test_no_text_commands_a_terminal_or_a_spreadsheet(user: User) -> None:
    """Names, refs and descriptions are the enemy's."""
    for words in (["projects"], ["pipelines", user.project], ["jobs", user.project],
                  ["namespaces"], ["schedules", user.project]):  # fmt: skip
        for form in ([], ["--csv"], ["--json"]):
            told = user(*words, *form)
            assert told.code in {0, 4}, told
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", told.out), words
        cells = [cell for row in csv.reader(io.StringIO(user(*words, "--csv").out)) for cell in row]
        assert not [one for one in cells if one[:1] in set("=+-@") and not one[1:].isdigit()]


@TRUTHFUL
def test_the_token_of_a_job_opens_no_list(user: User) -> None:
    """It is said whose token that is, and which one would do."""
    running = credentials(user.platform)["jobs"]["running"]
    environ = {"PLATUI_TOKEN": "", "CI_JOB_TOKEN": running["token"]}
    refused = user("jobs", running["project"], **environ)
    assert (refused.code, refused.out) == (4, ""), refused
    assert "PLATUI_TOKEN" in refused.err


def test_a_platform_that_is_away_gives_nothing_old(user_of: Callable[..., User]) -> None:
    """Nobody sees how old it is in what a command prints: 3, and not a row."""
    user = user_of()
    user.at(user.platform.faults_url)
    assert user("pipelines", user.project).code == 0
    first = user("projects", "--limit", "1", "--json").objects[0]["id"]
    with fault(user.platform, "html", status=200, path=f"projects/{first}/pipelines"):
        some = user("projects", "--limit", "3", "--last-run")
    assert (some.code, len(some.lines)) == (3, 4), some
    assert [line.split()[0] for line in some.lines].count("?") == 1
    assert "Last pipeline unknown: " in some.err
    with fault(user.platform, "garbage"):
        garbage = user("pipelines", user.project)
    assert (garbage.code, garbage.out) == (3, ""), garbage
    assert "a list of pipeline records" in garbage.err
    with fault(user.platform, "refuse"):
        away = user("pipelines", user.project)
    assert (away.code, away.out) == (3, ""), away


@pytest.mark.variants("default", "hostile", reason="the specification has no retry of a job")
def test_a_pipeline_that_was_retried_elsewhere_has_new_jobs(user: User) -> None:
    """What was final when it was listed is asked for again, which costs an empty answer."""
    number = str(failed_pipeline(user.platform))
    before = user("jobs", user.project, number, "--json").objects
    assert user("pipeline", user.project, number, "--json").objects[0]["status"] == "failed"
    seen = user.seen
    assert user("jobs", user.project, number, "--json").objects == before
    assert {one["status"] for one in requests_of(user.platform, seen)} <= {200, 304}
    failed = next(one["id"] for one in before if one["status"] == "failed")
    with api_client(user.platform) as client:
        again = client.post(in_project(user.platform, f"jobs/{failed}/retry")).json()["id"]
    listed = {one["id"] for one in user("jobs", user.project, number, "--json").objects}
    assert (again in listed, failed in listed) == (True, False)
    [told] = user("pipeline", user.project, number, "--json").objects
    assert told["status"] != "failed"
    assert again in {one["id"] for one in told["jobs"]}


@pytest.mark.variants("default", "hostile", reason="the specification has no retry of a job")
def test_stages_keep_their_order_when_the_only_job_of_one_is_retried(user: User) -> None:
    """The new attempt has a higher id than the jobs of later stages."""
    for pipeline in user.get("pipelines?status=failed&per_page=50"):
        jobs = user.get(f"pipelines/{pipeline['id']}/jobs?per_page=100")
        stages = Counter(one["stage"] for one in sorted(jobs, key=itemgetter("id")))
        alone = [
            one["id"] for one in jobs if one["status"] == "failed" and stages[one["stage"]] == 1
        ]
        if alone and max(one["id"] for one in jobs) not in alone:
            break
    number, (failed, *_) = str(pipeline["id"]), alone
    with api_client(user.platform) as client:
        again = client.post(in_project(user.platform, f"jobs/{failed}/retry")).json()["id"]
    [record] = user("pipeline", user.project, number, "--json").objects
    listed = user("jobs", user.project, number, "--json").objects
    every = user("jobs", user.project, number, "--retried", "--json").objects
    for told in (record["jobs"], listed, every):
        assert list(dict.fromkeys(one["stage"] for one in told)) == list(stages)
    ids = [{one["id"] for one in told} for told in (record["jobs"], listed, every)]
    assert ids[1:] == [ids[0], {*ids[0], failed}]
    assert (again in ids[0], failed in ids[0]) == (True, False)
    few = user("jobs", user.project, number, "--limit", "1", "--json")
    assert few.objects == listed[:1]
    assert f"1 of {len(listed)} jobs" in few.err
