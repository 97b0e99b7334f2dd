"""The yes to writes from the command line: without it, and the lock, nothing is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.support.service import requests_of

from platui.cli import confirmation, writing

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.command_user import User


def test_nothing_is_sent_without_a_yes_or_against_the_lock(user: User) -> None:
    """2 where nobody can be asked; 4 where the profile says no, whatever else was said."""
    seen = user.seen
    run = ("run", user.project, "--ref", "main")
    unasked = user(*run, "--unlock", "here")
    assert (unasked.code, unasked.out) == (2, "")
    assert "--yes" in unasked.err
    for said, why in (
        (user(*run, "--yes"), "Add --unlock here to unlock them"),
        (user(*run, "--yes", "--unlock", "another"), "the name of this profile is here"),
        (user.yes(*run, "--read-only"), "--read-only is set."),
        (user("--read-only", *run, "--yes", "--unlock", "here"), "--read-only is set."),
    ):
        assert (said.code, said.out) == (4, ""), said
        assert "Nothing was sent" in said.err
        assert why in said.err
        assert "setting" not in said.err
    # What is wrong with the words is said before what is missing around them.
    for words in (("cancel",), ("run", "--ref", "main"), (*run, "--var", "K")):
        assert "terminal" not in user(*words).err
    assert user.writes_since(seen) == []
    assert requests_of(user.platform, seen) == []


def test_a_wrong_name_unlocks_no_profile(user: User, tmp_path: Path) -> None:
    """Also one that needs no unlocking: the name says which profile is meant."""
    file = tmp_path / "config.toml"
    url = user.platform.base_url
    file.write_text(f'[profiles.dev]\nurl = "{url}"\nwrites = "confirm"\n')
    run = ("run", user.project, "--ref", "main", "--config", str(file), "--profile", "dev")
    seen = user.seen
    for more in (("--yes",), ("--dry-run",)):
        said = user(*run, "--unlock", "prod", *more)
        assert said.code == 4, said
        assert "--unlock: the name of this profile is dev." in said.err
    assert user.writes_since(seen) == []
    off = user(*run, "--read-only", "--dry-run")
    assert off.code == 4
    assert "Writes are off for the profile dev. --read-only is set." in off.err
    good = user(*run, "--unlock", "dev", "--dry-run")
    assert good.code == 0
    # The default configuration may have another profile of this name.
    assert f"platui --config {file} --profile dev run" in good.out
    [job] = user.get("jobs?per_page=1")
    record = user("job", user.project, str(job["id"]), "--json", *run[-4:]).out
    assert json.loads(record)["log_command"].startswith(f"platui --config {file} --profile dev ")


def test_a_dry_run_asks_and_sends_nothing(user: User) -> None:
    """The request as it would be sent, locked or not; what is not there is said."""
    pipeline = str(user.yes("run", user.project, "--ref", "main").id)
    jobs = user.get("jobs?scope[]=manual&per_page=100")  # not every variant filters them
    manual = [("play", user.project, str(one["id"])) for one in jobs if one["status"] == "manual"]
    form = ("--description", "d", "--ref", "main", "--cron", "0 1 * * 5")
    schedule = str(user.yes("schedule", "create", user.project, *form).id)
    seen = user.seen
    for words in (
        ("run", user.project, "--ref", "main", "--secret", "KEY"),
        ("trigger", user.project, "--ref", "main"),
        ("cancel", user.project, pipeline),
        *manual[:1],
        ("project", "create", "new"),
        ("schedule", "run", user.project, schedule),
        ("schedule", "create", user.project, *form),
    ):
        said = user(*words, "--dry-run", TZ="Europe/Berlin")
        assert said.code == 4, said
        assert said.out.startswith("POST ")
        # Of a platform without a profile the address is said: else it would go elsewhere.
        assert f"platui --url {user.platform.base_url} {words[0]}" in said.out
        assert "Sending it would fail" in said.err
        unlocked = user(*words, "--dry-run", "--unlock", "here")
        assert (unlocked.code, "Sending it would fail" in unlocked.err) == (0, False)
        wrong = user(*words, "--dry-run", "--unlock", "elsewhere")
        assert wrong.code == 4
        assert "would fail: --unlock: the name of this profile is here." in wrong.err
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(writing, "has_terminal", lambda: True)
            asked = user(*words, "--dry-run")
        assert (asked.code, "Sending asks for its name." in asked.err) == (0, True), asked
    assert "Europe/Berlin: this machine's zone." in said.err
    assert "--timezone Europe/Berlin" in said.out
    rails = user(*words, "--timezone", "Berlin", "--dry-run").err
    assert "--timezone Berlin is the Rails name of Europe/Berlin" in rails
    for words in (("run", f"{user.project}x", "--ref", "main"), ("cancel", user.project, "1")):
        wrong = user(*words, "--dry-run")
        assert (wrong.code, wrong.out) == (4, ""), wrong
        assert "not visible to this token" in wrong.err
    away = user("run", user.project, "--ref", "main", "--dry-run", PLATUI_URL="http://127.0.0.1:9")
    assert away.code == 4
    assert f"Project {user.project} could not be checked: " in away.err
    assert user.writes_since(seen) == []


def test_the_question_names_profile_project_and_effect(
    user: User, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Only a yes is a yes; the profile's name is typed first where it is locked."""
    monkeypatch.setattr(confirmation, "has_terminal", lambda: True)
    asked: list[str] = []
    answers = iter(["here", "no", "other", "here", "y", "else", "y", "Here"])

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    monkeypatch.setattr(confirmation, "read_line", answer)
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
    assert refused.err.count("The name does not match. Nothing was sent.") == 2
    assert "The name of this profile is here. Nothing was sent." in refused.err
    assert next(answers, "") == ""


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

    monkeypatch.setattr(confirmation, "has_terminal", lambda: True)
    monkeypatch.setattr(confirmation, "read_line", answer)
    seen = user.seen
    wrong = user(*delete)
    assert (wrong.code, wrong.out) == (4, "")
    with pytest.raises(KeyboardInterrupt):
        user(*delete)
    assert "Nothing was sent." in capfd.readouterr().err
    assert user.writes_since(seen) == []
    assert user(*delete).code == 0
    assert len(user.writes_since(seen)) == 1
    assert '"to be typed"' in asked[0]


def test_what_is_left_of_a_write_is_told_where_its_rest_is_declined(
    user: User, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The schedule is there: to repeat the command would create another one."""
    answers = iter(["here", "y", "n"])
    monkeypatch.setattr(confirmation, "has_terminal", lambda: True)
    monkeypatch.setattr(confirmation, "read_line", lambda _: next(answers))
    seen = user.seen
    with pytest.raises(KeyboardInterrupt):
        user("schedule", "create", user.project, "--description", "left", "--ref", "main",
             "--cron", "0 1 * * 5", "--var", "CERT=one\ntwo", "--var", "L=w")  # fmt: skip
    said = capfd.readouterr()
    assert len(user.writes_since(seen)) == 1
    told = said.err.partition("Not done:")[2]
    first, second = told.split("\n")[1:3]
    assert f"schedule edit {user.project} {said.out.strip()} --var" in first
    assert r"one\u000atwo" in first, "nothing of a value is altered without a sign"
    assert second.endswith("--var L=w")
