"""Numbers of pipelines and jobs: unique in the company, growing with time, readable backwards.

A pipeline's number is the minute it was created in and a lane. Each project has one lane for its
own pipelines and one for their children; what callers start has lanes above those. So a number
leads to its project and minute without any table.
"""

from __future__ import annotations

from typing import Final, NamedTuple

LANES: Final = 256
"""Pipelines that one minute has room for."""

FIRST_ADDED_LANE: Final = 128
"""From here on the lanes belong to what callers started."""

JOBS: Final = 32
"""Jobs, retries among them, that one pipeline has room for."""


class Place(NamedTuple):
    """Where a pipeline's number leads."""

    minute: int
    lane: int

    @property
    def added(self) -> bool:
        """Whether a caller started it."""
        return self.lane >= FIRST_ADDED_LANE

    @property
    def child(self) -> bool:
        """Whether another pipeline started it."""
        return not self.added and self.lane % 2 == 1

    @property
    def project_lane(self) -> int:
        """The lane number of its project."""
        return self.lane // 2


def pipeline_id(minute: int, lane: int) -> int:
    """Return the number of the pipeline created in that minute on that lane."""
    return minute * LANES + lane


def place_of(pipeline: int) -> Place:
    """Return the minute and lane of a pipeline's number."""
    return Place(*divmod(pipeline, LANES))


def job_id(pipeline: int, index: int) -> int:
    """Return the number of a pipeline's job; retries have larger indexes."""
    return pipeline * JOBS + index


def pipeline_of(job: int) -> tuple[int, int]:
    """Return the pipeline's number and the job's index in it."""
    return divmod(job, JOBS)
