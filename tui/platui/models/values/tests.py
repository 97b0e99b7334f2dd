"""The failed tests of a pipeline, compared with the last successful one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from platui.core.named_tuple import NamedTuple
from platui.models.values.statuses import ENDED

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline
    from platui.models.wire.tests import CaseResult


class ReportedPipeline(NamedTuple):
    """A pipeline whose test report is wanted."""

    project: ProjectRef
    id: int
    ended_at: datetime | None  # None: it runs
    suite: str = ""  # Only the tests of this job; empty: all

    @classmethod
    def of(cls, project: ProjectRef, pipeline: Pipeline, suite: str = "") -> ReportedPipeline:
        ended = pipeline.finished_at or pipeline.updated_at
        return cls(project, pipeline.id, ended if pipeline.status in ENDED else None, suite)


class FailedTest(NamedTuple):
    suite: str  # The name of its job
    case: CaseResult
    is_new: bool | None = None  # Whether it did not fail in the last success; None: unknown

    @property
    def key(self) -> str:
        return " › ".join(filter(None, (self.suite, self.case.classname, self.case.name)))


class FailedTests(NamedTuple):
    total: int = 0  # Number of tests
    failed: tuple[FailedTest, ...] = ()  # New ones first
    last_success: int | None = None  # The pipeline they are compared with; None: unknown
    broken_suites: tuple[str, ...] = ()  # Jobs whose reports could not be read, and why
    is_supported: bool = True

    @property
    def new(self) -> int:
        return sum(one.is_new is True for one in self.failed)

    @property
    def has_report(self) -> bool:
        return self.total > 0 or bool(self.broken_suites)

    def of_suite(self, suite: str) -> FailedTests:
        """Return the tests of one job; of all with an empty name."""
        failed = tuple(one for one in self.failed if suite in {"", one.suite})
        return self._replace(failed=failed)
