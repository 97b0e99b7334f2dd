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
