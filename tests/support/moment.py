"""The moment at which tests live: the machine's clock runs, from a night that is always the same.

What the emulated company does is a function of seed and time: on the machine's own time, other
projects would be red every hour, and a test that asks for one with two red runs in a row would
hold in the morning only. `pytest --moment 2026-11-22T14:00` lives at another one, `--moment now`
at the machine's.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

MOMENT: Final = datetime(2026, 11, 22, 3, 12, tzinfo=UTC)
"""A Sunday night."""

_SHIFT: Final = "PLATUI_TESTS_SHIFT"
"""Seconds from the machine's time to the tests': for the programs that tests start."""
_SHIFTED: Final = Path(__file__).parent / "shifted"
"""The folder whose `sitecustomize` sets the clock of a program."""


def live_at(moment: str) -> None:
    """Set the clock of this process, and of those that it starts, once.

    Args:
        moment: an ISO date and time, in UTC unless it says; `now`; empty: the usual one.
    """
    if moment == "now":
        return
    if _SHIFT in os.environ:
        return  # a worker of the test run, started at the moment of the others
    start = datetime.fromisoformat(moment) if moment else MOMENT
    start = start if start.tzinfo else start.replace(tzinfo=UTC)
    os.environ[_SHIFT] = str((start - datetime.now(UTC)).total_seconds())
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_SHIFTED), *paths]))
    from tests.support.shifted.sitecustomize import shift_clocks  # noqa: PLC0415  (acts at once)

    shift_clocks()
