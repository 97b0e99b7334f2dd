"""Facts of one incident: its pipelines, their jobs and causes, and changed variables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from platui.core.errors import PlatuiError
from platui.models.values.queries import JobsQuery, ProjectRef
from platui.present.triage.broken_since import SinceFacts
from platui.service import resources

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing, Snapshot
    from platui.models.values.triage import IncidentTimeline
    from platui.models.wire import Job
    from platui.ui.screens.broken_since.body import BrokenSinceBody


class Incident:
    def __init__(self, body: BrokenSinceBody) -> None:
        self._body = body
        self.facts: SinceFacts | None = None
        self._followed: frozenset[int] = frozenset()  # Pipelines with followed jobs

    @property
    def stretch(self) -> IncidentTimeline | None:
        return None if self.facts is None else self.facts.stretch

    def drop_jobs(self) -> None:
        self._followed = frozenset()
        self._body.feeds.drop_others("jobs-")

    def follow(self, stretch: IncidentTimeline | None) -> None:
        """Take the runs since the last success; follow their jobs, and fetch the other facts."""
        body, project, before = self._body, self._body.route.project, self.facts
        if project is None or stretch is None:
            self.facts, self._followed = None, frozenset()
            return
        if before is None or before.stretch.first_red.id != stretch.first_red.id:
            before = SinceFacts(stretch, {} if before is None else before.jobs)
        self.facts = facts = replace(before, stretch=stretch)
        ids = frozenset(run.id for run in facts.beside)
        if ids == self._followed:
            return
        body.feeds.drop_others("jobs-", {f"jobs-{one}" for one in ids})
        for new in ids - self._followed:
            jobs = resources.jobs.jobs(JobsQuery(project, new, with_retried=True))
            take = partial(self._take_jobs, new)
            body.feeds.follow(f"jobs-{new}", body.service.watch(jobs), take, refreshes=False)
        self._followed = ids
        body.in_background("feed-incident", self._fetch_details, project, facts)

    def _take_jobs(self, pipeline: int, snapshot: Snapshot[Listing[Job]]) -> None:
        if self.facts is not None and snapshot.value is not None and snapshot.value.complete:
            self._change(jobs={**self.facts.jobs, pipeline: snapshot.value.items})
        if snapshot.error is not None:
            self._body.error = snapshot.error
        self._body.draw()

    async def _fetch_details(self, project: ProjectRef, facts: SinceFacts) -> None:
        body, stretch, causes = self._body, facts.stretch, facts.causes
        try:
            details = await body.service.incident_details()
            for red in dict.fromkeys((stretch.first_red, stretch.newest_red)):
                cause = await details.cause(project, red, stretch.last_green)
                causes = {**causes, red.id: cause}
                self._change(causes=causes)
                body.draw()
            if stretch.last_green is not None:
                found = await details.changed_variables(
                    project, stretch.last_green.id, stretch.first_red.id
                )
                self._change(variables=found, has_asked_variables=True)
        except PlatuiError as error:
            # The next poll of the list tries again.
            body.error, self._followed = error, frozenset()
        body.draw()

    def _change(self, **more: Any) -> None:
        if self.facts is not None:
            self.facts = replace(self.facts, **more)
