"""Reasons of items on the triage board: job, error, commit, flaky jobs, delay."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.causes import count_same_commit, suspect_incident
from platui.core.text import clean
from platui.models.values.log import CauseSource, Confidence
from platui.models.values.triage_board import BoardItem, CauseGroup, Late, LateKind
from platui.present.times import age, clock, span
from platui.present.triage.labels import Names, ref_of, short_sha

if TYPE_CHECKING:
    from platui.models.values.triage import FailurePoint, Incident, Signature

NOT_READ: Final = "cause not loaded yet"
SAME_COMMIT: Final = "same commit succeeded before: no code change"


def job_name(point: FailurePoint | None) -> str:
    return "" if point is None or point.step is None else clean(point.step.name)


FOUND_BY: Final = {
    CauseSource.RULE: "an error rule",
    CauseSource.NOVELTY: "comparison with the last successful run",
    CauseSource.LAST_LINE: "the last line of the script",
    CauseSource.VERDICT: "the end of the job",
}


def job_and_stage(point: FailurePoint | None) -> str:
    """Return the failed job: `dbt_run · Transformation`; "" if unknown."""
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
        return "failed without a failed job"
    if step.failure_reason:
        return clean(step.failure_reason).replace("_", " ")
    return "no known error in its log"


def classified(item: BoardItem) -> str:
    """Return the cause after its class: `out of memory: Killed python -m load`."""
    words, signature = cause(item), item.signature
    kind = signature.shared.partition(":")[0] if signature is not None and signature.kind else ""
    is_named = all(word in words.lower() for word in kind.lower().split())
    return words if is_named else f"{kind}: {words}"


def found_by(signature: Signature) -> str:
    """Return what found a cause in its log; "" without a log."""
    if signature.line_number is None:
        return ""
    is_sure = signature.confidence is Confidence.HIGH
    return (
        f"{FOUND_BY[signature.source]}{'' if is_sure else f', {signature.confidence} confidence'}"
    )


def group_cause(group: CauseGroup) -> str:
    """Return what the logs have in common, else the cause of the first incident."""
    shared = group.signature.shared if group.signature is not None else ""
    return shared or cause(group.items[0])


def searched(item: BoardItem, names: Names) -> tuple[str, ...]:
    """Return the texts that a filter of the board searches."""
    lane = item.lane
    words = (names.path(lane.project), ref_of(item), lane.way)
    return words if item.incident is None else (*words, cause(item), job_and_stage(item.point))


def flaky_words(point: FailurePoint | None) -> str:
    """Return `passed and failed on 8f2c1ab0`; "" if nothing is flaky."""
    if point is None:
        return ""
    step = point.step.name if point.step is not None else ""
    # The job that failed first, before others.
    found = sorted(point.flaky, key=lambda one: one.name != step)
    results = [
        f"{'' if one.name == step else f'{clean(one.name)} '}passed and failed on "
        f"{short_sha(one.sha)}"
        for one in found[:1]
    ]
    others = [clean(name) for name in flaky_names(point) if name not in {o.name for o in found[:1]}]
    return "; ".join([*results, *([", ".join(others)] if others else [])])


def flaky_names(point: FailurePoint) -> list[str]:
    return list(dict.fromkeys((*(one.name for one in point.flaky), *point.flakes)))


def first_failed_commit(incident: Incident) -> str:
    """Return the first failed commit; it need not be the cause."""
    commits = incident.commits
    if commits is None:
        return ""
    if commits.is_empty:
        return SAME_COMMIT
    text = f"first failed commit {short_sha(incident.first_red.sha)}"
    if incident.commit is None:
        return text
    author, title = clean(incident.commit.author), clean(incident.commit.title)
    return f"{text}{f' “{title}”' * bool(title)}{f' by {author}' * bool(author)}"


def group_first_failed_commit(group: CauseGroup, names: Names) -> str:
    """Return the commit that may have caused several incidents; "" if unknown or several may."""
    first = suspect_incident(group)
    if first is not None and first.incident is not None:
        return f"{first_failed_commit(first.incident)} in {names.label(first.lane.project)}"
    count = count_same_commit(group)
    return f"same commit succeeded before in {count} of {len(group.items)}" if count else ""


def late_name(late: Late | None) -> str:
    if late is None:
        return ""
    if late.kind is LateKind.MISSED:
        return clean(f"schedule “{late.what}”") if late.what else f"schedule {late.schedule}"
    return clean(late.what)


def late_text(late: Late, now: datetime, *, utc: bool) -> str:
    """Return how late something is: `48m, typical 21m`, `no output for 12m`."""
    if late.kind is LateKind.MISSED:
        due = clock(late.due_at, now, utc=utc)
        return f"due {due}, {late_short(late, now)}"
    return ", ".join(filter(None, (late_short(late, now), _tagged(late))))


def late_short(late: Late, now: datetime) -> str:
    """Return a shorter form: `did not run (1h)`."""
    lasts = span(late.seconds)
    typical = f", typical {span(late.typical.median)}" if late.typical is not None else ""
    match late.kind:
        case LateKind.WAITING:
            return f"waiting {lasts}{typical}"
        case LateKind.SILENT:
            return f"no output for {lasts}"
        case LateKind.MISSED:
            return f"did not run ({age(late.due_at, now)})"
        case _:
            return f"{lasts}{typical}"


def stuck_words(item: BoardItem) -> str:
    """Return which job of a pipeline is stuck: `fit: waiting 12m`; "" if none."""
    late = item.late
    if late is None or late.kind not in {LateKind.WAITING, LateKind.SILENT}:
        return ""
    lasts = span(late.seconds)
    how = f"no output for {lasts}" if late.kind is LateKind.SILENT else f"waiting {lasts}"
    return f"{clean(late.what)}: {how}"


def late_details(late: Late, now: datetime, *, utc: bool) -> str:
    if late.kind is LateKind.MISSED:
        return f"{late_name(late)} was due {clock(late.due_at, now, utc=utc)}"
    if late.kind is LateKind.WAITING:
        return " ".join(filter(None, (late_name(late), "waiting for a runner", _tagged(late))))
    return ""


def _tagged(late: Late) -> str:
    return f"tagged {clean(', '.join(late.tags))}" if late.tags else ""
