"""Schedules from the command line: as the platform has them at that moment."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.support.command_user import TRUTHFUL
from tests.support.faults import fault
from tests.support.platform import api_client, in_project
from tests.support.service import requests_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest
    from tests.support.command_user import User


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
    assert f"Pipeline #{ran.id} is the newest of this schedule." in ran.err
    user.at(user.platform.faults_url)
    with fault(user.platform, "garbage", method="GET", path=rf"/pipeline_schedules/{number}$"):
        unseen = user.yes("schedule", "run", user.project, number)
        waited = user.yes("schedule", "run", user.project, number, "--wait")
    user.at(user.platform.base_url)
    assert (unseen.code, unseen.out, waited.code, waited.out) == (0, "", 5, ""), (unseen, waited)
    assert "Cannot find the started pipeline." in unseen.err
    assert user.yes("schedule", "own", user.project, number).code == 0
    delete = ("schedule", "delete", user.project, number)
    seen = user.seen
    for words, code in ((delete, 2), ((*delete, "--confirm", "another"), 4)):
        kept_it = user.yes(*words)
        assert (kept_it.code, kept_it.out) == (code, ""), kept_it
        assert "nothing was sent" in kept_it.err.casefold()
    assert user.writes_since(seen) == []
    assert user.yes(*delete, "--confirm", "weekly").code == 0
    gone = user.yes("schedule", "run", user.project, number)
    assert (gone.code, gone.out) == (4, "")
    assert f"List them with: platui schedules {user.project}" in gone.err


@TRUTHFUL
def test_a_schedule_is_made_with_variables_and_loses_one(
    user_of: Callable[..., User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is set by one request; a secret is in no output; standard output is the id."""
    user = user_of()
    monkeypatch.setenv("PLANTED", "planted-value")
    new = (
        "schedule", "create", user.project, "--description", "weekly", "--ref", "main",
        "--cron", "0 1 * * 5", "--timezone", "UTC", "--var", "DAY=friday",
        "--secret", "API_KEY=env:PLANTED",
    )  # fmt: skip
    dry = user.yes(*new, "--dry-run")
    assert dry.code == 0, dry
    assert "After creating the schedule, platui sets its variables: DAY, API_KEY." in dry.err
    made = user.yes(*new)
    assert made.code == 0, made
    assert made.out.split() == [str(made.id)]
    assert "planted-value" not in made.out + made.err + dry.out + dry.err

    def variables() -> dict[str, str]:
        record = user.get(f"pipeline_schedules/{made.id}")
        return {one["key"]: one["value"] for one in record["variables"]}

    assert variables() == {"DAY": "friday", "API_KEY": "planted-value"}
    edit = ("schedule", "edit", user.project, str(made.id))
    change = (
        *edit,
        "--active",
        "false",
        "--var",
        "DAY=monday",
        "--var",
        "N=1",
        "--unset",
        "API_KEY",
    )
    told = json.loads(user(*change, "--dry-run", "--json").out)
    assert [told["method"], *(one["method"] for one in told["then"])] == [
        "PUT", "PUT", "POST", "DELETE",
    ]  # fmt: skip
    seen = user.seen
    assert user.yes(*change).code == 0
    assert [one.split()[0] for one in user.writes_since(seen)] == ["PUT", "PUT", "POST", "DELETE"]
    assert variables() == {"DAY": "monday", "N": "1"}
    user.at(user.platform.faults_url)
    with fault(user.platform, "reset_before", method="POST", path="/variables$"):
        lost = user.yes(*new, "--json")
    assert (lost.code, len(lost.objects)) == (5, 1), lost
    assert "has the new variable DAY." in lost.err
    with fault(user.platform, "reset_before", method="POST", path="/pipeline_schedules$"):
        unknown = user.yes(*new, "--json")
    assert (unknown.code, len(unknown.objects)) == (5, 1), unknown
    number = unknown.objects[0]["found"][0]["id"]
    for variable in ("--var DAY=friday", "--secret API_KEY"):
        assert f"schedule edit {user.project} {number} {variable}" in unknown.err
    monkeypatch.setattr("platui.service.writes.outcome_probe.PROBE_SECONDS", 0.1)
    with fault(user.platform, "reset_before", path="/pipeline_schedules"):
        unseen = user.yes(*new)
    assert (unseen.code, unseen.out) == (5, ""), unseen
    assert "If it was created, its variables are not set: DAY, API_KEY." in unseen.err
    missing = user.yes(*edit, "--unset", "API_KEY")
    assert missing.code == 2, missing
    assert "has no variable API_KEY that you can see" in missing.err


@TRUTHFUL
def test_who_may_not_edit_a_schedule_is_told_how_to_own_it(user_of: Callable[..., User]) -> None:
    """With the command, which is for the same platform."""
    user = user_of()
    with api_client(user.platform) as client:
        found = client.get(in_project(user.platform, "pipeline_schedules")).json()
        me = client.get("/user").json()["id"]
    other = next(one["id"] for one in found if one["owner"]["id"] != me)
    refused = user.yes("schedule", "edit", user.project, str(other), "--active", "false")
    assert refused.code == 4, refused
    assert "take ownership first" in refused.err
    own = f"schedule own {user.project} {other}"
    assert f"platui --url {user.platform.base_url} {own}" in refused.err


@TRUTHFUL
def test_an_unknown_schedule_is_told_alike_by_all_commands(user_of: Callable[..., User]) -> None:
    """Also by a dry run, which changes nothing."""
    user = user_of()
    said = f"platui: Schedule #999999 not found in {user.project}, or not visible to this token."
    for name, *more in (("edit", "--active", "true"), ("edit", "--var", "DAY=1"), ("run",),
                        ("own",), ("delete", "--confirm", "weekly")):  # fmt: skip
        for how in ((), ("--dry-run",)):
            told = user.yes("schedule", name, user.project, "999999", *more, *how)
            assert (told.code, told.out) == (4, ""), (name, told)
            assert told.err.startswith(said), (name, told)
            assert f"List them with: platui schedules {user.project}" in told.err
    user.at(user.platform.faults_url)
    edit = ("schedule", "edit", user.project, "999999", "--active", "true")
    with fault(user.platform, "server_error", path="/pipeline_schedules/"):
        unknown = user.yes(*edit, "--dry-run")
    assert unknown.code == 0, unknown
    assert "Not checked whether it exists" in unknown.err
