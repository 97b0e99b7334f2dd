"""Valid bodies of the emulator, each with what decodes and what shows its records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.support.clock import FakeClock
from tests.support.platform import api_client, in_project, running_platform

from platui.api.decoding import PageDecoder, RecordDecoder, ResultDecoder
from platui.models.values.tests import FailedTest
from platui.models.wire import (
    AccessToken,
    Branch,
    Bridge,
    Commit,
    Comparison,
    FileDiff,
    Job,
    MergeRequest,
    Namespace,
    Pipeline,
    PipelineTests,
    Project,
    Record,
    RepositoryFile,
    Schedule,
    Tag,
    TreeEntry,
    User,
    Variable,
    Version,
)
from platui.present.details.jobs import job_details
from platui.present.details.pipelines import pipeline_details
from platui.present.details.projects import namespace_details, project_details
from platui.present.details.schedules import schedule_details
from platui.present.files.changes import change_details
from platui.present.schedules.runs import ScheduleState
from platui.present.tables.commits import CHANGED_FILES, COMMITS
from platui.present.tables.jobs import JOBS, NUMBERED_ARTIFACTS
from platui.present.tables.pipelines import PIPELINE_LINES, PipelineLine
from platui.present.tables.projects import NAMESPACES, PROJECTS, LastRun
from platui.present.tables.records import BRIDGES, JOB_RECORDS, PIPELINE_RECORDS, VARIABLES
from platui.present.tables.schedules import SCHEDULES, schedule_line
from platui.present.tables.spec import Context, TableSpec
from platui.present.tables.tests import TESTS

if TYPE_CHECKING:
    from platui.present.details.layout import Details

NOW: Final = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
AT: Final = Context(NOW, utc=True)

MODELS: Final[tuple[type[Record], ...]] = (
    AccessToken, Branch, Bridge, Commit, Comparison, FileDiff, Job, MergeRequest, Namespace,
    Pipeline, PipelineTests, Project, RepositoryFile, Schedule, Tag, TreeEntry, User, Variable,
    Version,
)  # fmt: skip

Decode = Callable[[bytes, dict[str, str]], Any]
Table = tuple[TableSpec[Any], Sequence[Any]]


_MERGE_REQUEST: Final = {"iid": 7, "title": "x", "web_url": "https://host/x"}
_FILE: Final = {"file_path": "a", "content": "YQ==", "encoding": "base64"}

LISTS: Final = (
    JOBS,
    PIPELINE_LINES,
    PROJECTS,
    NAMESPACES,
    SCHEDULES,
    COMMITS,
    CHANGED_FILES,
    TESTS,
)
"""Tables that commands print as CSV, too."""


class Body(NamedTuple):
    """A response as the platform sends it."""

    model: type[Record]
    is_list: bool
    value: Any

    @property
    def decode(self) -> Decode:
        if self.is_list:
            return PageDecoder(self.model, 1, 20)
        return RecordDecoder(self.model)


def decoders(model: type[Record]) -> tuple[Decode, ...]:
    """Return all that decodes responses with such records."""
    return RecordDecoder(model), PageDecoder(model, 1, 20), ResultDecoder(model)


@lru_cache(maxsize=1)
def bodies() -> tuple[Body, ...]:
    """Return what an emulator sends to the GET requests of the client."""
    with running_platform(clock=FakeClock()) as platform, api_client(platform) as client:

        def ask(model: type[Record], path: str) -> Body:
            response = client.get(path)
            response.raise_for_status()
            value = response.json()
            return Body(
                model, isinstance(value, list), value[:3] if isinstance(value, list) else value
            )

        pipelines = ask(Pipeline, in_project(platform, "pipelines?status=failed&per_page=3"))
        one = f"pipelines/{pipelines.value[0]['id']}"
        jobs = ask(Job, in_project(platform, f"{one}/jobs"))
        schedules = ask(Schedule, in_project(platform, "pipeline_schedules"))
        runs = client.get(in_project(platform, "pipelines?ref=main&per_page=100")).json()
        ends = f"from={runs[-1]['sha']}&to={runs[0]['sha']}"
        comparison = ask(Comparison, in_project(platform, f"repository/compare?{ends}"))
        return (
            pipelines, jobs, schedules, comparison,
            ask(Pipeline, in_project(platform, one)),
            ask(Job, in_project(platform, f"jobs/{jobs.value[0]['id']}")),
            ask(Bridge, in_project(platform, f"{one}/bridges")),
            ask(Variable, in_project(platform, f"{one}/variables")),
            ask(PipelineTests, in_project(platform, f"{one}/test_report")),
            ask(Schedule, in_project(platform, f"pipeline_schedules/{schedules.value[0]['id']}")),
            ask(Project, "projects?per_page=3"),
            ask(Project, in_project(platform)),
            ask(Namespace, "namespaces?per_page=3"),
            ask(Branch, in_project(platform, "repository/branches")),
            ask(TreeEntry, in_project(platform, "repository/tree")),
            ask(Tag, in_project(platform, "repository/tags")),
            ask(User, "user"),
            ask(AccessToken, "personal_access_tokens/self"),
            ask(Version, "version"),
            Body(Commit, is_list=False, value=jobs.value[0]["commit"]),
            Body(FileDiff, is_list=False, value=comparison.value["diffs"][0]),
            Body(MergeRequest, is_list=False, value=_MERGE_REQUEST),
            Body(RepositoryFile, is_list=False, value=_FILE),
        )  # fmt: skip


def _of_job(job: Job) -> list[Table]:
    line = PipelineLine(job.pipeline or Pipeline(id=1), job)
    artifacts = list(enumerate(job.artifacts))
    return [
        (JOBS, [job]), (JOB_RECORDS, [job]), (PIPELINE_LINES, [line]),
        (NUMBERED_ARTIFACTS, artifacts),
    ]  # fmt: skip


def _of_schedule(schedule: Schedule) -> list[Table]:
    state = ScheduleState(schedule, schedule.last_pipeline, knows_last=True)
    return [(SCHEDULES, [schedule_line(state, NOW, NOW)]), (VARIABLES, schedule.variables)]


def _of_tests(tests: PipelineTests) -> list[Table]:
    found = [FailedTest(one.name, case) for one in tests.test_suites for case in one.test_cases]
    return [(TESTS, found)]


_TABLES: Final[dict[type[Record], Callable[[Any], list[Table]]]] = {
    Pipeline: lambda one: [(PIPELINE_LINES, [PipelineLine(one, None)]), (PIPELINE_RECORDS, [one])],
    Job: _of_job,
    Bridge: lambda one: [(BRIDGES, [one])],
    Schedule: _of_schedule,
    Variable: lambda one: [(VARIABLES, [one])],
    Project: lambda one: [(PROJECTS, [LastRun(one), LastRun(one, is_watched=True)])],
    Namespace: lambda one: [(NAMESPACES, [one])],
    Commit: lambda one: [(COMMITS, [one])],
    FileDiff: lambda one: [(CHANGED_FILES, [one])],
    Comparison: lambda one: [(COMMITS, one.commits), (CHANGED_FILES, one.diffs)],
    PipelineTests: _of_tests,
}


def tables(record: Record) -> list[Table]:
    """Return the tables that show a record, with what they show of it."""
    return _TABLES.get(type(record), lambda _: [])(record)


def details_of(record: Record) -> Iterator[Details]:
    """Yield what the pane of details shows of a record."""
    match record:
        case Pipeline():
            yield pipeline_details(record, AT)
        case Job() | Bridge():
            yield job_details(record, AT)
            yield job_details(record, AT, is_printed=True)
        case Schedule():
            state = ScheduleState(record, record.last_pipeline, knows_last=True)
            yield schedule_details(state, NOW, AT)
        case Project():
            yield project_details(record, None, None, AT)
        case Namespace():
            yield namespace_details(record)
        case Commit() | FileDiff():
            yield change_details(record, AT)


def dumped(value: Any) -> bytes:
    """Return a body."""
    return json.dumps(value).encode()
