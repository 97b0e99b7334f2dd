"""Which jobs of a pipeline are followed: those that run or failed, and those that begin later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.attempts import current_attempts, stage_order
from platui.service.cadence import REFUSED
from platui.service.statuses import ENDED, MOVING, UNSTARTED
from platui.service.strand import Strand, label, name_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models import Job
    from platui.service.job_log import JobLog


class FollowedJobs:
    """The jobs as their list has them, and a strand for each that is followed.

    Attributes:
        jobs: all of them, as they were listed last.
    """

    def __init__(self, open_log: Callable[[int], JobLog], *, whole: bool = False) -> None:
        """Take what is needed.

        Args:
            open_log: returns the log of a job.
            whole: whether what had ended before the first list belongs to it, too.
        """
        self.jobs: tuple[Job, ...] = ()
        self._open_log = open_log
        self._whole = whole
        self._strands: dict[int, Strand] = {}
        self._past: frozenset[int] | None = None
        """Jobs that had ended well before following began; None until the list is known."""
        self._width = 1

    def take(self, jobs: tuple[Job, ...]) -> None:
        """Let every job join that runs or failed, or that began since."""
        order = stage_order(jobs)
        ordered = sorted(jobs, key=lambda job: (order[job.stage], job.id))
        is_first = self._past is None
        if self._past is None:
            failed = {j.id for j in current_attempts(jobs).values() if j.status == "failed"}
            past = {j.id for j in jobs if j.status in ENDED and j.id not in failed}
            self._past = frozenset() if self._whole else frozenset(past)
            self._width = name_width(job.name for job in jobs if job.id not in self._past)
        self.jobs = jobs
        names = {name: number for number, name in enumerate(dict.fromkeys(j.name for j in ordered))}
        for job in ordered:
            strand = self._strands.get(job.id)
            if strand is not None:
                strand.job = job
            elif job.id not in self._past and _has_begun(job):
                self._strands[job.id] = Strand(
                    job,
                    self._open_log(job.id),
                    label(job.name, names[job.name], self._width),
                    from_start=self._whole or not is_first,
                )

    def live(self, now: float) -> list[Strand]:
        """Return those whose log may grow, or is owed its end, the longest unseen first.

        Args:
            now: monotonic seconds.
        """
        live = [
            strand
            for strand in self._strands.values()
            if not (strand.is_over or strand.is_busy)
            and not (strand.has_ended and strand.read_at is None)
            and not _is_put_off(strand, now)
        ]
        live.sort(key=lambda strand: -1.0 if strand.read_at is None else strand.read_at)
        return live

    def owed(self) -> list[Strand]:
        """Return those that had ended before anybody read them."""
        strands = self._strands.values()
        return [s for s in strands if s.has_ended and s.read_at is None and not s.is_busy]

    @property
    def is_known(self) -> bool:
        """Return whether the jobs were ever listed."""
        return self._past is not None

    @property
    def has_any(self) -> bool:
        """Return whether any job is followed."""
        return bool(self._strands)

    @property
    def has_unread(self) -> bool:
        """Return whether a log that is followed is not handed on as a whole."""
        return any(not strand.is_over for strand in self._strands.values())

    @property
    def are_over(self) -> bool:
        """Return whether no job moves any more, and every log that is followed is handed on."""
        moves = any(job.status in MOVING for job in self.jobs)
        return self.is_known and not moves and not self.has_unread

    @property
    def is_partial(self) -> bool:
        """Return whether only a part is shown of some log."""
        return any(strand.is_partial for strand in self._strands.values())

    @property
    def followed(self) -> Sequence[Job]:
        """Return the jobs that are followed, in the order of their stages."""
        order = stage_order(self.jobs)
        jobs = [strand.job for strand in self._strands.values()]
        return sorted(jobs, key=lambda job: (order.get(job.stage, 0), job.id))

    @property
    def count(self) -> int:
        """Return how many jobs the pipeline has, attempts at one counted once."""
        return len({job.name for job in self.jobs})

    @property
    def waiting(self) -> int:
        """Return how many jobs are yet to begin by themselves."""
        return sum(job.status in UNSTARTED & MOVING for job in self.jobs)

    @property
    def status(self) -> str:
        """Return how the pipeline stands, as its jobs tell."""
        told = next((job.pipeline.status for job in self.jobs if job.pipeline is not None), "")
        if told or not self.jobs:
            return told
        newest = current_attempts(self.jobs).values()
        if any(job.status in MOVING for job in newest):
            return "running"
        lost = [job.status for job in newest if not job.allow_failure]
        return next((status for status in ("failed", "canceled") if status in lost), "success")


def _has_begun(job: Job) -> bool:
    """Return whether a job has, or will soon have, a log: not one that was skipped."""
    return job.status not in UNSTARTED and (job.status in MOVING or job.started_at is not None)


def _is_put_off(strand: Strand, now: float) -> bool:
    """Return whether the log of a job that runs was refused a moment ago."""
    return (
        strand.refused
        and not strand.has_ended
        and strand.read_at is not None
        and now - strand.read_at < REFUSED
    )
