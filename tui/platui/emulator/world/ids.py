"""Numbers of pipelines and jobs: unique in the company, growing with time, readable backwards.

A pipeline's number is the minute it was created in and a lane. Each project has one lane for its
own pipelines and one for their children; what callers start has lanes above those. So a number
leads to its project and minute without any table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

JOBS: Final = 32
"""Jobs, retries among them, that one pipeline has room for."""


class Place(NamedTuple):
    """Where a pipeline's number leads."""

    minute: int
    lane: int
    added: bool
    """Whether a caller started it."""

    @property
    def child(self) -> bool:
        """Whether another pipeline started it."""
        return not self.added and self.lane % 2 == 1

    @property
    def project_lane(self) -> int:
        """The lane number of its project."""
        return self.lane // 2


@dataclass(frozen=True, slots=True)
class Numbering:
    """How a company numbers: with room for all its projects, and for what callers add."""

    lanes: int = 256
    """Pipelines that one minute has room for."""
    first_added_lane: int = 128
    """From here on the lanes belong to what callers started: above two for each project."""
    first_added_project: int = 1001
    first_added_schedule: int = 10_001

    def pipeline_id(self, minute: int, lane: int) -> int:
        """Return the number of the pipeline created in that minute on that lane."""
        return minute * self.lanes + lane

    def place_of(self, pipeline: int) -> Place:
        """Return the minute and lane of a pipeline's number."""
        minute, lane = divmod(pipeline, self.lanes)
        return Place(minute, lane, lane >= self.first_added_lane)


def job_id(pipeline: int, index: int) -> int:
    """Return the number of a pipeline's job; retries have larger indexes."""
    return pipeline * JOBS + index


def pipeline_of(job: int) -> tuple[int, int]:
    """Return the pipeline's number and the job's index in it."""
    return divmod(job, JOBS)


def model_mebibytes(job: int) -> int:
    """Return how large the model is that a training job saves: its log and its archive say so."""
    return 3 + job % 7
