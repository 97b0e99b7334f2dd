"""Why an item is on the triage board: job, error, first failed commit, flaky jobs, lateness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.analysis.triage.causes import began_with, same_commit
from platui.core.text import clean
from platui.models.values.triage_board import LateKind
from platui.present.times import age, clock, span
from platui.present.triage.names import ref_of, short_sha

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.triage import FailurePoint, Incident
    from platui.models.values.triage_board import BoardItem, CauseGroup, Late
    from platui.present.triage.names import Names

NOT_READ: Final = "cause not read yet"
SAME_COMMIT: Final = "same commit was green: nothing changed in the code"


def job_name(point: FailurePoint | None) -> str:
    return "" if point is None or point.step is None else clean(point.step.name)


def job_and_stage(point: FailurePoint | None) -> str:
    """Return where a pipeline broke: `dbt_run · Transformation`; empty where that is not known."""
    step = None if point is None else point.step
    if step is None:
        return ""
    return clean(f"{step.name} · {step.stage}" if step.stage else step.name)


def cause(item: BoardItem) -> str:
    if item.signature is not None and item.signature.line:
        return item.signature.line
    point = item.point
    if point is None:
        return ""
    if point.words:
        return clean(point.words)
    step = point.step
    if step is None:
        return "red, and none of its jobs failed"
    if step.failure_reason:
        return clean(step.failure_reason).replace("_", " ")
    return "its log holds no error that is known"


def group_cause(group: CauseGroup) -> str:
    """Return what the logs have in common; else what the first one says."""
    shared = group.signature.shared if group.signature is not None else ""
    return shared or cause(group.items[0])


def searched(item: BoardItem, names: Names) -> tuple[str, ...]:
    """Return what a row of the board is found by."""
    lane = item.lane
    words = (names.path(lane.project), ref_of(item), lane.way)
    return words if item.incident is None else (*words, cause(item), job_and_stage(item.point))


def flaky_words(point: FailurePoint | None) -> str:
    """Return what is flaky: `flaky: passed and failed on 8f2c1ab0`; empty where nothing is."""
    if point is None:
        return ""
    step = point.step.name if point.step is not None else ""
    # What failed first, before what only failed beside it.
    found = sorted(point.flaky, key=lambda one: one.name != step)
    said = [
        f"{'' if one.name == step else f'{clean(one.name)} '}passed and failed on "
        f"{short_sha(one.sha)}"
        for one in found[:1]
    ]
    others = [clean(name) for name in flaky_names(point) if name not in {o.name for o in found[:1]}]
    words = "; ".join([*said, *([", ".join(others)] if others else [])])
    return f"flaky: {words}" if words else ""


def flaky_names(point: FailurePoint) -> list[str]:
    return list(dict.fromkeys((*(one.name for one in point.flaky), *point.flakes)))


def blame(incident: Incident) -> str:
    """That it broke the lane is not said: a vault that is down fails at any commit."""
    commits = incident.commits
    if commits is None:
        return ""
    if commits.is_empty:
        return SAME_COMMIT
    said = f"first red commit {short_sha(incident.first_red.sha)}"
    if incident.commit is None:
        return said
    author, title = clean(incident.commit.author), clean(incident.commit.title)
    return f"{said}{f' “{title}”' * bool(title)}{f' of {author}' * bool(author)}"


def group_blame(group: CauseGroup, names: Names) -> str:
    """Return with which commit a cause of several incidents came; empty where nothing tells.

    Where some of them began at a commit that was green before that is said: nobody is blamed then
    unless one commit alone may have brought it.
    """
    first = began_with(group)
    if first is not None and first.incident is not None:
        return f"{blame(first.incident)} in {names.label(first.lane.project)}"
    count = same_commit(group)
    return f"same commit was green in {count} of {len(group.items)}" if count else ""


def late_what(late: Late | None) -> str:
    if late is None:
        return ""
    if late.kind is LateKind.MISSED:
        return clean(f"schedule “{late.what}”") if late.what else f"schedule {late.schedule}"
    return clean(late.what)


def late_words(late: Late, now: datetime, *, utc: bool) -> str:
    """Return how something is behind its time: `48m, usually 21m`, `no output for 12m`."""
    if late.kind is LateKind.MISSED:
        due = clock(late.due_at, now, utc=utc)
        return f"due {due}, {late_short(late, now)}"
    return ", ".join(filter(None, (late_short(late, now), _tagged(late))))


def late_short(late: Late, now: datetime) -> str:
    """Return the same in fewer words: `did not run (1h)`."""
    lasts = span(late.seconds)
    usually = f", usually {span(late.typical.median)}" if late.typical is not None else ""
    match late.kind:
        case LateKind.WAITING:
            return f"waits {lasts}{usually}"
        case LateKind.SILENT:
            return f"no output for {lasts}"
        case LateKind.MISSED:
            return f"did not run ({age(late.due_at, now)})"
        case _:
            return f"{lasts}{usually}"


def stuck_words(item: BoardItem) -> str:
    """Return which job of a pipeline is stuck, and how: `fit: waits 12m`; empty where none is."""
    late = item.late
    if late is None or late.kind not in {LateKind.WAITING, LateKind.SILENT}:
        return ""
    lasts = span(late.seconds)
    how = f"no output for {lasts}" if late.kind is LateKind.SILENT else f"waits {lasts}"
    return f"{clean(late.what)}: {how}"


def late_more(late: Late, now: datetime, *, utc: bool) -> str:
    if late.kind is LateKind.MISSED:
        return f"{late_what(late)} was due {clock(late.due_at, now, utc=utc)}"
    if late.kind is LateKind.WAITING:
        return " ".join(filter(None, (late_what(late), "waits for a runner", _tagged(late))))
    return ""


def _tagged(late: Late) -> str:
    return f"tagged {clean(', '.join(late.tags))}" if late.tags else ""
