"""Which pipelines come by the clock, where the platform does not say what started them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR

PERIODS: Final[dict[str, int]] = {
    "every 15 minutes": 15 * _MINUTE,
    "every 30 minutes": 30 * _MINUTE,
    "hourly": _HOUR,
    **{f"every {hours} hours": hours * _HOUR for hours in (2, 3, 4, 6, 8, 12)},
    "daily": _DAY,
    "weekly": 7 * _DAY,
}
"""What schedules are mostly set to, the shortest first: seconds."""

_GRAIN: Final = 90
"""Seconds by which a schedule may start earlier or later than the time before."""

_CHAIN: Final = 4
"""So many runs in a row, a period apart, are no accident: of pipelines at any time, fifteen a day,
one in six hundred stands in such a row by chance; in one of three it is one in twenty-three."""


def rhythms(moments: Sequence[float]) -> list[str]:
    """Return for each moment (Unix seconds) the period it comes by; empty where by none."""
    grains = [int(moment // _GRAIN) for moment in moments]
    taken = {grain + by for grain in grains for by in (-1, 0, 1)}
    found: dict[int, str] = {}
    for name, period in PERIODS.items():
        step = period // _GRAIN
        # Mostly none has others in a row behind it, and that is quickly seen.
        linked = [grain for grain in grains if grain + step in taken]
        if all(_row(grain, step, taken) < _CHAIN - 1 for grain in linked):
            continue
        for grain in grains:
            in_a_row = 1 + _row(grain, -step, taken) + _row(grain, step, taken)
            if in_a_row >= _CHAIN:
                found.setdefault(grain, name)
    return [found.get(grain, "") for grain in grains]


def _row(grain: int, step: int, taken: set[int]) -> int:
    """Return how many runs there are in a row, beginning a step from this one."""
    for count in range(_CHAIN - 1):
        grain += step
        if grain not in taken:
            return count
    return _CHAIN - 1
