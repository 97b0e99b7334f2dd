"""Writes from the command line, over real HTTP: what is sent, said, and told to a script."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.faults import fault
from tests.support.performing import everything_written
from tests.support.platform import (
    api_client,
    credentials,
    failed_job,
    green_pipeline,
    in_project,
)
from tests.support.service import requests_of

from platui.cli import consent
from platui.cli.dispatch import dispatch
from platui.cli.exits import Exit
from platui.present.status import standing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.platform import PlatformFactory

    from platui.emulator.server import RunningEmulator

PLANTED = "planted-s3cret-value"
TRUTHFUL = pytest.mark.faces("default", reason="names and addresses are what they seem")


@dataclass
class Said:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def id(self) -> int:
        """Return the id in the first line of stdout."""
        return int(self.out.split("\n")[0].split("\t")[0])


class User:
    """Types commands on one platform, from a script: there is no terminal."""

    def __init__(
        self,
        platform: RunningEmulator,
        monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        self.platform = platform
        self.project = platform.project
        self._patch = monkeypatch
        self._capfd = capfd
        self.at(platform.base_url)

    def at(self, url: str) -> None:
        """Speak to the platform through another address."""
        self._url = url

    def __call__(self, *words: str, **environ: str) -> Said:
        """Run a command; a locked profile is opened by its name, and the question answered."""
        known = {
            "PLATUI_URL": self._url,
            "PLATUI_TOKEN": self.platform.token,
            "PLATUI_TRIGGER_TOKEN": credentials(self.platform)["trigger"],
            "PLATUI_PROFILE": "here",
        }
        for name, value in (known | environ).items():
            self._patch.setenv(name, value)
        self._capfd.readouterr()
        code = dispatch(words)
        out, err = self._capfd.readouterr()
        return Said(code, out, err)

    def yes(self, *words: str, **environ: str) -> Said:
        """Run a command that is unlocked and answered on its line."""
        return self(*words, "--yes", "--unlock", "here", **environ)

    def get(self, path: str) -> Any:
        """Ask the platform, as another program would."""
        with api_client(self.platform) as client:
            return client.get(in_project(self.platform, path)).json()

    @property
    def seen(self) -> int:
        """Return the number of the newest request that came to the platform."""
        return max((one["number"] for one in requests_of(self.platform)), default=0)

    def writes_since(self, seen: int) -> list[str]:
        """Return what changed something since then, as the platform saw it."""
        return [
            f"{one['method']} {one['path']}"
            for one in requests_of(self.platform, seen)
            if one["method"] != "GET"
        ]


@pytest.fixture
def user(
    platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> User:
    """Return somebody at the platform that tests share."""
    return User(platform, monkeypatch, capfd)


@pytest.fixture
def user_of(
    platform_with: PlatformFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Callable[..., User]:
    """Return what makes somebody at a platform of one's own."""
    return lambda **options: User(platform_with(**options), monkeypatch, capfd)


@pytest.mark.faces("default", "spec-only", reason="its ref is called what it is called")
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


def test_a_secret_in_clear_is_refused_and_not_repeated(user: User) -> None:
    """Whichever way it was typed: it stands in the shell's history, but in no log of ours."""
    seen = user.seen
    run = ("run", user.project, "--ref", "main")
    for words in (
        (*run, "--secret", f"KEY={PLANTED}"),
        (*run, "--secret", "KEY", PLANTED),
        (*run, "--secret", "KEY=env:NOT_SET_ANYWHERE"),
        (*run, "--secret", "KEY=@/no/such/file"),
        (*run, "--secret", "KEY"),
    ):
        said = user.yes(*words)
        assert (said.code, said.out) == (2, ""), said
        assert PLANTED not in said.err
    assert user.writes_since(seen) == []


def test_nothing_is_sent_without_a_yes_or_against_the_lock(user: User) -> None:
    """2 where nobody can be asked; 4 where the profile says no, whatever else was said."""
    seen = user.seen
    run = ("run", user.project, "--ref", "main")
    unasked = user(*run, "--unlock", "here")
    assert (unasked.code, unasked.out) == (2, "")
    assert "--yes" in unasked.err
    for said, why in (
        (user(*run, "--yes"), "--unlock NAME"),
        (user(*run, "--yes", "--unlock", "another"), "the name of this profile is here"),
        (user.yes(*run, "--read-only"), "--read-only was given."),
        (user("--read-only", *run, "--yes", "--unlock", "here"), "--read-only was given."),
    ):
        assert (said.code, said.out) == (4, ""), said
        assert "nothing was sent" in said.err
        assert why in said.err
        assert "setting" not in said.err
    # What is wrong with the words is said before what is missing around them.
    for words in (("cancel",), ("run", "--ref", "main"), (*run, "--var", "K")):
        assert "terminal" not in user(*words).err
    assert user.writes_since(seen) == []
    assert requests_of(user.platform, seen) == []


@pytest.mark.parametrize(
    "words",
    [
        ("run", "acme/etl"),
        ("run", "--ref", "main"),
        ("run", "acme/etl", "--ref", "no..ref"),
        ("run", "acme/etl", "--ref", "main", "--var", "K"),
        ("run", "acme/etl", "--ref", "main", "--var", "K=1", "--var", "K=2"),
        ("run", "acme/etl", "--ref", "main", "--var", "ä=1"),
        ("run", "acme/etl", "--ref", "main", "--var", "a b=1"),
        ("trigger", "acme/etl", "--ref", "main", "--secret", "a-b=env:HOME"),
        ("run", "acme/etl", "--ref", "main", "--var", "_PIPELINE_FILE_NAME=x"),
        ("run", "acme/etl", "--ref", "main", "--follow", "--json"),
        ("run", "acme/etl", "--ref", "main", "--no-such-option"),
        ("run", "https://elsewhere.example/acme/etl", "--ref", "main"),
        ("cancel", "acme/etl"),
        ("cancel", "acme/etl", "newest"),
        ("play", "https://elsewhere.example/acme/etl/-/jobs/1"),
        ("project", "create", " "),
        ("schedule", "create", "p", "--description", "d", "--ref", "main", "--cron", "61 * * * *"),
        ("schedule", "edit", "p", "1"),
        ("schedule", "edit", "p", "1", "--timezone", "Nowhere/Atall"),
    ],
)
def test_words_that_cannot_be_meant_send_nothing(user: User, words: tuple[str, ...]) -> None:
    """One sentence and exit code 2, before anything is asked of the platform."""
    seen = user.seen
    said = user.yes(*words)
    assert (said.code, said.out) == (2, ""), said
    assert "Traceback" not in said.err
    assert requests_of(user.platform, seen) == []


def test_a_dry_run_asks_and_sends_nothing(user: User) -> None:
    """The request as it would be sent, also where the profile is locked."""
    seen = user.seen
    for words in (
        ("run", user.project, "--ref", "main", "--secret", "KEY"),
        ("trigger", user.project, "--ref", "main"),
        ("cancel", user.project, "1"),
        ("play", user.project, "1"),
        ("project", "create", "new"),
        ("schedule", "run", user.project, "1"),
        ("schedule", "create", user.project, "--description", "d", "--ref", "main",
         "--cron", "0 1 * * 5"),
    ):  # fmt: skip
        said = user(*words, "--dry-run", TZ="Europe/Berlin")
        assert said.code == 0, said
        assert said.out.startswith("POST ")
        # Of a platform without a profile the address is said: else it would go elsewhere.
        assert f"platui --url {user.platform.base_url} {words[0]}" in said.out
        assert "could not be sent now" in said.err
        assert "could not be sent now" not in user(*words, "--dry-run", "--unlock", "here").err
    assert "CRON is read in Europe/Berlin: the zone of this machine." in said.err
    assert "--timezone Europe/Berlin" in said.out
    rails = user(*words, "--timezone", "Berlin", "--dry-run").err
    assert "--timezone Berlin is Europe/Berlin, as Rails calls it; it is sent as it is." in rails
    assert requests_of(user.platform, seen) == []


def test_a_trigger_token_starts_and_a_wrong_one_is_explained(user: User) -> None:
    """The token goes in the form alone; it is in nothing that is printed."""
    token = credentials(user.platform)["trigger"]
    said = user.yes("trigger", user.project, "--ref", "main", "--var", "K=V")
    assert said.code == 0, said
    assert user.get(f"pipelines/{said.id}")["id"] == said.id
    wrong = user.yes("trigger", user.project, "--ref", "main", PLATUI_TRIGGER_TOKEN=PLANTED)
    assert (wrong.code, wrong.out) == (4, "")
    assert "trigger token" in wrong.err
    assert not [one for one in (said, wrong) if token in one.out + one.err]
    assert PLANTED not in wrong.err


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
    pipeline = user.get("pipelines?per_page=1&source=api")[0]
    assert f"#{pipeline['id']}" in lines[-1]
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
def test_who_cannot_wait_for_what_was_started_does_not_start_it_again(
    user_of: Callable[..., User],
) -> None:
    """5, and how to wait on: 4 would say that nothing was changed."""
    user = user_of()
    user.at(user.platform.faults_url)
    with fault(user.platform, "expired", method="GET", path=r"/pipelines/\d+$"):
        said = user.yes("run", user.project, "--ref", "main", "--wait")
    assert said.code == 5, said
    assert user.get(f"pipelines/{said.id}")["id"] == said.id
    assert "The token has expired." in said.err
    assert f"pipeline #{said.id} goes on. To wait on: platui --url " in said.err


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
    manual = user.get("jobs?scope[]=manual&per_page=1")[0]
    played = user.yes("play", user.project, str(manual["id"]))
    assert (played.code, played.id) == (0, manual["id"])
    assert user.get(f"jobs/{manual['id']}")["status"] != "manual"
    wrong = user.yes("play", f"{user.platform.base_url}/{user.project}/-/pipelines/{run}")
    assert wrong.code == 2


@TRUTHFUL
def test_every_exit_code_is_met(
    user: User, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each by something that a script meets; where nothing was changed, that is said."""

    def newest(kind: str, status: str) -> str:
        asked = f"{kind}?{'scope[]' if kind == 'jobs' else 'status'}={status}&per_page=1"
        return str(user.get(asked)[0]["id"])

    failed, green = newest("pipelines", "failed"), str(green_pipeline(user.platform))
    job = newest("jobs", "success")
    project, seen = user.project, user.seen
    run = ("run", project, "--ref", "main")
    read_only = credentials(user.platform)["personal_read_only"]
    codes = {user(*run, "--dry-run").code, user("wait", project, failed).code}
    assert codes == {Exit.DONE, Exit.FAILED}
    for words, code, sentence in (
        (("run", project), 2, "Missing option '--ref'.\n        platui run --help"),
        (("schedule", "edit", project, "1", "--active", "maybe"), 2,
         "Invalid value for '--active': 'maybe' is not one of 'true', 'false'."),
        (("cancel", project, failed), 4, f"Nothing to cancel: pipeline #{failed} has ended"),
        (("retry", project, green, "--wait"), 4, "Nothing to retry: nothing failed in"),
        (("play", project, job), 4, f"Nothing to play: job #{job} is not manual."),
        (("cancel", project, "99999999"), 4, "404 Not found. Nothing was changed."),
        (("run", project, "--ref", "no-such-ref"), 4, "Reference not found. Nothing was changed."),
    ):  # fmt: skip
        said = user.yes(*words)
        assert (said.code, said.out) == (code, ""), said
        assert said.err.startswith(f"platui: {sentence}"), said
    refused = user.yes(*run, PLATUI_TOKEN=read_only)
    assert refused.code == Exit.REFUSED
    assert "Nothing was changed." in refused.err
    nobody = user.yes(*run, PLATUI_URL="http://127.0.0.1:9")
    assert nobody.code == Exit.TRY_AGAIN
    assert "Nothing was changed." in nobody.err
    assert not [one for one in user.writes_since(seen) if one.startswith("DELETE")]
    monkeypatch.setattr(consent, "is_asked", lambda: True)
    monkeypatch.setattr(consent, "_asked", lambda _: "no")
    with pytest.raises(KeyboardInterrupt):  # which `platui` ends with 130 for
        user(*run, "--unlock", "here")
    assert "Nothing was sent." in capfd.readouterr().err


@TRUTHFUL
def test_an_act_that_would_change_nothing_is_not_sent(user_of: Callable[..., User]) -> None:
    """4 and why, from how the platform has it now: with --yes, too, and a second time."""
    user = user_of()
    project = user.project
    run = str(user.yes("run", project, "--ref", "main").id)
    seen = user.seen
    fresh = user.yes("retry", project, run)
    assert (fresh.code, fresh.out) == (4, ""), fresh
    assert f"Nothing to retry: nothing failed in pipeline #{run}." in fresh.err
    assert user.writes_since(seen) == []
    assert user.yes("cancel", project, run).code == 0
    manual = str(user.get("jobs?scope[]=manual&per_page=1")[0]["id"])
    assert user.yes("play", project, manual).code == 0
    seen = user.seen
    again = user.yes("cancel", project, run)
    assert (again.code, again.out) == (4, ""), again
    assert f"Nothing to cancel: pipeline #{run} has ended (canceled)." in again.err
    played = user.yes("play", project, manual)
    assert (played.code, played.out) == (4, ""), played
    assert f"Nothing to play: job #{manual} is not manual." in played.err
    assert user.writes_since(seen) == []


def test_schedules_are_listed_as_they_are_now(user_of: Callable[..., User]) -> None:
    """What others made since is there; where the platform is away, nothing old is printed."""
    user = user_of()
    user.at(user.platform.faults_url)
    assert user("schedule", "list", user.project).code == 0
    with api_client(user.platform) as client:
        form = {"description": "by others", "ref": "main", "cron": "0 1 * * 5"}
        client.post(in_project(user.platform, "pipeline_schedules"), json=form)
    seen = user.seen
    assert "by others" in user("schedule", "list", user.project).out
    assert requests_of(user.platform, seen)
    with fault(user.platform, "refuse"):
        away = user("schedule", "list", user.project, "--json")
    assert (away.code, away.out) == (3, ""), away


@TRUTHFUL
def test_schedules_from_creation_to_deletion(user_of: Callable[..., User]) -> None:
    """Created, listed, changed, run, taken over and deleted; the platform has it each time."""
    user = user_of()
    made = user.yes(
        "schedule", "create", user.project, "--description", "weekly", "--ref", "main",
        "--cron", "0 1 * * 5", "--timezone", "Europe/Paris", "--active", "false",
    )  # fmt: skip
    assert made.code == 0, made
    number = str(made.id)
    kept = user.get(f"pipeline_schedules/{number}")
    assert (kept["cron"], kept["cron_timezone"], kept["active"]) == (
        "0 1 * * 5", "Europe/Paris", False,
    )  # fmt: skip
    edited = user.yes("schedule", "edit", user.project, number, "--cron", "5 1 * * 5",
                      "--active", "true")  # fmt: skip
    assert edited.code == 0, edited
    listed = user("schedule", "list", user.project, "--json")
    [told] = [one for one in map(json.loads, listed.out.splitlines()) if one["id"] == made.id]
    assert (told["cron"], told["active"], told["description"]) == ("5 1 * * 5", True, "weekly")
    assert number in user("schedule", "list", user.project).out
    ran = user.yes("schedule", "run", user.project, number)
    assert ran.code == 0, ran
    # The answer names no pipeline: the record of the schedule does, a moment later.
    assert ran.id == user.get(f"pipeline_schedules/{number}")["last_pipeline"]["id"]
    assert f"Pipeline #{ran.id} is the newest that this schedule has started." in ran.err
    user.at(user.platform.faults_url)
    with fault(user.platform, "garbage", method="GET", path=rf"/pipeline_schedules/{number}$"):
        unseen = user.yes("schedule", "run", user.project, number)
        waited = user.yes("schedule", "run", user.project, number, "--wait")
    user.at(user.platform.base_url)
    assert (unseen.code, unseen.out, waited.code, waited.out) == (0, "", 5, ""), (unseen, waited)
    assert "Which pipeline it starts is not known." in unseen.err
    assert user.yes("schedule", "own", user.project, number).code == 0
    delete = ("schedule", "delete", user.project, number)
    seen = user.seen
    for words, code in ((delete, 2), ((*delete, "--confirm", "another"), 4)):
        kept_it = user.yes(*words)
        assert (kept_it.code, kept_it.out) == (code, ""), kept_it
        assert "nothing was sent" in kept_it.err
    assert user.writes_since(seen) == []
    assert user.yes(*delete, "--confirm", "weekly").code == 0
    gone = user.yes("schedule", "run", user.project, number)
    assert (gone.code, gone.out) == (4, "")


def test_a_deletion_wants_the_name_typed(
    user: User, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """On a terminal, where it is not said on the line; then comes the question."""
    made = user.yes("schedule", "create", user.project, "--description", "to be typed",
                    "--ref", "main", "--cron", "0 1 * * 5")  # fmt: skip
    delete = ("schedule", "delete", user.project, str(made.id), "--unlock", "here")
    asked: list[str] = []
    answers = iter(["something else", "to  be typed ", "n", "to be typed", "y"])

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    monkeypatch.setattr(consent, "is_asked", lambda: True)
    monkeypatch.setattr(consent, "_asked", answer)
    seen = user.seen
    wrong = user(*delete)
    assert (wrong.code, wrong.out) == (4, "")
    with pytest.raises(KeyboardInterrupt):
        user(*delete)
    assert "Nothing was sent." in capfd.readouterr().err
    assert user.writes_since(seen) == []
    assert user(*delete).code == 0
    assert len(user.writes_since(seen)) == 1
    assert "“to be typed”" in asked[0]


def test_a_trigger_takes_no_more_than_its_token(user: User) -> None:
    """Spec §5.2: no access token is there, and nothing is asked for that would take one."""
    alone = {"PLATUI_TOKEN": "", "CI_JOB_TOKEN": ""}
    seen = user.seen
    trigger = ("trigger", user.project, "--ref", "main")
    for words, environ, sentence in (
        ((*trigger, "--wait"), alone, "--wait and --follow take an access token, too."),
        (trigger, alone | {"PLATUI_TRIGGER_TOKEN": ""}, "There is no trigger token"),
        (("run", *trigger[1:]), alone, "There is no token for here"),
    ):
        refused = user.yes(*words, **environ)
        assert (refused.code, refused.out) == (2, ""), refused
        assert sentence in refused.err
    assert requests_of(user.platform, seen) == []
    said = user.yes(*trigger, **alone)
    assert said.code == 0, said
    assert [one["method"] for one in requests_of(user.platform, seen)] == ["POST"]
    assert user.get(f"pipelines/{said.id}")["id"] == said.id


@TRUTHFUL
def test_without_an_access_token_nobody_looks_for_a_lost_trigger(
    user_of: Callable[..., User],
) -> None:
    """That is said at once, with the code that says to look."""
    user = user_of()
    user.at(user.platform.faults_url)
    seen = user.seen
    with fault(user.platform, "reset_before", method="POST"):
        said = user.yes("trigger", user.project, "--ref", "main", "--json", PLATUI_TOKEN="")
    assert said.code == 5, said
    assert json.loads(said.out)["found"] == []
    assert "Nobody can look for it: that takes an access token." in said.err
    assert [one["method"] for one in requests_of(user.platform, seen)] == ["POST"]


def test_what_a_platform_does_not_offer_is_said(
    narrow_platform: RunningEmulator,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """4, a sentence, and of schedules those that were created from here."""
    user = User(narrow_platform, monkeypatch, capfd)
    run = user.yes("run", user.project, "--ref", "main")
    assert run.code == 0, run
    pipelines = user.get("pipelines?per_page=100")  # no filter is promised to work there
    failed = next(str(one["id"]) for one in pipelines if one["status"] == "failed")
    for words in (("cancel", user.project, str(run.id)), ("retry", user.project, failed)):
        said = user.yes(*words)
        assert (said.code, said.out) == (4, ""), said
        assert "offers no way" in said.err
    empty = user("schedule", "list", user.project)
    assert (empty.code, empty.out) == (4, "")
    made = user.yes("schedule", "create", user.project, "--description", "mine", "--ref", "main",
                    "--cron", "0 1 * * 5")  # fmt: skip
    assert made.code == 0, made
    listed = user("schedule", "list", user.project)
    assert listed.code == 4
    assert "mine" in listed.out
    assert "offers no list" in listed.err


@pytest.mark.faces("default", "hostile", reason="the spec lists projects, and shows no single one")
def test_a_project_is_created(user: User) -> None:
    """As JSON or as form fields; id and address are the data."""
    for extra in ((), ("--form", "--access", "private")):
        said = user.yes("project", "create", f"New {len(extra)}", "--description", "x", *extra)
        assert said.code == 0, said
        assert ("--access private is sent as it is" in said.err) is bool(extra)
        with api_client(user.platform) as client:
            assert client.get(f"projects/{said.id}").json()["id"] == said.id


@pytest.mark.parametrize(
    ("kind", "options", "code", "created"),
    [
        ("reset_before", {}, 5, 1),  # the others: with every POST, in a file of their own
        ("refuse", {}, 3, 0),
    ],
)
@TRUTHFUL
def test_a_fault_never_makes_two(
    user_of: Callable[..., User], kind: str, options: dict[str, Any], code: int, created: int
) -> None:
    """One pipeline at most; where nobody knows, it is said so, and what was found."""
    user = user_of()
    user.at(user.platform.faults_url)
    before = len(user.get("pipelines?source=api&per_page=100"))
    post = {} if kind == "refuse" else {"method": "POST", "path": r"/pipeline(\?|$)"}
    with fault(user.platform, kind, **post, **options):
        said = user.yes("run", user.project, "--ref", "main", "--json")
    made = len(user.get("pipelines?source=api&per_page=100")) - before
    assert said.code == code, said
    assert made == created
    if code == 5:
        told = json.loads(said.out)
        assert told["outcome"] == "unknown"
        assert len(told["found"]) == made
        assert ("probably yours" in said.err) is bool(made)
        assert said.err.count("not sent again") == said.err.count("may have happened") == 1
        assert ". It may have happened, or not. It is not sent again.\n" in said.err
    else:
        assert said.err.rstrip().endswith(" Nothing was changed.")


@TRUTHFUL
def test_a_spent_quota_is_waited_out_and_told(user_of: Callable[..., User]) -> None:
    """Nothing was changed by a 429, so that it is sent again: one pipeline, and a word on it."""
    user = user_of()
    user.at(user.platform.faults_url)
    post = {"method": "POST", "path": r"/pipeline(\?|$)"}
    with fault(user.platform, "quota", seconds=3, times=1, **post):
        said = user.yes("run", user.project, "--ref", "main")
    assert said.code == 0, said
    assert "ctrl+c sends nothing" in said.err
    assert [one["id"] for one in user.get("pipelines?source=api&per_page=1")] == [said.id]


def test_tokens_that_may_not_are_told_from_others(user: User) -> None:
    """4 for an unknown token and for one that was made for reading; nothing is changed."""
    run = ("run", user.project, "--ref", "main")
    for token in ("wrong", credentials(user.platform)["personal_read_only"]):
        said = user.yes(*run, PLATUI_TOKEN=token)
        assert (said.code, said.out) == (4, ""), said


def test_the_question_names_profile_project_and_effect(
    user: User, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Only a yes is a yes; the profile's name is typed first where it is locked."""
    monkeypatch.setattr(consent, "is_asked", lambda: True)
    asked: list[str] = []
    answers = iter(["here", "no", "other", "here", "y", "else", "y", "Here"])

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    monkeypatch.setattr(consent, "_asked", answer)
    seen = user.seen
    with pytest.raises(KeyboardInterrupt):
        user("run", user.project, "--ref", "main")
    told = capfd.readouterr().err
    assert "Nothing was sent." in told
    assert "Start a pipeline on main" in told
    assert f"in {user.project}" in told
    assert "profile here" in told
    assert user.writes_since(seen) == []
    assert user("run", user.project, "--ref", "main").code == 0
    assert len(user.writes_since(seen)) == 1
    refused = user("run", user.project, "--ref", "main")
    assert (refused.code, refused.out) == (4, "")
    assert len(user.writes_since(seen)) == 1
    assert "[y/N]" in asked[1]
    # A wrong name is said at once, three times at most: the question is not come to.
    assert refused.err.count("That is not its name; nothing was sent.") == 2
    assert "The name of this profile is here: nothing was sent." in refused.err
    assert next(answers, "") == ""
