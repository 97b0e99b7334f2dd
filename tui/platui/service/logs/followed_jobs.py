"""Choose the jobs of a pipeline to follow: running, failed and later ones."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import current_attempts, stage_order
from platui.models.values.many_logs import StreamJobs
from platui.models.values.statuses import ACTIVE, FINAL, UNSTARTED
from platui.service.feeds.poll_interval import REFUSED
from platui.service.logs.follower import LogFollower, label, name_width
from platui.service.resources.jobs import has_log

if TYPE_CHECKING:
    from platui.models.wire import Job
    from platui.service.logs.job_logs import JobLog

# Status of a pipeline that waits for one of its jobs, and of that job; it may also wait for a
# trigger job, which is not listed.
_WAITED_FOR: Final = frozenset({"manual", "scheduled"})


class FollowedJobs:
    """The listed jobs, and a follower for each followed one."""

    def __init__(self, open_log: Callable[[int], JobLog], *, whole: bool = False) -> None:
        self.jobs: tuple[Job, ...] = ()
        self._open_log = open_log
        self._whole = whole
        self._followers: dict[int, LogFollower] = {}
        # jobs that had succeeded before; None until listed
        self._past: frozenset[int] | None = None
        self.will_be_none = False  # whether the pipeline has ended without jobs
        self._width = 1

    def take(self, jobs: tuple[Job, ...]) -> None:
        order = stage_order(jobs)
        ordered = sorted(jobs, key=lambda job: (order[job.stage], job.id))
        is_first = self._past is None
        if self._past is None:
            failed = {j.id for j in current_attempts(jobs).values() if j.status == "failed"}
            past = {j.id for j in jobs if j.status in FINAL and j.id not in failed}
            self._past = frozenset() if self._whole else frozenset(past)
        if not self._followers:
            self._width = name_width(job.name for job in jobs if job.id not in self._past)
        self.jobs = jobs
        names = {name: number for number, name in enumerate(dict.fromkeys(j.name for j in ordered))}
        for job in ordered:
            follower = self._followers.get(job.id)
            if follower is not None:
                follower.job = job
            elif job.id not in self._past and has_log(job):
                self._followers[job.id] = LogFollower(
                    job,
                    self._open_log(job.id),
                    label(job.name, names[job.name], self._width),
                    from_start=self._whole or not is_first,
                )

    def live(self, now: float) -> list[LogFollower]:
        """Return the followers to read at this monotonic second, least recently read first."""
        live = [
            follower
            for follower in self._followers.values()
            if not (follower.is_over or follower.is_busy)
            and not (follower.has_ended and follower.read_at is None)
            and (follower.has_ended or not follower.refused or now - follower.last_read >= REFUSED)
        ]
        return sorted(live, key=lambda follower: follower.last_read)

    def owed(self) -> list[LogFollower]:
        followers = self._followers.values()
        return [s for s in followers if s.has_ended and s.read_at is None and not s.is_busy]

    @property
    def is_known(self) -> bool:
        return self._past is not None

    @property
    def has_any(self) -> bool:
        return bool(self._followers)

    @property
    def has_unread(self) -> bool:
        return any(not follower.is_over for follower in self._followers.values())

    @property
    def are_over(self) -> bool:
        if not self.jobs:  # they may not be created yet
            return self.will_be_none
        moving = ACTIVE | _WAITED_FOR if self.status in _WAITED_FOR else ACTIVE
        moves = any(job.status in moving for job in self.jobs)
        return self.is_known and not moves and not self.has_unread

    def stream(self, fetched_at: datetime | None) -> StreamJobs:
        order = stage_order(self.jobs)
        followed = [follower.job for follower in self._followers.values()]
        return StreamJobs(
            self.status,
            jobs=tuple(sorted(followed, key=lambda job: (order.get(job.stage, 0), job.id))),
            waiting=sum(job.status in UNSTARTED & ACTIVE for job in self.jobs),
            total=len({job.name for job in self.jobs}),
            is_partial=any(follower.is_partial for follower in self._followers.values()),
            fetched_at=fetched_at,
        )

    @property
    def status(self) -> str:
        status = next((job.pipeline.status for job in self.jobs if job.pipeline is not None), "")
        if status or not self.jobs:
            return status
        newest = current_attempts(self.jobs).values()
        if any(job.status in ACTIVE for job in newest):
            return "running"
        lost = [job.status for job in newest if not job.allow_failure]
        return next((status for status in ("failed", "canceled") if status in lost), "success")
