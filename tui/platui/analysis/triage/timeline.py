"""Compare the jobs and variables of the last successful and the first failed pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from platui.analysis.attempts import GREEN, RED, current_attempts, stage_order
from platui.analysis.triage.incidents import Listed, ran
from platui.analysis.triage.lanes import lanes_of
from platui.models.values.triage import ChangedVariable, IncidentTimeline

if TYPE_CHECKING:
    from platui.models.wire import Job, Pipeline


def changed_jobs(green: Sequence[Job], red: Sequence[Job]) -> tuple[str, ...]:
    """Return the names of jobs whose status differs, by stage."""
    before, after = current_attempts(green), current_attempts(red)
    order = stage_order(red)
    missing = stage_order(green)
    found = []
    for name in {**after, **before}:
        old, new = before.get(name), after.get(name)
        job = new or old
        if job is None or (old and new and old.status == new.status):
            continue
        place = order.get(job.stage, len(order) + missing.get(job.stage, 0))
        found.append((place, job.id, name))
    return tuple(name for *_, name in sorted(found))


def changed_variables(
    before: Mapping[str, str | None], after: Mapping[str, str | None]
) -> tuple[ChangedVariable, ...]:
    """Return changed variables by key; unreadable values count as unchanged."""
    found = []
    for key in sorted({*before, *after}):
        if key not in before:
            found.append(ChangedVariable(key, "added"))
        elif key not in after:
            found.append(ChangedVariable(key, "removed"))
        elif before[key] != after[key] and None not in (before[key], after[key]):
            found.append(ChangedVariable(key, "changed"))
    return tuple(found)


def stretch_of(listed: Listed, pipeline: int) -> IncidentTimeline | None:
    """Return the timeline around a failed pipeline; None if not listed, or successful now."""
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
        return IncidentTimeline(
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
    reds: list[Pipeline] = []
    for run in runs:
        if run.status == GREEN:
            return reds, run
        if run.status == RED:
            reds.append(run)
    return reds, None
