"""Calculations on pipelines: durations and health."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.statuses import ACTIVE
from platui.present.status import role_of
from platui.present.times import duration

if TYPE_CHECKING:
    from platui.models.wire import Pipeline

# The height repeats the colour: failures are high.
_STRIP: Final = {"failed": "█", "success": "▄", "running": "▂", "pending": "▂"}
# A pipeline updated later than this after its creation was retried
_RAN_ONCE: Final = timedelta(days=1)
_BARS: Final = "▁▂▃▄▅▆▇█"


def took(pipeline: Pipeline, now: datetime, *, as_listed: bool = False) -> float | None:
    """Return the seconds from creation to the end or now; of a retry the run time of the jobs.

    `as_listed`: as in a list, whose pipelines have no `finished_at`.
    """
    since = pipeline.created_at
    active = pipeline.status in ACTIVE
    finished = None if as_listed else pipeline.finished_at
    until = now if active else finished or pipeline.updated_at
    if since is None or until is None:
        return None
    if not active and until - since > _RAN_ONCE:
        return pipeline.duration
    return max(0.0, (until - since).total_seconds())


class Health(NamedTuple):
    strip: tuple[tuple[str, str], ...]
    counted: int  # Finished pipelines among the newest
    green: float | None  # Share of successful ones, 0 to 1; None: none finished
    median: float | None  # Seconds
    p95: float | None  # Seconds
    sparkline: str


def health(pipelines: Sequence[Pipeline], now: datetime, cells: int = 60) -> Health:
    """Return the health of the newest `cells` pipelines (given newest first)."""
    from statistics import median  # noqa: PLC0415  (for the head of a screen only)

    newest = list(pipelines[:cells])[::-1]
    strip = tuple(strip_cell(item.status) for item in newest)
    ended = [item for item in newest if item.status in ("success", "failed")]
    lengths = [seconds for item in ended if (seconds := took(item, now)) is not None]
    return Health(
        strip=strip,
        counted=len(ended),
        green=sum(item.status == "success" for item in ended) / len(ended) if ended else None,
        median=median(lengths) if lengths else None,
        p95=sorted(lengths)[ceil(len(lengths) * 0.95) - 1] if lengths else None,
        sparkline=_sparkline(lengths),
    )


def strip_cell(status: str) -> tuple[str, str]:
    return _STRIP.get(status, "▁"), role_of(status)


def _sparkline(values: Sequence[float]) -> str:
    top = max(values, default=0.0)
    if top <= 0:
        return ""
    return "".join(_BARS[min(len(_BARS) - 1, int(value / top * len(_BARS)))] for value in values)


def health_words(state: Health) -> tuple[tuple[str, str], ...]:
    if state.green is None:
        return (("no finished run", "muted"),)
    percent = int(state.green * 100)
    role = "success" if percent >= 90 else "warning" if percent >= 60 else "failed"  # noqa: PLR2004
    return (
        (f"{percent}% of {state.counted} successful", role),
        (f"typical {duration(state.median)}", "text"),
        (f"p95 {duration(state.p95)}", "text"),
    )
