"""The red stretch that a pipeline is a part of, between the green one before and the one after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.triage.incidents import ran
from platui.analysis.triage.lanes import lanes_of
from platui.analysis.triage.statuses import GREEN, RED
from platui.models.values.triage import Stretch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.analysis.triage.incidents import Listed
    from platui.models import Pipeline


def stretch_of(listed: Listed, pipeline: int) -> Stretch | None:
    """Return the stretch around a red pipeline.

    Args:
        listed: the pipelines of its project.
        pipeline: its id; one that is tried again counts as red meanwhile.

    Returns:
        None where the list does not hold it, or it turned green by itself: tried again.
    """
    for lane, runs in lanes_of(listed.project, listed.pipelines).items():
        place = next((at for at, run in enumerate(runs) if run.id == pipeline), None)
        if place is None:
            continue
        this = runs[place]
        if this.status == GREEN:
            return None
        before, green = _until_green(runs[place + 1 :])
        after, over = _until_green(reversed(runs[:place]))
        reds = [*reversed(before), this, *after]
        newest = runs[0]
        return Stretch(
            lane,
            runs=tuple(ran(run) for run in reversed(runs)),
            first_red=ran(reds[0]),
            newest_red=ran(reds[-1]),
            streak=len(reds),
            last_green=ran(green) if green is not None else None,
            over=ran(over) if over is not None else None,
            on_top=ran(newest) if over is None and newest is not reds[-1] else None,
            is_at_least=green is None and not listed.is_whole,
        )
    return None


def _until_green(runs: Iterable[Pipeline]) -> tuple[list[Pipeline], Pipeline | None]:
    """Return the red ones before the first green one, and that."""
    reds: list[Pipeline] = []
    for run in runs:
        if run.status == GREEN:
            return reds, run
        if run.status == RED:
            reds.append(run)
    return reds, None
