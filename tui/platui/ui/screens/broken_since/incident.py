"""Facts of one incident: its pipelines, their jobs and causes, and changed variables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from platui.core.errors import PlatuiError
from platui.models.values.queries import JobsQuery
from platui.present.triage.broken_since import SinceFacts
from platui.service import resources

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import Cause, IncidentTimeline, PipelineRun
    from platui.models.wire import Job
    from platui.ui.screens.broken_since.body import BrokenSinceBody


class Incident:
    def __init__(self, body: BrokenSinceBody) -> None:
        self._body = body
        self.stretch: IncidentTimeline | None = None  # From the last successful run
        self.facts: SinceFacts | None = None
        self._jobs: dict[int, tuple[Job, ...]] = {}
        self._followed: frozenset[int] = frozenset()  # Pipelines with followed jobs

    @property
    def newest(self) -> PipelineRun | None:
        return None if self.stretch is None else self.stretch.newest_red

    def drop_jobs(self) -> None:
        self._followed = frozenset()
        self._body.feeds.drop_others("jobs-")

    def follow(self) -> None:
        self._update_facts()
        body, project, facts = self._body, self._body.route.project, self.facts
        if project is None or facts is None:
            return
        ids = frozenset(run.id for run in facts.beside)
        if ids == self._followed:
            return
        body.feeds.drop_others("jobs-", {f"jobs-{one}" for one in ids})
        for new in ids - self._followed:
            jobs = resources.jobs.jobs(JobsQuery(project, new, with_retried=True))
            take = partial(self._take_jobs, new)
            body.feeds.follow(f"jobs-{new}", body.service.watch(jobs), take, refreshes=False)
        self._followed = ids
        body.in_background("feed-incident", self._fetch_details, project, facts.stretch)

    def _take_jobs(self, pipeline: int, snapshot: Snapshot[Listing[Job]]) -> None:
        if snapshot.value is not None and snapshot.value.complete:
            self._jobs[pipeline] = snapshot.value.items
        if snapshot.error is not None:
            self._body.error = snapshot.error
        self._update_facts()
        self._body.draw()

    async def _fetch_details(self, project: ProjectRef, stretch: IncidentTimeline) -> None:
        body = self._body
        try:
            details = await body.service.incident_details()
            for red in dict.fromkeys((stretch.first_red, stretch.newest_red)):
                cause = await details.cause(project, red, stretch.last_green)
                self._update_facts(cause=(red.id, cause))
                body.draw()
            if stretch.last_green is not None:
                found = await details.changed_variables(
                    project, stretch.last_green.id, stretch.first_red.id
                )
                self._update_facts(variables=found, has_asked_variables=True)
        except PlatuiError as error:
            # The next poll of the list tries again.
            body.error, self._followed = error, frozenset()
        body.draw()

    def _update_facts(self, *, cause: tuple[int, Cause] | None = None, **more: Any) -> None:
        if self.stretch is None:
            self.facts = None
            return
        before = self.facts
        if before is None or before.stretch.first_red.id != self.stretch.first_red.id:
            before = SinceFacts(self.stretch)
        self.facts = replace(
            before,
            stretch=self.stretch,
            jobs=dict(self._jobs),
            causes=before.causes if cause is None else {**before.causes, cause[0]: cause[1]},
            **more,
        )
