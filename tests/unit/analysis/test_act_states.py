"""When an act can change something, and when it has changed nothing."""

from __future__ import annotations

import pytest

from platui.analysis.act_states import changed_nothing, makes_sense
from platui.models.values.writes import Act


@pytest.mark.parametrize(
    ("act", "before", "answer", "sensible", "idle"),
    [
        (Act.CANCEL_PIPELINE, "running", "canceled", True, False),
        (Act.CANCEL_PIPELINE, "failed", "failed", False, True),
        (Act.CANCEL_PIPELINE, "canceled", "canceled", False, False),
        (Act.CANCEL_PIPELINE, "of tomorrow", "of tomorrow", True, False),
        (Act.CANCEL_JOB, "success", "success", False, True),
        (Act.RETRY_PIPELINE, "failed", "running", True, False),
        (Act.RETRY_PIPELINE, "failed", "failed", True, False),
        (Act.RETRY_PIPELINE, "success", "success", False, True),
        (Act.RETRY_JOB, "success", "pending", True, False),
        (Act.PLAY_JOB, "manual", "pending", True, False),
        (Act.PLAY_JOB, "manual", "manual", True, True),
        (Act.PLAY_JOB, "success", "success", False, True),
        (Act.RUN_SCHEDULE, "", "", True, False),
    ],
)
def test_what_an_act_does_in_a_state(
    act: Act, before: str, answer: str, *, sensible: bool, idle: bool
) -> None:
    """Before it is sent by what is known, afterwards by what the platform answers."""
    assert makes_sense(act, before) is sensible
    assert changed_nothing(act, answer) is idle
