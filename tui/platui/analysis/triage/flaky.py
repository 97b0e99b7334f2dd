"""Jobs that pass and fail on one commit, so that nothing was changed in between."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.attempts import DECISIVE, GREEN, RED
from platui.models.values.triage import Flaky

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.wire import Job

_TURNS: Final = 2
"""One turn is no flake: something outside broke, or was mended."""


class JobRun(NamedTuple):
    """One try of a job, as far as it tells whether the job is flaky."""

    id: int
    name: str
    sha: str
    pipeline: int
    """Where it is not told, no two tries are taken for those of one pipeline."""
    status: str


def runs_of(jobs: Iterable[Job]) -> tuple[JobRun, ...]:
    """Return the tries that passed or failed, of which the commit is known."""
    return tuple(
        JobRun(job.id, job.name, sha, _pipeline(job), job.status)
        for job in jobs
        if job.status in DECISIVE and (sha := _sha(job))
    )


def flaky_runs(tried: Iterable[JobRun]) -> list[Flaky]:
    """Return the flaky ones, by name.

    A job is flaky when it passed and failed in one pipeline, as it was tried again; or when it went
    from one to the other more than once in pipelines of one commit. `tried` holds all attempts of
    several pipelines.
    """
    runs: dict[tuple[str, str], list[JobRun]] = {}
    for run in tried:
        runs.setdefault((run.name, run.sha), []).append(run)
    found = []
    for (name, sha), ran in sorted(runs.items()):
        ran.sort(key=lambda one: one.id)
        if _is_flaky(ran):
            found.append(Flaky(name, sha, _newest(ran, GREEN), _newest(ran, RED)))
    return found


def _sha(job: Job) -> str:
    if job.commit is not None and job.commit.id:
        return job.commit.id
    return job.pipeline.sha if job.pipeline is not None else ""


def _is_flaky(ran: Sequence[JobRun]) -> bool:
    turns = [pair for pair in pairwise(ran) if pair[0].status != pair[1].status]
    return len(turns) >= _TURNS or any(one.pipeline == other.pipeline for one, other in turns)


def _pipeline(job: Job) -> int:
    return job.pipeline.id if job.pipeline is not None else -job.id


def _newest(ran: Sequence[JobRun], status: str) -> int:
    return max(run.id for run in ran if run.status == status)
