"""What the simulated company consists of, as frozen values; `render` turns them to JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Person:
    """A user of the platform, human or the bot of a project or group token."""

    id: int
    username: str
    name: str
    email: str
    state: str = "active"
    bot: bool = False
    created_at: datetime | None = None
    job_title: str = ""
    location: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A group, which is also a namespace of kind `group`."""

    id: int
    name: str
    path: str
    full_path: str
    parent_id: int | None
    visibility: str = "private"


@dataclass(frozen=True, slots=True)
class Project:
    """A project; `group_id` may be the id of a person, which are never those of groups."""

    id: int
    name: str
    path: str
    full_path: str
    group_id: int
    description: str
    created_at: datetime
    default_branch: str = "main"
    visibility: str = "private"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of a project."""

    sha: str
    title: str
    message: str
    author: Person
    authored_at: datetime
    parents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch and its newest commit."""

    name: str
    commit: Commit
    default: bool
    protected: bool


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag and its commit."""

    name: str
    message: str
    commit: Commit
    protected: bool = True
    """Only maintainers make and run it."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A pipeline variable. `secret` values are never rendered."""

    key: str
    value: str
    variable_type: str = "env_var"
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A pipeline at one moment of time."""

    id: int
    iid: int
    project_id: int
    sha: str
    before_sha: str
    ref: str
    tag: bool
    status: str
    source: str
    name: str | None
    user: Person
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    committed_at: datetime
    duration: int | None
    queued_duration: int | None
    coverage: str | None
    yaml_errors: str | None
    variables: tuple[Variable, ...] = ()
    parent_id: int | None = None
    warnings: bool = False
    """A job that is allowed to fail did (`passed with warnings`)."""


@dataclass(frozen=True, slots=True)
class Runner:
    """A machine that runs jobs."""

    id: int
    description: str
    ip_address: str
    name: str
    shared: bool
    online: bool = True


@dataclass(frozen=True, slots=True)
class Job:
    """A job at one moment of time."""

    id: int
    project_id: int
    pipeline_id: int
    name: str
    stage: str
    status: str
    ref: str
    tag: bool
    allow_failure: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    duration: float | None
    queued_duration: float | None
    user: Person
    commit: Commit
    runner: Runner | None
    failure_reason: str | None
    coverage: float | None = None
    retried: bool = False
    erased_at: datetime | None = None
    """When log and artifacts were erased."""
    artifacts: Sequence[Artifact] = ()
    artifacts_expire_at: datetime | None = None
    """When its archive is, or was, thrown away; None where it has none or keeps it."""
    tags: tuple[str, ...] = ()
    """What it asks of a runner."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """Something that a job left behind. `file_type`: archive, metadata, junit or trace."""

    file_type: str
    size: int
    filename: str
    file_format: str | None


@dataclass(frozen=True, slots=True)
class CaseReport:
    """A test and its result. `status`: success or failed."""

    name: str
    classname: str
    file: str | None
    status: str
    seconds: float
    output: str | dict[str, str] | None = None
    """The message of a failed test: text, or the attributes of its failure."""
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """The tests of one job."""

    name: str
    job_id: int
    cases: tuple[CaseReport, ...]

    @property
    def seconds(self) -> float:
        return round(sum(case.seconds for case in self.cases), 3)

    def count(self, status: str) -> int:
        return sum(1 for case in self.cases if case.status == status)


@dataclass(frozen=True, slots=True)
class Bridge:
    """A job that starts a child pipeline."""

    job: Job
    downstream: Pipeline | None


@dataclass(frozen=True, slots=True)
class Schedule:
    """A pipeline schedule at one moment of time."""

    id: int
    project_id: int
    description: str
    ref: str
    cron: str
    cron_timezone: str
    active: bool
    next_run_at: datetime | None
    created_at: datetime
    updated_at: datetime
    owner: Person | None
    last_pipeline_id: int | None = None
    variables: tuple[Variable, ...] = ()
    inputs: tuple[Input, ...] = ()


@dataclass(frozen=True, slots=True)
class Input:
    """A named value that a schedule hands to its pipelines: text, number, flag or list."""

    name: str
    value: object


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """Changes of a schedule; None leaves a field unchanged."""

    description: str | None = None
    ref: str | None = None
    cron: str | None = None
    cron_timezone: str | None = None
    active: bool | None = None
    owner: Person | None = None
    variables: tuple[Variable, ...] | None = None
    inputs: tuple[Input, ...] | None = None


@dataclass(frozen=True, slots=True)
class File:
    """A repository file at a commit."""

    path: str
    content: bytes
    sha: str
    last_commit_sha: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that differs between two commits. `diff`: its hunks, empty where it only moved."""

    old_path: str
    new_path: str
    diff: str
    new: bool
    renamed: bool
    deleted: bool
    too_large: bool


@dataclass(frozen=True, slots=True)
class MergeRequest:
    """The request to merge a feature branch. `state`: opened or merged."""

    number: int
    title: str
    branch: str
    author: Person
    created_at: datetime
    merged_at: datetime | None

    @property
    def state(self) -> str:
        return "opened" if self.merged_at is None else "merged"


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry of a repository folder. `type`: tree or blob."""

    id: str
    name: str
    path: str
    type: str
    mode: str


@dataclass(frozen=True, slots=True)
class PlantedCause:
    """A cause that the company knows of, and what it has broken: ids of each."""

    key: str
    words: str
    since: datetime
    projects: tuple[int, ...]
    pipelines: tuple[int, ...]
    jobs: tuple[int, ...]
    first_broken_project: int | None = None
    first_broken_commit: str | None = None
    """The commit that it began with, where it was one."""


@dataclass(frozen=True, slots=True)
class Membership:
    """Who holds which level (GUEST … OWNER) in a group or project."""

    person_id: int
    level: str


@dataclass(frozen=True, slots=True)
class PlantedError:
    """An error planted in a long log, and its position."""

    line: int
    """Its place among the logical lines, counted from 1."""
    offset: int
    """Where the bytes of that line begin."""
    text: str
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LongLog:
    """A finished long log and its planted errors."""

    project_id: int
    pipeline_id: int
    job_id: int
    size: int
    lines: int
    """Logical lines: those that continue one are part of it."""
    errors: tuple[PlantedError, ...]
    """In the order of the log; why the job failed is last."""


class Span(NamedTuple):
    """A time with open or closed ends, both counted in."""

    after: datetime | None = None
    before: datetime | None = None

    def holds(self, when: datetime) -> bool:
        return (self.after is None or self.after <= when) and (
            self.before is None or when <= self.before
        )


ANY_TIME: Final = Span()


class WorldError(Exception):
    """A write the company refuses; the text is the reason of a 400 or 403 answer."""


class LongText(Protocol):
    """A text that is made while it is read; the same each time it is."""

    @property
    def size(self) -> int | None:
        """Size in bytes; None if unknown before reading."""

    @property
    def identity(self) -> str:
        """What decides over its bytes: two texts with one identity are equal."""

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from `start` up to, not including, `end`."""
