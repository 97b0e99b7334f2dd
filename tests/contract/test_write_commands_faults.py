"""Faults under a write from the command line: once at most, and what is known is said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.command_user import TRUTHFUL
from tests.support.faults import fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.command_user import User


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
    assert f"pipeline #{said.id} continues. To resume: platui --url " in said.err


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
        assert said.err.count("not sent again") == 1
        assert ". Result unknown. It is not sent again.\n" in said.err
    else:
        *_, sentence = [line for line in said.err.splitlines() if not line.startswith(" ")]
        assert sentence.endswith(" Nothing was changed."), "a hint may stand below"


@TRUTHFUL
def test_what_was_done_in_part_is_not_told_as_unchanged(user_of: Callable[..., User]) -> None:
    """5, with the commands for the rest: neither 3 nor 4, nor "Nothing was changed."."""
    user = user_of()
    user.at(user.platform.faults_url)
    to_variables = {"method": "POST", "path": r"/variables(\?|$)"}
    new = ("schedule", "create", user.project, "--description", "d", "--ref", "main",
           "--cron", "0 1 * * 5", "--timezone", "UTC", "--var", "K=v", "--var", "L=w")  # fmt: skip
    with fault(user.platform, "expired", **to_variables):
        made = user.yes(*new)
        edited = user.yes("schedule", "edit", user.project, str(made.id),
                          "--description", "x", "--var", "K=v")  # fmt: skip
    record = user.get(f"pipeline_schedules/{made.id}")
    assert (record["description"], record["variables"]) == ("x", [])
    for said in (made, edited):
        assert said.code == 5, said
        assert "Nothing was changed" not in said.err
        assert f"schedule edit {user.project} {made.id} --var K=v" in said.err
    assert made.err.splitlines()[-1].endswith(f"{user.project} {made.id} --var L=w")
    assert "--description x --" not in edited.err


@TRUTHFUL
def test_a_spent_quota_is_waited_out_and_told(user_of: Callable[..., User]) -> None:
    """Nothing was changed by a 429, so that it is sent again: one pipeline, and a word on it."""
    user = user_of()
    user.at(user.platform.faults_url)
    post = {"method": "POST", "path": r"/pipeline(\?|$)"}
    with fault(user.platform, "quota", seconds=3, times=1, **post):
        said = user.yes("run", user.project, "--ref", "main")
    assert said.code == 0, said
    assert "Ctrl+C to cancel" in said.err
    assert [one["id"] for one in user.get("pipelines?source=api&per_page=1")] == [said.id]
