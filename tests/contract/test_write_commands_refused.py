"""Writes from the command line that are not made: their exit codes and sentences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.support.command_user import PLANTED, TRUTHFUL, User
from tests.support.platform import credentials, green_pipeline
from tests.support.service import requests_of

from platui.cli import confirmation
from platui.cli.exit_codes import Exit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from platui_emulator.server import RunningEmulator


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
        ("run", "acme/etl", "--ref", "caf\udce9"),
        ("run", "acme/etl", "--ref", "main", "--var", "A=\udce9"),
        ("trigger", "caf\udce9", "--ref", "main"),
        ("cancel", "acme/etl"),
        ("cancel", "acme/etl", ""),
        ("play", "https://elsewhere.example/acme/etl/-/jobs/1"),
        ("project", "create", " "),
        ("schedule", "create", "p", "--description", "d", "--ref", "main", "--cron", "61 * * * *"),
        ("schedule", "edit", "p", "1"),
        ("schedule", "edit", "p", "1", "--timezone", "Nowhere/Atall"),
        ("schedule", "edit", "p", "1", "--var", "A=1", "--unset", "A"),
        ("schedule", "edit", "p", "1", "--unset", "A", "--unset", "A"),
    ],
)
def test_words_that_cannot_be_meant_send_nothing(user: User, words: tuple[str, ...]) -> None:
    """One sentence and exit code 2, before anything is asked of the platform."""
    seen = user.seen
    said = user.yes(*words)
    assert (said.code, said.out) == (2, ""), said
    assert "Traceback" not in said.err
    assert requests_of(user.platform, seen) == []


@pytest.mark.parametrize("kind", ["pipelines", "jobs"])
def test_the_address_of_something_else_is_no_schedule(user: User, kind: str) -> None:
    """The schedule that has its number is not meant."""
    seen = user.seen
    address = f"{user.platform.base_url}/{user.project}/-/{kind}/12"
    for words in (("edit", address, "--active", "false"), ("delete", address), ("run", address)):
        said = user.yes("schedule", *words)
        assert (said.code, said.out) == (2, ""), said
    assert requests_of(user.platform, seen) == []


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


@pytest.mark.parametrize("command", ["run", "trigger"])
def test_a_secret_of_the_environment_in_another_encoding_is_refused(
    user: User, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Its bytes would be replaced on the way."""
    seen = user.seen
    monkeypatch.setenv("MINE", f"{PLANTED}\udce9")
    said = user.yes(command, user.project, "--ref", "main", "--secret", "KEY=env:MINE")
    assert (said.code, said.out) == (2, ""), said
    assert "KEY is not UTF-8 text" in said.err
    assert PLANTED not in said.err
    assert user.writes_since(seen) == []


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
    codes = {user.yes(*run, "--dry-run").code, user("wait", project, failed).code}
    assert codes == {Exit.DONE, Exit.FAILED}
    for words, code, sentence in (
        (("run", project), 2, "Missing option '--ref'.\n        platui run --help"),
        (("schedule", "edit", project, "1", "--active", "maybe"), 2,
         "Invalid value for '--active': 'maybe' is not one of 'true', 'false'."),
        (("cancel", project, failed), 4, f"Nothing to cancel: pipeline #{failed} has ended"),
        (("retry", project, green, "--wait"), 4, "Nothing to retry: nothing failed in"),
        (("play", project, job), 4, f"Nothing to play: job #{job} is not manual."),
        (("cancel", project, "99999999"), 4, f"Pipeline #99999999 not found in {project}"),
        (("run", project, "--ref", "no-such-ref"), 4, "Reference not found. Nothing was changed."),
    ):  # fmt: skip
        said = user.yes(*words)
        assert (said.code, said.out) == (code, ""), said
        assert said.err.startswith(f"platui: {sentence}"), said
        assert "full name of a branch or tag" in said.err or "no-such-ref" not in words
    refused = user.yes(*run, PLATUI_TOKEN=read_only)
    assert refused.code == Exit.REFUSED
    assert "Nothing was changed." in refused.err
    nobody = user.yes(*run, PLATUI_URL="http://127.0.0.1:9")
    assert nobody.code == Exit.TRY_AGAIN
    assert "Nothing was changed." in nobody.err
    assert "run platui doctor" in nobody.err
    elsewhere = user("projects", "--url", "http://127.0.0.1:9")
    assert elsewhere.code == Exit.USAGE
    assert "Set PLATUI_URL" in elsewhere.err
    assert "Add --unlock here" in user(*run, "--dry-run").err
    assert not [one for one in user.writes_since(seen) if one.startswith("DELETE")]
    monkeypatch.setattr(confirmation, "has_terminal", lambda: True)
    monkeypatch.setattr(confirmation, "read_line", lambda _: "no")
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


@TRUTHFUL
def test_a_dry_run_ends_as_sending_would(user: User) -> None:
    """With the same code, and the reason also as data."""
    project = user.project
    failed = str(user.get("pipelines?status=failed&per_page=1")[0]["id"])
    green = str(green_pipeline(user.platform))
    done = str(user.get("jobs?scope[]=success&per_page=1")[0]["id"])
    run = ("run", project, "--ref", "main")
    wrong, gone = {"PLATUI_TOKEN": "wrong"}, {"PLATUI_URL": "http://127.0.0.1:9"}
    name = ("--description", "x")
    for words, environ, code, why in (
        (("cancel", project, failed), {}, 4, f"Nothing to cancel: pipeline #{failed} has ended"),
        (("retry", project, green), {}, 4, "Nothing to retry: nothing failed in"),
        (("play", project, done), {}, 4, f"Nothing to play: job #{done} is not manual."),
        (run, wrong, 4, "not accept this token (401"),
        (("schedule", "edit", project, "1", *name), wrong, 4, "not accept this token (401"),
        (("schedule", "create", project, *name, "--ref", "main", "--cron", "0 1 * * 5"), wrong, 4,
         "not accept this token (401"),
        (run, gone, 3, "refused the connection"),
    ):  # fmt: skip
        sent = user.yes(*words, **environ)
        seen = user.seen
        dry = user.yes(*words, "--dry-run", "--json", **environ)
        assert (sent.code, dry.code) == (code, code), (sent, dry)
        assert why in json.loads(dry.out)["problem"], dry
        assert "Sending it would fail: " in dry.err
        assert user.writes_since(seen) == []
    good = user.yes(*run, "--dry-run", "--json")
    assert (good.code, json.loads(good.out)["problem"]) == (0, None), good
    # A trigger does not need the access token.
    trigger = user.yes("trigger", project, "--ref", "main", "--dry-run", **wrong)
    assert trigger.code == 0, trigger


@pytest.mark.variants("default", reason="the others do not list branches")
def test_a_missing_scope_is_not_taken_for_a_platform_without_branches(user: User) -> None:
    token = credentials(user.platform)["personal_without_scope"]
    said = user.yes("run", user.project, "--ref", "main", "--dry-run", PLATUI_TOKEN=token)
    assert said.code == 4
    assert "Sending it would fail: The token lacks the scope `api` or `read_api`." in said.err
    assert "does not list" not in said.err


@TRUTHFUL
def test_a_write_that_nobody_is_asked_about_names_its_project_whole(user: User) -> None:
    """With --yes the end of a path is not enough: another project may have it one day."""
    end = user.project.partition("/")[2]
    running = str(user.yes("run", user.project, "--ref", "main").id)
    seen = user.seen
    for words in (
        ("run", end, "--ref", "main"),
        ("cancel", end, running),
        ("schedule", "create", end, "--description", "d", "--ref", "main", "--cron", "0 1 * * 5"),
    ):
        said = user.yes(*words)
        assert (said.code, said.out) == (2, ""), said
        assert f"With --yes, use the full path: {user.project}" in said.err
        assert user(*words, "--dry-run", "--unlock", "here").code == 0
    assert user.writes_since(seen) == []


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
        assert "does not support" in said.err
    empty = user("schedule", "list", user.project)
    assert (empty.code, empty.out) == (4, "")
    made = user.yes("schedule", "create", user.project, "--description", "mine", "--ref", "main",
                    "--cron", "0 1 * * 5")  # fmt: skip
    assert made.code == 0, made
    listed = user("schedule", "list", user.project)
    assert listed.code == 4
    assert "mine" in listed.out
    assert "not support listing schedules" in listed.err
    delete = user.yes("schedule", "delete", user.project, str(made.id), "--confirm", "mine")
    assert (delete.code, delete.out) == (4, ""), delete
    assert "does not support this operation: delete a schedule" in delete.err


@TRUTHFUL
def test_what_the_profile_disables_is_not_missing_on_the_platform(
    user: User, tmp_path: Path
) -> None:
    """It is named, with the setting: the platform might have it."""
    file = tmp_path / "config.toml"
    file.write_text(f'[profiles.here]\nurl = "{user.platform.base_url}"\nneighbours = "off"\n')
    seen = user.seen
    run = user.yes("run", user.project, "--ref", "main")
    cancel = ("cancel", user.project, str(run.id), "--config", str(file))
    for words in (
        cancel,
        (*cancel, "--dry-run"),
        ("schedule", "run", user.project, "1", *cancel[-2:]),
    ):
        said = user.yes(*words)
        assert said.code == 4, said
        assert 'The profile disables this operation (neighbours = "off"): ' in said.err
        assert "not support" not in said.err
    assert len(user.writes_since(seen)) == 1


def test_tokens_that_may_not_are_told_from_others(user: User) -> None:
    """4 for an unknown token and for one that was made for reading; nothing is changed."""
    run = ("run", user.project, "--ref", "main")
    for token in ("wrong", credentials(user.platform)["personal_read_only"]):
        said = user.yes(*run, PLATUI_TOKEN=token)
        assert (said.code, said.out) == (4, ""), said
