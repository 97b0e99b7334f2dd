"""The contents of forms: new project, schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.suggester import SuggestFromList

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.writes import Encoding, NewProject
from platui.present.form_rows import START, Field
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
from platui.ui.dialogs.picker import ref_picker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.screen import Screen
    from textual.suggester import Suggester

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import Intent, NewSchedule, ScheduleChange
    from platui.present.chrome import Piece, Pieces
    from platui.service import PlatformService

_ENCODINGS: Final = {"JSON": Encoding.JSON, "form fields": Encoding.FORM}


class FormContent:
    """The fields of a form and what they do; `values` map each field to its text."""

    FIELDS: ClassVar[Sequence[Field]]

    def __init__(
        self, before: Mapping[str, str], title: Pieces, end: str, *, called: str = ""
    ) -> None:
        self.before = before  # The original values
        self.title = title
        self.end = end  # The label of the last row, which sends the form
        self.called = called  # The name of the project; empty if the form belongs to none
        self.is_change = False

    def intent(self, values: Mapping[str, str]) -> Intent | None:
        """Return the write of these values; None: nothing to send."""
        raise NotImplementedError

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        raise NotImplementedError

    def notes(self, _values: Mapping[str, str], /) -> Mapping[str, str]:
        """Return notes on the origin of values: field -> text."""
        return {}

    def meaning(self, _values: Mapping[str, str], /) -> Sequence[Piece]:
        return ()

    def field_of_error(self, _error: PlatuiError, /) -> str:
        return START

    def suggester(self, _field: str, /) -> Suggester | None:
        return None

    def picker(self, field: str, /) -> Screen[str | None]:
        raise NotImplementedError(field)

    async def load(self) -> None:
        """Fetch data about the fields from the platform."""

    def show_times(self, *, utc: bool) -> None:
        """Set whether `meaning` uses UTC or local time."""


class NewProjectContent(FormContent):
    """The form of a new project (spec §4.3)."""

    FIELDS = (
        Field("name", "required"),
        Field("description", "optional"),
        Field("access", "permissions[project_access]; optional"),
        Field("sent as", words=tuple(_ENCODINGS)),
    )

    def __init__(self) -> None:
        title = ((" New project", "strong"), (" in your own namespace", "muted"))
        super().__init__({"sent as": next(iter(_ENCODINGS))}, title, "Create the project")

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        name = values.get("name", "").strip()
        return {} if name else {"name": "Enter a project name."}

    def intent(self, values: Mapping[str, str]) -> Intent:
        name, description, access = (
            values.get(field, "").strip() for field in ("name", "description", "access")
        )
        return NewProject(name, description, access, _ENCODINGS[values["sent as"]])


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
        self.is_change = schedule is not None
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
