"""What the HTTP half does to the simulated company: each act at one moment, by somebody.

What callers add (pipelines, schedules, projects) and what they do to pipelines and jobs is kept
beside what the company is by itself. Time must not run backwards between two acts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.emulator.records import (
        Bridge,
        Job,
        Person,
        Pipeline,
        Project,
        Schedule,
        ScheduleChange,
        Variable,
    )


class WorldError(Exception):
    """A write the company refuses; the text goes into `message.base` of a 400 answer.

    Where something is done to a pipeline or job, it is the reason of a 403 or 400 answer.
    """


class WorldActs(Protocol):
    """The company, as something that can be acted on."""

    def start_pipeline(
        self,
        project_id: int,
        *,
        ref: str,
        variables: Sequence[Variable],
        user: Person,
        source: str,
        now: datetime,
    ) -> Pipeline:
        """Start a pipeline (spec 4.3): it is pending at first, then its jobs run.

        Raises:
            WorldError: unknown ref, or no such pipeline file.
        """
        ...

    def retry_pipeline(
        self, project_id: int, pipeline_id: int, *, user: Person, now: datetime
    ) -> Pipeline:
        """Try again, as new jobs, what failed or was canceled, and let what was skipped go on.

        Bridges are not retried. A pipeline with nothing to retry stays as it is.

        Raises:
            WorldError: no such pipeline, or no numbers are left for its jobs.
        """
        ...

    def cancel_pipeline(
        self, project_id: int, pipeline_id: int, *, user: Person, now: datetime
    ) -> Pipeline:
        """Cancel what has not ended, in the pipelines that it started too.

        Raises:
            WorldError: no such pipeline.
        """
        ...

    def delete_pipeline(self, project_id: int, pipeline_id: int, now: datetime) -> None:
        """Delete a pipeline with its jobs; the pipelines that it started stay.

        Raises:
            WorldError: no such pipeline.
        """
        ...

    def rename_pipeline(
        self, project_id: int, pipeline_id: int, name: str, now: datetime
    ) -> Pipeline:
        """Give a pipeline another name.

        Raises:
            WorldError: no such pipeline.
        """
        ...

    def retry_job(
        self, project_id: int, job_id: int, *, user: Person, now: datetime
    ) -> Job | Bridge:
        """Try a job again, as a new one: a bridge starts another child pipeline.

        Raises:
            WorldError: it has not ended, was retried already, or no numbers are left.
        """
        ...

    def cancel_job(
        self, project_id: int, job_id: int, *, user: Person, now: datetime, force: bool = False
    ) -> Job:
        """Cancel a job; one that has ended stays as it is.

        A running one takes a second or two, unless it is `canceling` already and `force` is set.

        Raises:
            WorldError: no such job.
        """
        ...

    def play_job(
        self,
        project_id: int,
        job_id: int,
        *,
        variables: Sequence[Variable],
        user: Person,
        now: datetime,
    ) -> Job:
        """Let a manual job run: the same one, or a new one if it ran before.

        Raises:
            WorldError: it is no manual job, or it is under way.
        """
        ...

    def erase_job(self, project_id: int, job_id: int, *, user: Person, now: datetime) -> Job:
        """Throw the log and the artifacts of a job away.

        Raises:
            WorldError: it has not ended, or left nothing behind.
        """
        ...

    def create_schedule(
        self, project_id: int, wanted: ScheduleChange, *, owner: Person, now: datetime
    ) -> Schedule:
        """Create a schedule, with the defaults of the platform for what is not said.

        Raises:
            WorldError: too many of them, or an unknown ref.
        """
        ...

    def change_schedule(
        self, project_id: int, schedule_id: int, change: ScheduleChange, *, now: datetime
    ) -> Schedule:
        """Change a schedule from now on.

        Raises:
            WorldError: unknown schedule or ref.
        """
        ...

    def delete_schedule(self, project_id: int, schedule_id: int, *, now: datetime) -> None:
        """Delete a schedule; the pipelines that it started stay.

        Raises:
            WorldError: unknown schedule.
        """
        ...

    def play_schedule(
        self, project_id: int, schedule_id: int, *, user: Person, now: datetime
    ) -> None:
        """Start what a schedule starts, shortly after now.

        Raises:
            WorldError: unknown schedule.
        """
        ...

    def keep_artifacts(self, job_id: int) -> None:
        """Let the archive of a job stay for good."""
        ...

    def delete_artifacts(self, job_id: int) -> None:
        """Throw the archive of a job away; its log stays."""
        ...

    def delete_all_artifacts(self, project_id: int, now: datetime) -> None:
        """Throw away the archives that a project's jobs made so far, but for the kept ones."""
        ...

    def create_project(
        self, *, name: str, description: str, creator: Person, now: datetime
    ) -> Project:
        """Create a project in the creator's own namespace.

        Raises:
            WorldError: the name is taken.
        """
        ...
