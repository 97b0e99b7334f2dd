"""The other attempts of the job of a log, and the key that opens them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from platui.core.text import clean
from platui.models.values.queries import JobsQuery
from platui.models.values.statuses import ACTIVE
from platui.service import resources
from platui.ui.controller import Controller, command

if TYPE_CHECKING:
    from platui.models.wire import Job
    from platui.present.chrome import Piece
    from platui.ui.screens.logs.log import LogBody


class Attempts(Controller["LogBody"]):
    """Names the newer attempt of a retried job."""

    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        self._of: tuple[int, int] | None = None  # The job and its newest attempt when loaded
        self._ids: tuple[int, ...] = ()  # Of all attempts, oldest first

    def on_shown(self) -> None:
        effects = self.body.service.write_effects
        self.screen.while_shown(effects.observe(lambda _: self.load(self.body.job)))

    @command("a", "log.attempt", "Newest attempt")
    def open_newest(self) -> None:
        """Open the newest attempt of this job; from the newest, the one before."""
        here, body = self._place, self.body
        if here is None:
            return
        other = self._ids[-1] if here + 1 < len(self._ids) else self._ids[here - 1]
        self.screen.go_to(replace(body.route, job=other, line=None, search=""))

    def disabled_reason(self, _command: str) -> str:
        if self._place is not None:
            return ""
        if self.body.route.job in self._ids:
            return "This job has no other attempt."
        if (job := self.body.job) is not None and job.status in ACTIVE:
            return "The attempts of a job are loaded when it has ended."
        return "The attempts of this job are not loaded."

    @property
    def _place(self) -> int | None:
        """Return the position of this job in its attempts, if it has several."""
        job = self.body.route.job
        return self._ids.index(job) if len(self._ids) > 1 and job in self._ids else None

    @property
    def _is_old(self) -> bool:
        return self._place is not None and self._ids[-1] != self.body.route.job

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        return names if self._is_old else [name for name in names if name != "log.attempt"]

    def words(self) -> Piece | None:
        """Return `attempt 1 of 2, a opens the newest`; None for a job with one attempt."""
        if (here := self._place) is None:
            return None
        of = f"attempt {here + 1} of {len(self._ids)}"
        if not self._is_old:
            return of, "muted"
        return f"{of}, {self.screen.key_of('log.attempt')} opens the newest", "warning"

    def load(self, job: Job | None) -> None:
        """Load the attempts of a job that has ended: from the cache, or by one request."""
        body = self.body
        if job is None or job.status in ACTIVE or job.pipeline is None:
            return
        effect = body.service.write_effects.value.get(("job", job.id))
        newest = effect.record.id if effect is not None and effect.record is not None else job.id
        project = body.route.project
        if self._of != (job.id, newest) and project is not None:
            self._of = job.id, newest
            query = JobsQuery(project, job.pipeline.id, with_retried=True)
            body.in_background("feed-attempts", self._load, query, clean(job.name))

    async def _load(self, query: JobsQuery, name: str) -> None:
        of, is_loaded = self._of, False
        try:
            async for snapshot in self.body.service.watch(resources.jobs.jobs(query)):
                if snapshot.error is not None:
                    return
                listing = snapshot.value
                if listing is not None and listing.complete and not snapshot.refreshing:
                    found = (job.id for job in listing.items if clean(job.name) == name)
                    self._ids, is_loaded = tuple(sorted(found)), True
                    self.body.draw_lines()
                    self.screen.refresh_bindings()
                    return
        finally:
            if not is_loaded and self._of == of:
                self._of = None  # it failed, or the log was left: another try may load them
