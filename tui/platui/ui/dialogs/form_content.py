"""The contents of forms: new project, schedule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual.suggester import Suggester, SuggestFromList

from platui.core.errors import ForbiddenError, PlatuiError
from platui.core.secrets import MASK
from platui.core.text import clean
from platui.models.values.writes import Encoding, Intent, NewProject, ScheduleVariable
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
from platui.present.schedules.variables import (
    added_variable,
    field_of_variable,
    known_variables,
    variable_changes,
    variable_fields,
    variable_names,
    variable_notes,
    variable_problems,
)
from platui.service import PlatformService, resources
from platui.ui.dialogs.picker import ref_picker

if TYPE_CHECKING:
    from textual.screen import Screen

    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_states import Outcome
    from platui.present.chrome import Piece, Pieces

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

    def fields(self, _values: Mapping[str, str], /) -> Sequence[Field]:
        return self.FIELDS

    def intents(self, values: Mapping[str, str]) -> tuple[Intent, ...]:
        """Return the writes of these values; empty: nothing to send."""
        raise NotImplementedError

    def restored(self, names: Sequence[str], key: str) -> Pieces:
        """Return that the input of an earlier time is not sent; `key` clears it."""
        if not names:
            return ()
        clear = " discards the changes" if self.is_change else " starts over"
        unsent = (f"not sent: {', '.join(names)}", "warning")
        return ((f" {key}", "key"), (f"{clear} · ", "muted"), unsent)

    def question_notes(self, _values: Mapping[str, str], /) -> tuple[str, ...]:
        """Return more lines for the confirmation."""
        return ()

    def sent(self, _intent: Intent, _outcome: Outcome, typed: dict[str, str]) -> None:
        """Remove sent values from the unsaved input."""
        typed.clear()

    def keep(self, _typed: dict[str, str], /) -> None:
        """Save the input that is left for a record that was created."""

    def added(self, text: str, values: Mapping[str, str], /) -> tuple[str, str | None]:
        """Return the field that a typed text adds, and its value; None: still to be typed."""
        raise NotImplementedError(text, values)

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        raise NotImplementedError

    def notes(self, _values: Mapping[str, str], /) -> Mapping[str, str]:
        """Return notes on the origin of values: field -> text."""
        return {}

    def meaning(self, _values: Mapping[str, str], /) -> Sequence[Piece]:
        return ()

    def field_of_error(self, _error: PlatuiError, /) -> str:
        return START

    def remedy(self, _error: PlatuiError, /) -> str:
        """Return what to press after an error, if anything."""
        return ""

    def suggester(self, _field: str, /) -> Suggester | None:
        return None

    def picker(self, field: str, typed: str, /) -> Screen[str | None]:
        """Return the list of a field; a text that was typed is searched in it."""
        raise NotImplementedError(field, typed)

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

    def intents(self, values: Mapping[str, str]) -> tuple[Intent, ...]:
        name, description, access = (
            values.get(field, "").strip() for field in ("name", "description", "access")
        )
        return (NewProject(name, description, access, _ENCODINGS[values["sent as"]]),)


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
        own_key: str = "",
    ) -> None:
        """Create the form; `own_key`: the key that takes ownership."""
        title = ((" New schedule", "strong"), (" in ", "muted"), (called, "text"))
        super().__init__(first, title, "Create the schedule", called=called)
        self._service = service
        self._project = project
        self._schedule: int | None = None
        self._own_key = own_key
        self.drafts: dict[tuple[ProjectRef, int | None], dict[str, str]] = {}  # Unsaved input
        if schedule is not None:
            self._edit(schedule)
        self._zone_from = zone_from
        self._utc = utc
        self.refs: frozenset[str] | None = None  # None: unknown

    def _edit(self, schedule: int) -> None:
        self._schedule, self.is_change = schedule, True
        self.title = ((f" Schedule #{schedule}", "strong"), *self.title[1:])
        self.end = "Edit the schedule"

    def fields(self, values: Mapping[str, str]) -> Sequence[Field]:
        return (*self.FIELDS, *variable_fields(values, self.before))

    def keep(self, typed: dict[str, str]) -> None:
        self.drafts[self._project, self._schedule] = typed

    def added(self, text: str, values: Mapping[str, str]) -> tuple[str, str | None]:
        return added_variable(text, values)

    async def load(self) -> None:
        if self._schedule is not None:
            # Lists have no variables.
            record = resources.schedules.schedule(self._project, self._schedule)
            async for snapshot in self._service.watch(record):
                if snapshot.value is not None:
                    self.before = {**self.before, **known_variables(snapshot.value)}
                if not snapshot.refreshing:
                    break
        try:
            refs = await (await self._service.repository()).refs(self._project)
        except PlatuiError:
            return  # the platform validates the ref
        if refs is not None and refs.is_whole and refs.names:
            self.refs = frozenset(clean(ref.name) for ref in refs.names)

    def intents(self, values: Mapping[str, str]) -> tuple[Intent, ...]:
        if self._schedule is None:
            return (new_schedule(self._project, values),)
        change = schedule_change(self._project, self._schedule, values, self.before)
        variables = variable_changes(self._project, self._schedule, values, self.before)
        return (*([] if change is None else [change]), *variables)

    def question_notes(self, values: Mapping[str, str]) -> tuple[str, ...]:
        names = variable_names(values) if self._schedule is None else []
        return (f"Then platui asks to set its variables: {', '.join(names)}.",) if names else ()

    def sent(self, intent: Intent, outcome: Outcome, typed: dict[str, str]) -> None:
        if isinstance(intent, ScheduleVariable):
            field = field_of_variable(intent, typed)
            typed.pop(field, None)
            is_set = intent.value is not None
            self.before = {name: text for name, text in self.before.items() if name != field}
            self.before |= {f"variable {intent.key}": MASK} if is_set else {}
            return
        names = {one.name for one in self.FIELDS}
        self.before = {**self.before, **{name: typed[name] for name in names & typed.keys()}}
        for name in names & typed.keys():
            del typed[name]
        if self._schedule is None and outcome.id is not None:
            self._edit(outcome.id)
        elif self._schedule is None:
            typed.clear()  # without its id, its variables cannot be set

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        return {**problems(values, self.refs), **variable_problems(values)}

    def notes(self, values: Mapping[str, str]) -> Mapping[str, str]:
        own = values["zone"] == self.before["zone"]
        zone = {"zone": self._zone_from} if self._zone_from and own else {}
        return {**zone, **variable_notes(values, self.before)}

    def meaning(self, values: Mapping[str, str]) -> Sequence[Piece]:
        return preview(values, self._service.clock.now(), utc=self._utc)

    def field_of_error(self, error: PlatuiError) -> str:
        return blamed(error)

    def remedy(self, error: PlatuiError) -> str:
        if self.is_change and isinstance(error, ForbiddenError) and self._own_key:
            return f"Esc keeps your input; then, {self._own_key} takes ownership."
        return ""

    def suggester(self, field: str) -> SuggestFromList | None:
        return SuggestFromList(zone_names(), case_sensitive=False) if field == "zone" else None

    def picker(self, _field: str, typed: str, /) -> Screen[str | None]:
        return ref_picker(self._service, self._project, typed=typed)

    def show_times(self, *, utc: bool) -> None:
        self._utc = utc
