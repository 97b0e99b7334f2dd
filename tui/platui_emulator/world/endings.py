"""Final states of pipelines, computed without a full plan where possible, for filters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from platui_emulator.world.planner import is_paced
from platui_emulator.world.views import status_of

if TYPE_CHECKING:
    from platui_emulator.records import Pipeline
    from platui_emulator.world.catalogue import PipelineFile
    from platui_emulator.world.pipeline_starts import PlannedResult
    from platui_emulator.world.plans import Plan

_CROWD: Final = 300.0
"""Seconds that the first jobs wait at most while all runners are busy."""

_LONGEST_STAGE: Final = 2000.0
"""Seconds that a stage takes at most: a job and another attempt of it, each with its queue."""

_RECORDS: Final = 256
"""Records that are kept of a project: a page or two, and those that failed."""

_REACH: Final = 640
"""Slots back from the newest one asked about whose records are kept: all that a filter sees."""

_LATEST_RESCUE: Final = 1600.0
"""Maximum seconds until a user retries a failure."""

_MOMENT: Final = 1.0


class Ending(NamedTuple):
    """The last status of a pipeline, and since when it surely has that, in seconds since 1970."""

    since: float
    status: str


class Ended(NamedTuple):
    """The final record of a pipeline, and since when it is final, in seconds since 1970."""

    since: float
    record: Pipeline


class Records:
    """Cache of the final records of a project's own pipelines, by slot."""

    def __init__(self) -> None:
        self._ended: dict[int, Ended] = {}
        self._newest = 0

    def get(self, slot: int, now: float) -> Ended | None:
        """Return the cached record of a pipeline that has ended by then."""
        found = self._ended.pop(slot, None)
        if found is None:
            return None
        self._ended[slot] = found
        return found if found.since <= now else None

    def keep(self, slot: int, since: float, record: Pipeline) -> None:
        """Cache the record of a pipeline without interventions."""
        self._newest = max(self._newest, slot)
        if slot <= self._newest - _REACH:
            return  # somebody leafs through the past, and does not come back
        self._ended.pop(slot, None)
        self._ended[slot] = Ended(since, record)
        if len(self._ended) > _RECORDS:
            del self._ended[next(iter(self._ended))]

    def clear(self) -> None:
        self._ended.clear()
        self._newest = 0


def ending_of(plan: Plan) -> Ending:
    """Return how a pipeline without interventions ends."""
    latest = [one for one in plan.attempts if one.replaced_at is None]
    status = status_of((one.outcome, one.spec.allow_failure) for one in latest)
    return Ending(plan.settled, status)


class EndingForecast:
    """Predicts how a project's own pipelines end, from their files and fates."""

    def __init__(self, files: Iterable[PipelineFile]) -> None:
        self._plain = {file.path: _is_plain(file) for file in files}

    def ending(self, file: PipelineFile, fate: PlannedResult, created: float) -> Ending | None:
        """Return how a pipeline ends; None if only its plan can show it."""
        if fate.kind == "invalid":
            return Ending(created, "failed")
        if not self._plain[file.path] or fate.kind in {"canceled", "stuck"}:
            return None
        if fate.kind == "skipped":
            return Ending(created + _MOMENT, "skipped")
        after = _CROWD + _LONGEST_STAGE * len(file.stages)
        if fate.kind != "red" or not _strikes(fate, file):
            return Ending(created + after, "success")
        if fate.rescued:
            return Ending(created + 2 * after + _LATEST_RESCUE, "success")
        return Ending(created + after, "failed")


def _is_plain(file: PipelineFile) -> bool:
    return not is_paced(file) and not any(
        job.bridge or (job.when == "manual" and not job.allow_failure) for job in file.jobs
    )


def _strikes(fate: PlannedResult, file: PipelineFile) -> bool:
    works = fate.cause.works if fate.cause else ()
    return any(job.work in works and not job.allow_failure for job in file.jobs)
