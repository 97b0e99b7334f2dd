"""What the HTTP half asks of the simulated company: every method answers for one moment.

The company is a function of (seed, time); what callers did to it (`WorldActs`) is kept beside
it. Lists are windows, so that a caller never makes the whole list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from platui.emulator.world_acts import WorldActs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.emulator.access_report import AccessReport, ReportChanges
    from platui.emulator.long_text import ArchiveText, LongText
    from platui.emulator.records import (
        Branch,
        Bridge,
        Commit,
        File,
        Group,
        Job,
        LongLog,
        Membership,
        Person,
        Pipeline,
        PlantedCause,
        Project,
        Schedule,
        SuiteReport,
        Tag,
        TreeEntry,
    )


class Span(NamedTuple):
    """A time with open or closed ends, both counted in."""

    after: datetime | None = None
    before: datetime | None = None

    def holds(self, when: datetime) -> bool:
        """Tell whether a moment is within it."""
        return (self.after is None or self.after <= when) and (
            self.before is None or when <= self.before
        )


ANY_TIME: Final = Span()


class World(WorldActs, Protocol):
    """The company: what is there, and, as `WorldActs`, what can be done to it."""

    # people and places; small lists are returned whole, in id order
    def people(self) -> Sequence[Person]:
        """Return everybody, bots among them."""
        ...

    def groups(self) -> Sequence[Group]:
        """Return all groups, parents before children."""
        ...

    def projects(self) -> Sequence[Project]:
        """Return all projects."""
        ...

    def project(self, ref: int | str) -> Project | None:
        """Return the project with that id or full path."""
        ...

    def group(self, ref: int | str) -> Group | None:
        """Return the group with that id or full path."""
        ...

    def person(self, person_id: int) -> Person | None:
        """Return somebody by id."""
        ...

    def last_activity(self, project_id: int, now: datetime) -> datetime:
        """Return when a project last started a pipeline, or else when it was created."""
        ...

    def truth(self, now: datetime) -> Sequence[PlantedCause]:
        """Return the causes behind what is red now, the widest first."""
        ...

    def by_activity(self, now: datetime) -> Sequence[Project]:
        """Return all projects, the one that started nothing for longest first."""
        ...

    def group_members(self, group_id: int) -> Sequence[Membership]:
        """Return the direct members of a group."""
        ...

    def project_members(self, project_id: int) -> Sequence[Membership]:
        """Return the direct members of a project."""
        ...

    def showcase(self, now: datetime) -> Project:
        """Return a project whose newest finished pipeline on its default branch failed."""
        ...

    # pipelines, newest first; `limit` None asks for the count only where it is cheap
    def pipelines(  # noqa: PLR0913  (one filter each)
        self,
        project_id: int,
        now: datetime,
        *,
        offset: int,
        limit: int,
        status: str | None = None,
        ref: str | None = None,
        sha: str | None = None,
        source: str | None = None,
        username: str | None = None,
        name: str | None = None,
        yaml_errors: bool | None = None,
        created: Span = ANY_TIME,
        updated: Span = ANY_TIME,
    ) -> tuple[Sequence[Pipeline], int]:
        """Return a window, newest first, and how many there are in all.

        Children are among them only where `source` asks for them. With a filter, only the newest
        few hundred are looked at, counted from the end of `created` where that is in the past.
        """
        ...

    def pipeline(self, project_id: int, pipeline_id: int, now: datetime) -> Pipeline | None:
        """Return a pipeline, a child one too."""
        ...

    def jobs(
        self, project_id: int, pipeline_id: int, now: datetime, *, with_retried: bool
    ) -> Sequence[Job]:
        """Return the jobs of a pipeline, newest id first, bridges left out."""
        ...

    def bridges(self, project_id: int, pipeline_id: int, now: datetime) -> Sequence[Bridge]:
        """Return the jobs of a pipeline that start child pipelines."""
        ...

    def project_jobs(
        self,
        project_id: int,
        now: datetime,
        *,
        offset: int,
        limit: int,
        scope: frozenset[str] = frozenset(),
        before: int | None = None,
    ) -> Sequence[Job]:
        """Return a window of all jobs, or those with ids below one, newest id first.

        Retried ones are among them.
        """
        ...

    def job(self, project_id: int, job_id: int, now: datetime) -> Job | None:
        """Return a job; None for a bridge."""
        ...

    def bridge(self, project_id: int, job_id: int, now: datetime) -> Bridge | None:
        """Return a job that starts a child pipeline; None for any other."""
        ...

    def trace(self, project_id: int, job_id: int, now: datetime) -> bytes | LongText | None:
        """Return the log as it stands: empty when the job never started, None for no job."""
        ...

    def long_logs(self) -> Sequence[LongLog]:
        """Return the finished logs that are too long to be held, and what was planted in them."""
        ...

    # the administration API's report: a period is a day, counted from the company's first
    def report(self, period: int) -> AccessReport:
        """Return the access report (spec 2.1) of a period."""
        ...

    def report_changes(self, since: int, until: int) -> ReportChanges:
        """Return what the report of a later period has changed."""
        ...

    # what jobs left behind
    def archive(self, project_id: int, job_id: int, now: datetime) -> ArchiveText | None:
        """Return the archive of a job; None where there is none, or none any more."""
        ...

    def suites(self, project_id: int, pipeline_id: int, now: datetime) -> Sequence[SuiteReport]:
        """Return what the tests of a pipeline came to, job by job; retried ones don't count."""
        ...

    # repository
    def branches(self, project_id: int, now: datetime) -> Sequence[Branch]:
        """Return the branches, by name."""
        ...

    def tags(self, project_id: int, now: datetime) -> Sequence[Tag]:
        """Return the newest tags, the newest first."""
        ...

    def commit(self, project_id: int, ref: str, now: datetime) -> Commit | None:
        """Return the commit a branch, tag, sha or `HEAD` names."""
        ...

    def tree(self, project_id: int, ref: str, path: str, now: datetime) -> Sequence[TreeEntry]:
        """Return a folder of the repository; empty when there is none."""
        ...

    def file(self, project_id: int, ref: str, path: str, now: datetime) -> File | None:
        """Return a file of the repository."""
        ...

    # schedules
    def schedules(self, project_id: int, now: datetime) -> Sequence[Schedule]:
        """Return the schedules of a project, in id order."""
        ...

    def schedule_pipelines(
        self, project_id: int, schedule_id: int, now: datetime, *, offset: int, limit: int
    ) -> tuple[Sequence[Pipeline], int]:
        """Return a window on what a schedule started, newest first, and how much that is."""
        ...
