"""The results of a search through the logs of a pipeline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import current_attempts, stage_order
from platui.models.values.search import JobHits, PipelineHits, ReadState
from platui.models.values.statuses import ACTIVE, ENDED
from platui.service.resources.jobs import has_log

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.wire import Job

_UNREAD: Final = frozenset({ReadState.WAITING, ReadState.READING})


class PipelineFindings:
    """Stores the searched logs and their hits; calls `on_change` after each change."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._order: list[int] = []
        self._logs: dict[int, JobHits] = {}
        self._earlier = 0
        self._active = 0
        self._fetched_at: datetime | None = None
        self._error: PlatuiError | None = None
        self.listed = False
        self.stopped = False
        self.version = 0

    def take_jobs(self, jobs: tuple[Job, ...], fetched_at: datetime | None) -> None:
        order = stage_order(jobs)
        newest = current_attempts(jobs)
        with_log = [j for j in newest.values() if has_log(j)]
        with_log.sort(key=lambda job: (_rank(job), order[job.stage], job.id))
        self._order = [job.id for job in with_log]
        self._earlier = sum(has_log(job) for job in jobs) - len(with_log)
        self._active = sum(job.status in ACTIVE for job in newest.values())
        self._logs = {
            job.id: replace(self._logs.get(job.id) or JobHits(job), job=job) for job in with_log
        }
        self._fetched_at = fetched_at
        self.listed, self._error = True, None
        self._changed()

    def job(self, number: int) -> Job:
        return self._logs[number].job

    @property
    def unread(self) -> list[int]:
        return [number for number in self._order if self._logs[number].state in _UNREAD]

    def put(self, number: int, log: JobHits) -> None:
        self._logs[number] = log
        self._changed()

    def read(self, number: int) -> None:
        self.put(number, replace(self._logs[number], state=ReadState.READING))

    def set_error(self, error: PlatuiError | None) -> None:
        self._error = error
        self._changed()

    def stop(self) -> None:
        self.stopped = True
        self._changed()

    def reset_counts(self) -> None:
        for number, log in self._logs.items():
            if log.state is not ReadState.DONE or log.job.status not in ENDED:
                self._logs[number] = JobHits(log.job, hits=log.hits, total=log.total)
        self.stopped, self.listed, self._error = False, False, None
        self._changed()

    def so_far(self, *, is_short: bool) -> PipelineHits:
        logs = tuple(self._logs[number] for number in self._order)
        reading = any(log.state is ReadState.READING for log in logs)
        return PipelineHits(
            logs,
            self.listed,
            self._earlier,
            self.stopped,
            reading and is_short,
            self._fetched_at,
            self._error,
            self._active,
        )

    def _changed(self) -> None:
        self.version += 1
        self._on_change()


def _rank(job: Job) -> int:
    return 0 if job.status == "failed" else 1 if job.status in ACTIVE else 2
