"""The form that creates or changes a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.suggester import SuggestFromList

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.present.form_rows import Field
from platui.present.schedules.forms import (
    NO,
    YES,
    blamed,
    new_schedule,
    preview,
    problems,
    schedule_change,
    zone_names,
)
from platui.ui.dialogs.form_content import FormContent
from platui.ui.dialogs.picker import ref_picker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.screen import Screen

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import NewSchedule, ScheduleChange
    from platui.present.chrome import Piece
    from platui.service import PlatformService


class ScheduleContent(FormContent):
    """Explains the schedule with its next runs; sends only changed fields."""

    FIELDS = (
        Field("description", "purpose"),
        Field("ref", "not chosen", is_listed=True),
        Field("cron", "minute hour day month weekday"),
        Field("zone", "UTC, or e.g. Europe/Paris"),
        Field("active", words=(YES, NO)),
    )

    def __init__(
        self,
        service: PlatformService,
        project: ProjectRef,
        first: Mapping[str, str],
        schedule: int | None = None,
        *,
        called: str,
        zone_from: str = "",
        utc: bool,
    ) -> None:
        what, end = "New schedule", "Create the schedule"
        if schedule is not None:
            what, end = f"Schedule #{schedule}", "Edit the schedule"
        title = ((f" {what}", "strong"), (" in ", "muted"), (called, "text"))
        super().__init__(first, title, end, called=called)
        self._service = service
        self._project = project
        self._schedule = schedule
        self._zone_from = zone_from
        self._utc = utc
        self.refs: frozenset[str] | None = None  # None: unknown

    async def load(self) -> None:
        try:
            refs = await (await self._service.repository()).refs(self._project)
        except PlatuiError:
            return  # the platform validates the ref
        if refs:
            self.refs = frozenset(clean(ref.name) for ref in refs)

    @property
    def is_change(self) -> bool:
        return self._schedule is not None

    def intent(self, values: Mapping[str, str]) -> NewSchedule | ScheduleChange | None:
        if self._schedule is None:
            return new_schedule(self._project, values)
        return schedule_change(self._project, self._schedule, values, self.before)

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        return problems(values, self.refs)

    def notes(self, values: Mapping[str, str]) -> Mapping[str, str]:
        own = values["zone"] == self.before["zone"]
        return {"zone": self._zone_from} if self._zone_from and own else {}

    def meaning(self, values: Mapping[str, str]) -> Sequence[Piece]:
        return preview(values, self._service.clock.now(), utc=self._utc)

    def field_of_error(self, error: PlatuiError) -> str:
        return blamed(error)

    def suggester(self, field: str) -> SuggestFromList | None:
        return SuggestFromList(zone_names(), case_sensitive=False) if field == "zone" else None

    def picker(self, _field: str, /) -> Screen[str | None]:
        return ref_picker(self._service, self._project)

    def show_times(self, *, utc: bool) -> None:
        self._utc = utc
