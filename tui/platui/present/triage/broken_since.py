"""The incident comparison: last successful, first failed and newest failed pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import current_attempts
from platui.analysis.triage.failure_points import commit_of, failed_before_retry
from platui.analysis.triage.incidents import Listed
from platui.analysis.triage.lanes import is_on_branch
from platui.analysis.triage.timeline import changed_jobs, stretch_of
from platui.core.dataclass import dataclass
from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, Column, LineBelow, Row, cell_of
from platui.present.counts import counted
from platui.present.pipelines import strip_cell
from platui.present.status import glyph_of, role_of, status_cell
from platui.present.times import clock, duration, span_of_hours
from platui.present.triage.reasons import SAME_COMMIT

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import (
        Cause,
        ChangedVariable,
        IncidentTimeline,
        PipelineRun,
        Signature,
    )
    from platui.models.wire import Job, Pipeline
    from platui.present.chrome import Piece, Pieces

_SHORT: Final = 8
_STEP: Final = "job:"
_RUNS: Final = "run"
CAUSE: Final = f"{_RUNS}:cause"
COMMIT: Final = f"{_RUNS}:commit"
_CELLS: Final = ("success", "failed", "running", "canceled")
_WIDE: Final = 18
_NARROW: Final = 12


@dataclass(frozen=True, slots=True)
class SinceFacts:
    """The pipelines of an incident, with their jobs, causes and variables."""

    stretch: IncidentTimeline
    jobs: Mapping[int, Sequence[Job]] = field(default_factory=dict)  # by pipeline, if loaded
    causes: Mapping[int, Cause] = field(default_factory=dict)  # by pipeline, if loaded
    # Changes between the last successful and the first failed pipeline; None: unknown.
    variables: tuple[ChangedVariable, ...] | None = None
    has_asked_variables: bool = False

    @property
    def beside(self) -> tuple[PipelineRun, ...]:
        return tuple(compared_runs(self.stretch).values())


def without_branch(pipeline: Pipeline) -> str:
    """Return why a pipeline has no last success to compare with; empty: it has a branch or tag."""
    if is_on_branch(pipeline):
        return ""
    return (
        f"#{pipeline.id} has no branch of its own: it ran for a merge request or another pipeline. "
        "There is no last success to compare it with."
    )


def compared_runs(stretch: IncidentTimeline) -> dict[str, PipelineRun]:
    """Return the runs from left to right, by the titles of their columns."""
    runs = {} if stretch.last_green is None else {"LAST SUCCESS": stretch.last_green}
    runs["FIRST FAILED"] = stretch.first_red
    if stretch.newest_red.id != stretch.first_red.id:
        runs["NEWEST FAILED"] = stretch.newest_red
    return runs


def stretch_in(
    listing: Listing[Pipeline], project: ProjectRef, pipeline: int
) -> IncidentTimeline | None:
    return stretch_of(Listed(project, listing.items, is_whole=listing.complete), pipeline)


def runs_of(facts: SinceFacts, name: str) -> dict[int, Job]:
    found = {}
    for run in reversed(facts.beside):
        job = current_attempts(facts.jobs.get(run.id, ())).get(name)
        if job is not None:
            found[run.id] = job
    return found


def since_columns(stretch: IncidentTimeline) -> tuple[Column, ...]:
    return (
        Column("what", width=20, minimum=14, flexible=True),
        *(
            Column(title.lower(), title, width=_WIDE, minimum=_NARROW, flexible=True)
            for title in compared_runs(stretch)
        ),
    )


def since_rows(facts: SinceFacts, now: datetime, *, utc: bool) -> list[Row]:
    runs = facts.beside
    return [
        _cause_row(facts, runs),
        _row("id", "pipeline", (Cell(f"#{run.id}", role_of(run.status)) for run in runs)),
        _row("when", "when", (_when(run, now, utc=utc) for run in runs)),
        _commit_row(facts, runs),
        *_optional_rows(facts, runs),
        *_step_rows(facts, runs),
    ]


def job_of(key: str) -> str | None:
    """Return the job of a row, None for rows about pipelines."""
    return key.removeprefix(_STEP) if key.startswith(_STEP) else None


def _row(key: str, what: str, cells: Iterable[Cell], *, below: Iterable[LineBelow] = ()) -> Row:
    return Row(f"{_RUNS}:{key}", (Cell(what, "muted"), *cells), below=tuple(below))


def _when(run: PipelineRun, now: datetime, *, utc: bool) -> Cell:
    return Cell(f"{clock(run.at, now, utc=utc)} ({span_of_hours(now - run.at)})" if run.at else "")


def _commit_row(facts: SinceFacts, runs: Sequence[PipelineRun]) -> Row:
    words = commit_of(facts.jobs.get(facts.stretch.first_red.id, ()))
    title = "" if words is None else clean(words.title)
    # The line begins below another column, so it names its own.
    line = cell_of([("first failed: ", "muted"), (title, "text")]) if title else BLANK
    commits = facts.stretch.commits
    if commits is not None and commits.is_empty:
        line = Cell(SAME_COMMIT)
    below = [LineBelow(line)] if line.text else []
    cells = (Cell(clean(run.sha)[:_SHORT]) for run in runs)
    return _row("commit", "commit", cells, below=below)


def _optional_rows(facts: SinceFacts, runs: Sequence[PipelineRun]) -> Iterator[Row]:
    if any(run.source for run in runs):
        yield _row("source", "started by", (Cell(clean(run.source)) for run in runs))
    commits = [commit_of(facts.jobs.get(run.id, ())) for run in runs]
    if any(commit is not None for commit in commits):
        authors = [clean(commit.author) if commit is not None else "" for commit in commits]
        yield _row("author", "author", (Cell(author) for author in authors))
    if any(run.seconds is not None for run in runs):
        yield _row("took", "took", (Cell(duration(run.seconds)) for run in runs))
    if facts.stretch.last_green is not None:
        yield _variables_row(facts)


def _variables_row(facts: SinceFacts) -> Row:
    """Return the changed variables by name; values may be secrets."""
    below = []
    if facts.variables is None:
        result = Cell("not available" if facts.has_asked_variables else "…", "muted")
    elif not facts.variables:
        result = Cell("unchanged", "muted")
    else:
        result = Cell(counted(len(facts.variables), "difference"), "warning")
        for change in dict.fromkeys(one.change for one in facts.variables):
            names = (clean(one.key) for one in facts.variables if one.change == change)
            below.append(LineBelow(Cell(f"{change}: {', '.join(names)}")))
    cells = (BLANK, result, BLANK)[: len(facts.beside)]
    return _row("variables", "variables", cells, below=below)


def _cause_row(facts: SinceFacts, runs: Sequence[PipelineRun]) -> Row:
    stretch = facts.stretch
    first = _signature(facts, stretch.first_red)
    newest = _signature(facts, stretch.newest_red)
    below = []
    if first is not None:
        below.append(LineBelow(Cell(first.line, "failed")))
    if newest is not None and (first is None or first.key != newest.key):
        below.append(LineBelow(Cell(f"now: {newest.line}", "failed")))
    return _row("cause", "cause", (_cause_cell(facts, run) for run in runs), below=below)


def _signature(facts: SinceFacts, run: PipelineRun) -> Signature | None:
    return facts.causes[run.id].signature if run.id in facts.causes else None


def _cause_cell(facts: SinceFacts, run: PipelineRun) -> Cell:
    stretch = facts.stretch
    if run == stretch.last_green:
        return BLANK
    if run.id not in facts.causes:
        return Cell("…", "muted")
    point, signature = facts.causes[run.id]
    first = _signature(facts, stretch.first_red)
    if run.id != stretch.first_red.id and signature and first and signature.key == first.key:
        return Cell("unchanged", "muted")
    if point.step is not None:
        return Cell(clean(point.step.name), "failed")
    return Cell("pipeline file", "failed") if point.words else Cell("unknown", "muted")


def _step_rows(facts: SinceFacts, runs: Sequence[PipelineRun]) -> Iterator[Row]:
    known = [current_attempts(facts.jobs[run.id]) for run in runs if run.id in facts.jobs]
    if not known:
        yield _row("jobs", "jobs", (Cell("…", "muted") for _ in runs))
        return
    changed = _changed(facts)
    created = sorted((job for steps in known for job in steps.values()), key=lambda job: job.id)
    names = [*changed, *(job.name for job in created)]
    for name in dict.fromkeys(names):
        what = Cell(f"  {clean(name)}", "text" if name in changed else "muted")
        cells = (what, *(_step_cell(facts, run, name) for run in runs))
        yield Row(f"{_STEP}{name}", cells, muted=name not in changed)


def _changed(facts: SinceFacts) -> list[str]:
    stretch = facts.stretch
    red = facts.jobs.get(stretch.first_red.id)
    green = () if stretch.last_green is None else facts.jobs.get(stretch.last_green.id)
    if red is None:
        return []
    if green:
        return [*changed_jobs(green, red)]
    return [name for name, job in current_attempts(red).items() if job.status == "failed"]


def _step_cell(facts: SinceFacts, run: PipelineRun, name: str) -> Cell:
    if run.id not in facts.jobs:
        return Cell("…", "muted")
    job = current_attempts(facts.jobs[run.id]).get(name)
    return Cell("absent", "muted") if job is None else status_cell(job.status)


def since_pieces(facts: SinceFacts, now: datetime, *, utc: bool) -> tuple[list[Piece], list[Piece]]:
    stretch = facts.stretch
    ref = clean(stretch.lane.ref) or "versions"
    at_least = "at least " if stretch.is_at_least else ""
    retried = failed_before_retry(facts.jobs.get(stretch.first_red.id, ()))
    since = stretch.first_red.ended_before(retried).ended_before(stretch.since).at
    when = f" since {clock(since, now, utc=utc)} ({span_of_hours(now - since)})" if since else ""
    left: list[Piece] = [(ref, "strong")]
    if stretch.lane.way:
        left.append((clean(stretch.lane.way), "muted"))
    if stretch.over is not None:
        over = f"{glyph_of('success')} recovered {clock(stretch.over.at, now, utc=utc)}"
        left += [(f"{over} after {at_least}{stretch.streak} failed", "success")]
    else:
        left += [(f"{glyph_of('failed')} {at_least}{stretch.streak} failed{when}", "failed")]
    if stretch.on_top is not None:
        top = stretch.on_top
        left.append((f"{glyph_of(top.status)} #{top.id} {clean(top.status)}", role_of(top.status)))
    if stretch.last_green is not None:
        return left, []
    return left, [("last success is older" if stretch.is_at_least else "never succeeded", "muted")]


def since_strip(stretch: IncidentTimeline, room: int) -> Pieces:
    """Return the newest runs, right-aligned in `room` cells."""
    return (*(strip_cell(run.status) for run in _newest(stretch, room)), (" ", "text"))


def _newest(stretch: IncidentTimeline, room: int) -> Sequence[PipelineRun]:
    cells = max(0, room - 2)
    return stretch.runs[-cells:] if cells else ()


def strip_legend(stretch: IncidentTimeline, room: int) -> tuple[Pieces, Pieces]:
    signs: list[Piece] = [(" ", "text")]
    for status in _CELLS:
        signs += [strip_cell(status), (f" {status} ", "muted")]
    every, shown = len(stretch.runs), len(_newest(stretch, room))
    part = f"newest {shown} of {every:,} runs" if shown < every else counted(every, "run")
    order, count = "oldest at left ", f"{part}, "
    taken = sum(len(text) for text, _ in signs) + len(order)
    return tuple(signs), ((count * (taken + len(count) < room) + order, "muted"),)
