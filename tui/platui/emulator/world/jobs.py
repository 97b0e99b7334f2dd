"""What a job and a pipeline file are, before anything runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

INGEST: Final = "Batch Ingestion"
SOURCE_TESTS: Final = "Source Tests"
TRANSFORM: Final = "Transformation"
TRAINING: Final = "Training"
TRANSFORM_TESTS: Final = "Transformation Tests"
SYNC: Final = "Activation"
DOCS: Final = "Docs"
CLEAN_UP: Final = "Clean Up"

STAGES: Final = (
    INGEST, SOURCE_TESTS, TRANSFORM, TRAINING, TRANSFORM_TESTS, SYNC, DOCS, CLEAN_UP,
)  # fmt: skip

DEFAULT_FILE: Final = "full-ci.yml"
CHILD_FILE: Final = "pipelines/marts-ci.yml"
FILE_VARIABLE: Final = "_PIPELINE_FILE_NAME"


@dataclass(frozen=True, slots=True)
class JobSpec:
    """A job as its pipeline file describes it."""

    name: str
    stage: str
    work: str
    """What it does, which decides its script, its log and what can go wrong with it."""
    seconds: float
    """How long it usually takes."""
    subject: str = ""
    """The table or model it is about, if it is about one."""
    allow_failure: bool = False
    when: str = "on_success"
    tag: str = "data"
    log_bytes: int = 0
    """The length of its log, where that is not left to what it does."""
    lines_per_second: int = 0
    """How fast its log grows, where it runs until somebody stops it."""

    @property
    def bridge(self) -> bool:
        """Whether it starts a child pipeline instead of running a script."""
        return self.work == "bridge"


@dataclass(frozen=True, slots=True)
class PipelineFile:
    """A pipeline file: its jobs, in stage order."""

    path: str
    title: str
    jobs: tuple[JobSpec, ...]
    stages: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The stages that have jobs, in order."""

    def __post_init__(self) -> None:
        used = {job.stage for job in self.jobs}
        # Frozen, and read for every pipeline that is planned.
        object.__setattr__(self, "stages", tuple(stage for stage in STAGES if stage in used))


def pipeline_file(path: str, title: str, jobs: list[JobSpec]) -> PipelineFile:
    """Return the file with its jobs put in stage order."""
    return PipelineFile(path, title, tuple(sorted(jobs, key=lambda job: STAGES.index(job.stage))))
