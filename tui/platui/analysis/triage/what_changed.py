"""The last green pipeline beside the first red one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.attempts import current_attempts, stage_order
from platui.models.values.triage import ChangedJob, ChangedVariable, CommitRange, WhatChanged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.models import Job


def what_changed(
    green: Sequence[Job],
    red: Sequence[Job],
    commits: CommitRange | None = None,
    variables: tuple[Mapping[str, str | None], Mapping[str, str | None]] | None = None,
) -> WhatChanged:
    """Return what is different between two pipelines.

    Args:
        green: jobs of the last green one.
        red: jobs of the first red one.
        commits: what came between them.
        variables: of the green one and of the red one, where both are known: values by keys,
            None for a value that is not told.
    """
    return WhatChanged(
        _jobs(green, red), commits, _variables(*variables) if variables is not None else None
    )


def _jobs(green: Sequence[Job], red: Sequence[Job]) -> tuple[ChangedJob, ...]:
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


def _variables(
    before: Mapping[str, str | None], after: Mapping[str, str | None]
) -> tuple[ChangedVariable, ...]:
    found = []
    for key in sorted({*before, *after}):
        if key not in before:
            found.append(ChangedVariable(key, "added"))
        elif key not in after:
            found.append(ChangedVariable(key, "removed"))
        elif before[key] != after[key] and None not in (before[key], after[key]):
            found.append(ChangedVariable(key, "changed"))
    return tuple(found)
