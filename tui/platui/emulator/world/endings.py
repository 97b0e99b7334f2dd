"""How pipelines end: kept, and where possible told before anybody plans them.

To find the failed ones of some hundred pipelines, none but those has to be played through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.emulator.world.composite import status_of
from platui.emulator.world.paced import is_paced

if TYPE_CHECKING:
    from platui.emulator.records import Pipeline
    from platui.emulator.world.jobs import JobSpec, PipelineFile
    from platui.emulator.world.occasions import Fate
    from platui.emulator.world.plans import Plan

_CROWD: Final = 300.0
"""Seconds that the first jobs wait at most while all runners are busy."""

_LONGEST_STAGE: Final = 2000.0
"""Seconds that a stage takes at most: a job and another attempt of it, each with its queue."""

_RECORDS: Final = 256
"""Records that are kept of a project: a page or two, and those that failed."""

_GOOD: Final = frozenset({"green", "slow", "flaky"})
"""Fates that no job of any weight fails by in the end."""


class Ending(NamedTuple):
    """The last status of a pipeline, and since when it surely has that, in seconds since 1970."""

    since: float
    status: str


class Ended(NamedTuple):
    """The record of a pipeline, and since when it stays as it is, in seconds since 1970."""

    since: float
    record: Pipeline


class Records:
    """The last records of a project's own pipelines that were asked for and are over, by slot."""

    def __init__(self) -> None:
        self._ended: dict[int, Ended] = {}

    def get(self, slot: int, now: float) -> Pipeline | None:
        """Return a record, as it was kept, of a pipeline that is over by then."""
        found = self._ended.pop(slot, None)
        if found is None:
            return None
        self._ended[slot] = found
        return found.record if found.since <= now else None

    def keep(self, slot: int, since: float, record: Pipeline) -> None:
        """Keep the record of a pipeline that nobody did anything to."""
        self._ended.pop(slot, None)
        self._ended[slot] = Ended(since, record)
        if len(self._ended) > _RECORDS:
            del self._ended[next(iter(self._ended))]

    def renew(self, slot: int, record: Pipeline) -> None:
        """Put another record in the place of a kept one: its pipeline has moved up."""
        self._ended[slot] = self._ended[slot]._replace(record=record)

    def clear(self) -> None:
        """Forget all."""
        self._ended.clear()


def ending_of(plan: Plan) -> Ending:
    """Return how a pipeline ends that nobody does anything to."""
    latest = [one for one in plan.attempts if one.replaced_at is None]
    status = status_of((one.outcome, one.spec.allow_failure) for one in latest)
    return Ending(plan.settled, status)


def foretold(file: PipelineFile, fate: Fate, created: float) -> Ending | None:
    """Return how a pipeline of the company's own ends; None where only its plan tells."""
    if fate.kind == "invalid":
        return Ending(created, "failed")
    if is_paced(file):
        return None
    if fate.kind == "skipped":
        return Ending(created + 1.0, "skipped")
    if fate.kind not in _GOOD or any(_may_spoil(job) for job in file.jobs):
        return None
    return Ending(created + _CROWD + _LONGEST_STAGE * len(file.stages), "success")


def _may_spoil(job: JobSpec) -> bool:
    """Tell whether a job may leave its pipeline in another status than success."""
    return job.bridge or (job.when == "manual" and not job.allow_failure)
