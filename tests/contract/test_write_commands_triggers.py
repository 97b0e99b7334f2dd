"""Triggers from the command line: what takes a trigger token, and no more than that."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.support.command_user import PLANTED, TRUTHFUL
from tests.support.faults import fault
from tests.support.platform import credentials
from tests.support.service import requests_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.command_user import User


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


def test_a_trigger_takes_no_more_than_its_token(user: User) -> None:
    """Spec §5.2: no access token is there, and nothing is asked for that would take one."""
    alone = {"PLATUI_TOKEN": "", "CI_JOB_TOKEN": ""}
    seen = user.seen
    trigger = ("trigger", user.project, "--ref", "main")
    job = {"CI_JOB_TOKEN": credentials(user.platform)["jobs"]["running"]["token"]}
    of_job = alone | job | {"PLATUI_TRIGGER_TOKEN": ""}
    for words, environ, sentence in (
        ((*trigger, "--wait"), alone, "--wait and --follow need an access token"),
        ((*trigger, "--wait"), of_job, "a job token is not enough"),
        ((*trigger, "--follow"), of_job, "Omit them, or set PLATUI_TOKEN to a token with"),
        (trigger, alone | {"PLATUI_TRIGGER_TOKEN": ""}, "No trigger token"),
        (("run", *trigger[1:]), alone, "No access token for here"),
    ):
        refused = user.yes(*words, **environ)
        assert (refused.code, refused.out) == (2, ""), refused
        assert sentence in refused.err
    assert requests_of(user.platform, seen) == []
    dry = user.yes(*trigger, "--dry-run", PLATUI_TRIGGER_TOKEN="")
    assert (dry.code, "Sending it would fail: No trigger token for" in dry.err) == (2, True)
    seen = user.seen
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
    assert "without an access token" in said.err
    assert [one["method"] for one in requests_of(user.platform, seen)] == ["POST"]
