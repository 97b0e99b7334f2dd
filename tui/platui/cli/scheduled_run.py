"""The pipeline that a schedule starts when it is told to run: only its record tells which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.asking import first
from platui.cli.patience import narrate
from platui.core.errors import PlatuiError
from platui.models.values.write_states import Outcome

if TYPE_CHECKING:
    from platui.cli.targets import Target
    from platui.models import Pipeline
    from platui.service import PlatformService

_LOOKS: Final = 8
"""So often the record is read; the platform starts the pipeline a moment after its answer."""
_PAUSE: Final = 1.0
"""Seconds between them."""


class ScheduledRun:
    """Knows the last pipeline of a schedule before it is run, and looks for the next one."""

    def __init__(self, service: PlatformService, target: Target) -> None:
        """Take where the schedule is."""
        self._service = service
        self._target = target
        self._before = 0
        self._why_not = ""

    async def look(self) -> None:
        """Take note of the last pipeline; where nobody tells, none will be looked for."""
        try:
            await self._service.start()
            last = await self._last()
        except PlatuiError as error:
            self._why_not = error.sentence
        else:
            self._before = last.id if last is not None else 0

    async def found(self) -> Outcome | None:
        """Return the pipeline that came since; where there is none, say so."""
        for left in reversed(range(0 if self._why_not else _LOOKS)):
            try:
                last = await self._last()
            except PlatuiError as error:
                self._why_not = error.sentence
                break
            if last is not None and last.id > self._before:
                narrate(f"Pipeline #{last.id} is the newest that this schedule has started.")
                project, url = self._target.project, last.web_url
                return Outcome(
                    "pipeline", project, last.id, last.status, url, last.created_at, last
                )
            if left:
                await self._service.clock.sleep(_PAUSE)
        why = self._why_not or "Its record names no new one yet."
        narrate(f"Which pipeline it starts is not known. {why}")
        return None

    async def _last(self) -> Pipeline | None:
        """Return the last pipeline as the record has it now.

        Raises:
            PlatuiError: there is no such record, or nobody tells.
        """
        feed = self._service.feeds.watch_schedule(self._target.project, self._target.id)
        schedule = await first("that schedule", feed, lambda _: True)
        return schedule.last_pipeline
