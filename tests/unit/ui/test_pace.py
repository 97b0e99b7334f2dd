"""Reduced motion: what moves by itself moves seldom, and ends in time."""

from __future__ import annotations

import pytest

from platui.config.settings import Settings
from platui.ui.pace import NORMAL_PACE, REDUCED_PACE, Pace, pace_for


@pytest.mark.parametrize(
    ("setting", "environ", "pace"),
    [
        (Settings(), {}, NORMAL_PACE),
        (Settings(), {"TEXTUAL_ANIMATIONS": "none"}, REDUCED_PACE),
        (Settings(), {"TEXTUAL_ANIMATIONS": "NONE "}, REDUCED_PACE),
        (Settings(), {"TEXTUAL_ANIMATIONS": "basic"}, NORMAL_PACE),
        (Settings(reduced_motion=True), {}, REDUCED_PACE),
        (Settings(reduced_motion=False), {"TEXTUAL_ANIMATIONS": "none"}, NORMAL_PACE),
    ],
)
def test_the_setting_is_over_the_environment(
    setting: Settings, environ: dict[str, str], pace: Pace
) -> None:
    """Where it is not set, Textual's own variable counts."""
    assert pace_for(setting, environ) is pace


@pytest.mark.parametrize(
    ("left", "exact", "lively", "calm"), [(40, 1, 1, 15), (7, 1, 1, 7), (0.3, 0.3, 0.3, 1)]
)
def test_a_number_that_runs_out_ends_in_time(
    left: float, exact: float, lively: float, calm: float
) -> None:
    """Seldom, but what it waits for is told when it is there, or a second later."""
    assert (NORMAL_PACE.wait(left, exact), REDUCED_PACE.wait(left, exact)) == (lively, calm)
