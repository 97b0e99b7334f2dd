"""The last green pipeline beside the first red one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.attempts import current_attempts, stage_order
from platui.models.values.triage_changes import ChangedJob, ChangedVariable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.models import Job


def changed_jobs(green: Sequence[Job], red: Sequence[Job]) -> tuple[ChangedJob, ...]:
    """Return the jobs of two pipelines whose status is another one, by stage."""
    before, after = current_attempts(green), current_attempts(red)
    order = stage_order(red)
    missing = stage_order(green)
    found = []
    for name in {**after, **before}:
        old, new = before.get(name), after.get(name)
        was = old.status if old is not None else ""
        now = new.status if new is not None else ""
        job = new or old
        if was == now or job is None:
            continue
        place = (order.get(job.stage, len(order) + missing.get(job.stage, 0)), job.id)
        found.append((place, ChangedJob(name, job.stage, was, now)))
    return tuple(changed for _, changed in sorted(found))


def changed_variables(
    before: Mapping[str, str | None], after: Mapping[str, str | None]
) -> tuple[ChangedVariable, ...]:
    """Return which variables differ, by key; those of a value that is not told are not known to.

    Args:
        before: values by keys, None for a value that is not told.
        after: the same of the later pipeline.
    """
    found = []
    for key in sorted({*before, *after}):
        if key not in before:
            found.append(ChangedVariable(key, "added"))
        elif key not in after:
            found.append(ChangedVariable(key, "removed"))
        elif before[key] != after[key] and None not in (before[key], after[key]):
            found.append(ChangedVariable(key, "changed"))
    return tuple(found)
