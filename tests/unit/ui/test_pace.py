"""What moves by itself: seldom with reduced motion, and never for our own polls."""

from __future__ import annotations

import pytest

from platui.config.settings import Settings
from platui.models.values.connection import BudgetState
from platui.ui.pace import NORMAL_PACE, REDUCED_PACE, Pace, QuotaGauge, pace_for


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


def test_the_gauge_does_not_change_with_our_own_polls() -> None:
    """The platform's minute ends between two of them: the count drops, and its source changes."""
    gauge = QuotaGauge()
    shown = []
    for second in range(0, 600, 10):
        left = second % 60
        counted = BudgetState(1 + left // 10, 600, from_server=left > 0)
        shown.append(gauge.take(counted, float(second)))
    assert set(shown[6:]) == {BudgetState(6, 600, from_server=True)}


def test_the_gauge_is_an_estimate_a_minute_after_the_platform_last_sent_its_count() -> None:
    """Until then the count shown is the platform's."""
    gauge = QuotaGauge()
    assert gauge.take(BudgetState(5, 600, from_server=True), 100.0).from_server
    assert gauge.take(BudgetState(5, 600), 150.0).from_server
    assert not gauge.take(BudgetState(5, 600), 170.0).from_server
