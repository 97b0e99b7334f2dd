"""What each view polls: which operation, how often, and when it is settled."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.models.values.queries import PipelinesQuery
from platui.service.cadence import Rhythm
from platui.service.list_subject import ListSubject, WholeListSubject
from platui.service.neighbour_subject import NeighbourSubject
from platui.service.neighbours import Neighbour
from platui.service.object_subject import ObjectSubject
from platui.service.statuses import ENDED, MOVING

if TYPE_CHECKING:
    from datetime import datetime

    from platui.api.project_api import ProjectApi
    from platui.config.settings import PollSettings
    from platui.core.clock import Clock
    from platui.models import Bridge, Job, Namespace, Pipeline, Project, RepositoryFile, Schedule
    from platui.models.values.pages import Listing
    from platui.models.values.queries import JobsQuery, ProjectRef, ProjectsQuery
    from platui.service.neighbours import Neighbours
    from platui.service.reader import Entry, Reader
    from platui.service.sightings import Sightings
    from platui.service.subject import Subject

    Steps = tuple[Job, ...] | tuple[Bridge, ...]


_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""A commit written in full: what no branch or tag should be called."""


class Rhythms:
    """How often each kind of thing is worth a look, from what the user set."""

    def __init__(self, poll: PollSettings) -> None:
        self.thing = Rhythm(poll.running, poll.idle)
        self.newest_first = Rhythm(
            max(poll.running, poll.idle / 6), max(poll.running, poll.idle / 3)
        )
        self.slow = Rhythm(poll.idle * 2, poll.idle * 2)
        self.background = Rhythm(poll.idle, poll.idle * 4)


class Subjects:
    """Makes the subject of each view."""

    def __init__(
        self,
        reader: Reader,
        api: ProjectApi,
        rhythms: Rhythms,
        sightings: Sightings,
        neighbours: Neighbours,
        clock: Clock,
    ) -> None:
        self._reader = reader
        self._api = api
        self._rhythms = rhythms
        self._sightings = sightings
        self._neighbours = neighbours
        self._clock = clock

    def namespaces(self, search: str = "") -> Subject[Listing[Namespace]]:
        """Return every group and user namespace, or those that a search finds."""
        return ListSubject(
            self._reader, lambda page: self._api.namespaces(page, search), self._rhythms.slow
        )

    def projects(self, query: ProjectsQuery) -> Subject[Listing[Project]]:
        """Return the projects one is a member of."""
        return ListSubject(
            self._reader, lambda page: self._api.projects(query, page), self._rhythms.slow
        )

    def all_projects(self, query: ProjectsQuery) -> Subject[Listing[Project]]:
        """Return the projects one is a member of, all of them."""
        return WholeListSubject(
            self._reader, lambda page: self._api.projects(query, page), self._rhythms.slow
        )

    def project(self, project: ProjectRef) -> Subject[Project]:
        """Return one project."""
        return ObjectSubject(self._reader, self._api.project(project), self._rhythms.slow)

    def pipelines(self, query: PipelinesQuery) -> Subject[Listing[Pipeline]]:
        """Return a project's pipelines."""
        return ListSubject(
            self._reader,
            lambda page: self._api.pipelines(query, page),
            self._rhythms.newest_first,
            running=_any_moves,
            noted=self._sightings.note,
        )

    def newest(self, project: ProjectRef) -> Subject[Listing[Pipeline]]:
        """Return a project's pipelines one by one, the newest first: a small answer."""
        one = replace(self._api, per_page=1)
        return ListSubject(
            self._reader,
            lambda page: one.pipelines(PipelinesQuery(project), page),
            self._rhythms.newest_first,
            noted=self._sightings.note,
        )

    def pipeline(self, project: ProjectRef, pipeline: int) -> Subject[Pipeline]:
        """Return one pipeline; a finished one is settled until a list says otherwise."""
        return self._pipeline(project, pipeline, self._rhythms.thing)

    def ending(self, project: ProjectRef, pipeline: int) -> Subject[Pipeline]:
        """Return one pipeline that is looked at more seldom: of interest is only that it ends."""
        return self._pipeline(project, pipeline, self._rhythms.newest_first)

    def _pipeline(self, project: ProjectRef, pipeline: int, rhythm: Rhythm) -> Subject[Pipeline]:
        return ObjectSubject(
            self._reader,
            self._api.pipeline(project, pipeline),
            rhythm,
            running=lambda entry: _moves(entry.value) or self._overtaken(entry),
            settled=lambda entry: entry.value.status in ENDED and not self._overtaken(entry),
            noted=lambda entry: self._sightings.note((entry.value,), entry.fetched_at),
        )

    def jobs(self, query: JobsQuery) -> Subject[Listing[Job]]:
        """Return the jobs of a pipeline, all of them, or those of a project page by page."""
        if query.pipeline is None:
            return ListSubject(
                self._reader,
                lambda page: self._api.jobs(query, page),
                self._rhythms.newest_first,
                running=_any_moves,
            )
        pipeline = query.pipeline
        return WholeListSubject(
            self._reader,
            lambda page: self._api.jobs(query, page),
            self._rhythms.thing,
            running=lambda items, at: self._steps_move(pipeline, items, at),
            settled=lambda items, at: self._steps_settled(pipeline, items, at),
        )

    def job(self, project: ProjectRef, job: int) -> Subject[Job]:
        """Return one job; a retry is another job, so a finished one is settled for good."""
        return ObjectSubject(
            self._reader,
            self._api.job(project, job),
            self._rhythms.thing,
            running=lambda entry: _moves(entry.value),
            settled=lambda entry: entry.value.status in ENDED,
        )

    def own_job(self) -> Subject[Job]:
        """Return the job whose token this is; it runs as long as it can ask."""
        return ObjectSubject(
            self._reader, self._api.own_job(), self._rhythms.thing, running=lambda _: True
        )

    def file(self, project: ProjectRef, path: str, ref: str) -> Subject[RepositoryFile]:
        """Return a file of the repository; at a commit it can never change."""
        return ObjectSubject(
            self._reader,
            self._api.file(project, path, ref),
            self._rhythms.slow,
            settled=lambda _: _COMMIT.fullmatch(ref) is not None,
        )

    def bridges(self, project: ProjectRef, pipeline: int) -> Subject[Listing[Bridge]]:
        """Return the bridges of a pipeline to its children."""
        return NeighbourSubject(
            WholeListSubject(
                self._reader,
                lambda page: self._api.bridges(project, pipeline, page),
                self._rhythms.thing,
                running=lambda items, at: self._steps_move(pipeline, items, at),
                settled=lambda items, at: self._steps_settled(pipeline, items, at),
            ),
            Neighbour("bridges", (project, pipeline)),
            self._neighbours,
            self._clock,
        )

    def schedules(self, project: ProjectRef) -> Subject[Listing[Schedule]]:
        """Return a project's schedules."""
        return NeighbourSubject(
            ListSubject(
                self._reader,
                lambda page: self._api.schedules(project, page),
                self._rhythms.slow,
            ),
            Neighbour("schedules", project),
            self._neighbours,
            self._clock,
        )

    def lists_schedules(self, project: ProjectRef) -> bool:
        """Return whether a project's schedules may be listed, as far as that was tried."""
        return not self._neighbours.absent(Neighbour("schedules", project))

    def schedule(self, project: ProjectRef, schedule: int) -> Subject[Schedule]:
        """Return one schedule with what only its own record says."""
        return ObjectSubject(
            self._reader,
            self._api.schedule(project, schedule),
            self._rhythms.thing,
            running=lambda entry: _last_moves(entry.value),
        )

    def _overtaken(self, entry: Entry[Pipeline]) -> bool:
        """Return whether somebody saw a pipeline move since."""
        pipeline = entry.value
        return self._sightings.moved_on(pipeline.id, entry.fetched_at, pipeline.updated_at)

    def _steps_move(self, pipeline: int, items: Steps, at: datetime) -> bool:
        """Return whether a step may change any moment, or the pipeline was seen to move since."""
        return _any_moves(items, at) or self._steps_overtaken(pipeline, items, at)

    def _steps_settled(self, pipeline: int, items: Steps, at: datetime) -> bool:
        """Return whether every step has ended and nobody saw the pipeline move since."""
        if not items or any(item.status not in ENDED for item in items):
            return False
        return not self._steps_overtaken(pipeline, items, at)

    def _steps_overtaken(self, pipeline: int, items: Steps, at: datetime) -> bool:
        """Return whether somebody saw the pipeline move since its steps were read."""
        changes = [i.pipeline.updated_at for i in items if i.pipeline and i.pipeline.updated_at]
        return self._sightings.moved_on(pipeline, at, max(changes, default=None))


def _moves(thing: Pipeline | Job | Bridge) -> bool:
    return thing.status in MOVING


def _last_moves(schedule: Schedule) -> bool:
    return schedule.last_pipeline is not None and _moves(schedule.last_pipeline)


def _any_moves(things: tuple[Pipeline, ...] | Steps, _at: datetime) -> bool:
    return any(map(_moves, things))
