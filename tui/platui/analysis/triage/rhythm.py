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

_FEWEST: Final = 4
"""Runs in a row, a period apart, with fewer of which nothing comes by the clock."""
_ACCIDENT: Final = 0.01
"""Chance that we take for a run to stand in such a row by accident: the more runs there are, the
longer a row must be. Of pipelines at any time, fifteen a day, one in four hundred stands in a row
of four; of thirty a day it is one in fifty, of a hundred one in five."""


def rhythms(moments: Sequence[float]) -> list[str]:
    """Return for each moment (Unix seconds) the period it comes by; empty where by none."""
    grains = [int(moment // _GRAIN) for moment in moments]
    taken = {grain + by for grain in grains for by in (-1, 0, 1)}
    chain = _chain(grains)
    found: dict[int, str] = {}
    for name, period in PERIODS.items():
        step = period // _GRAIN
        # Mostly none has others in a row behind it, and that is quickly seen.
        linked = [grain for grain in grains if grain + step in taken]
        if all(_row(grain, step, taken, chain) < chain - 1 for grain in linked):
            continue
        for grain in grains:
            in_a_row = 1 + _row(grain, -step, taken, chain) + _row(grain, step, taken, chain)
            if in_a_row >= chain:
                found.setdefault(grain, name)
    return [found.get(grain, "") for grain in grains]


def _chain(grains: Sequence[int]) -> int:
    """Return how many in a row are no accident, where runs are as frequent as these."""
    if not grains:
        return _FEWEST
    lasts = max(max(grains) - min(grains), _DAY // _GRAIN)
    near = min(1.0, 3 * len(grains) / lasts)
    return next(
        count
        for count in range(_FEWEST, _FEWEST + len(grains) + 1)
        if count * len(PERIODS) * near ** (count - 1) < _ACCIDENT or count > len(grains)
    )


def _row(grain: int, step: int, taken: set[int], chain: int) -> int:
    """Return how many runs are in a row, beginning a step from this one, as far as it matters."""
    for count in range(chain - 1):
        grain += step
        if grain not in taken:
            return count
    return chain - 1
