"""When an act can change something, and when it has changed nothing."""

from __future__ import annotations

import pytest

from platui.analysis.action_states import had_no_effect, is_applicable
from platui.models.values.writes import WriteAction


@pytest.mark.parametrize(
    ("act", "before", "answer", "sensible", "idle"),
    [
        (WriteAction.CANCEL_PIPELINE, "running", "canceled", True, False),
        (WriteAction.CANCEL_PIPELINE, "failed", "failed", False, False),
        (WriteAction.CANCEL_PIPELINE, "canceled", "canceled", False, False),
        (WriteAction.CANCEL_PIPELINE, "of tomorrow", "of tomorrow", True, False),
        (WriteAction.CANCEL_JOB, "success", "success", False, True),
        (WriteAction.RETRY_PIPELINE, "failed", "running", True, False),
        (WriteAction.RETRY_PIPELINE, "failed", "failed", True, False),
        (WriteAction.RETRY_PIPELINE, "success", "success", False, True),
        (WriteAction.RETRY_JOB, "success", "pending", True, False),
        (WriteAction.PLAY_JOB, "manual", "pending", True, False),
        (WriteAction.PLAY_JOB, "manual", "manual", True, True),
        (WriteAction.PLAY_JOB, "success", "success", False, True),
        (WriteAction.RUN_SCHEDULE, "", "", True, False),
    ],
)
def test_what_an_act_does_in_a_state(
    act: WriteAction, before: str, answer: str, *, sensible: bool, idle: bool
) -> None:
    """Before it is sent by what is known, afterwards by what the platform answers."""
    assert is_applicable(act, before) is sensible
    assert had_no_effect(act, answer) is idle
