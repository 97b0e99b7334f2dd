"""Jobs that pass and fail on one commit, so that nothing was changed in between."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.statuses import DECISIVE, GREEN, RED
from platui.models.values.triage import Flaky

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models import Job

_TURNS: Final = 2
"""One turn is no flake: something outside broke, or was mended."""


def flaky_jobs(jobs: Iterable[Job]) -> list[Flaky]:
    """Return the flaky ones, by name.

    A job is flaky when it passed and failed in one pipeline, as it was tried again; or when it
    went from one to the other more than once in pipelines of one commit.

    Args:
        jobs: of several pipelines, all attempts, each once.
    """
    runs: dict[tuple[str, str], list[Job]] = {}
    for job in jobs:
        sha = _sha(job)
        if sha and job.status in DECISIVE:
            runs.setdefault((job.name, sha), []).append(job)
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


def _is_flaky(ran: Sequence[Job]) -> bool:
    turns = [pair for pair in pairwise(ran) if pair[0].status != pair[1].status]
    return len(turns) >= _TURNS or any(_pipeline(one) == _pipeline(other) for one, other in turns)


def _pipeline(job: Job) -> int:
    # Where it is not told, no two attempts are taken for those of one pipeline.
    return job.pipeline.id if job.pipeline is not None else -job.id


def _newest(ran: Sequence[Job], status: str) -> int:
    return max(job.id for job in ran if job.status == status)
