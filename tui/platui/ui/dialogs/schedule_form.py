"""The form of a schedule, new or to be changed: what it means is told while it is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.suggester import SuggestFromList

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.present.form_rows import Field
from platui.present.schedules.forms import ScheduleDraft, blamed, preview, problems, zone_names
from platui.ui.dialogs.form import FormDialog
from platui.ui.dialogs.picker import ref_picker
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import NewSchedule, ScheduleChange
    from platui.present.chrome import Piece, Pieces
    from platui.service import PlatformService

_YES, _NO = "yes", "no"


class ScheduleForm(FormDialog):
    """Says in words and as the next runs what is typed; only what differs is changed."""

    FIELDS = (
        Field("description", "what it is for"),
        Field("ref", "not chosen", is_listed=True),
        Field("cron", "minute hour day month weekday"),
        Field("zone", "UTC, or such as Europe/Paris"),
        Field("active", words=(_YES, _NO)),
    )

    def __init__(
        self,
        service: PlatformService,
        project: ProjectRef,
        draft: ScheduleDraft,
        typed: dict[str, str],
        schedule: int | None = None,
        *,
        called: str,
        zone_from: str = "",
        utc: bool,
    ) -> None:
        super().__init__(service, _values_of(draft), typed)
        self._project = project
        self._draft = draft
        self._schedule = schedule
        self._called = called
        self.OF_A_RECORD = schedule is not None
        self._zone_from = zone_from
        self._utc = utc
        self._refs: frozenset[str] | None = None

    def on_mount(self) -> None:
        """Look for the refs that there are."""
        self.run_worker(work(self._find_refs), group="refs")

    async def _find_refs(self) -> None:
        try:
            refs = await (await self.service.repository()).refs(self._project)
        except PlatuiError:
            return  # then only the platform can say which there are
        if refs:
            self._refs = frozenset(clean(ref.name) for ref in refs)

    @property
    def end(self) -> str:
        """Return what the last row does."""
        return "Create the schedule" if self._schedule is None else "Change the schedule"

    @property
    def called(self) -> str:
        """Return what the project is called."""
        return self._called

    def title_pieces(self) -> Pieces:
        """Return which schedule it is, and whose."""
        what = "New schedule" if self._schedule is None else f"Schedule #{self._schedule}"
        return ((f" {what}", "strong"), (" in ", "muted"), (self._called, "text"))

    def intent(self) -> NewSchedule | ScheduleChange | None:
        """Return the schedule to be created, or what is to be changed of it."""
        draft = _draft_of(self.values)
        if self._schedule is None:
            return draft.new(self._project)
        return draft.change(self._project, self._schedule, self._draft)

    def problems(self) -> Mapping[str, str]:
        """Return what is wrong before anything is sent."""
        return problems(_draft_of(self.values), self._refs)

    def notes(self) -> Mapping[str, str]:
        """Return where the zone comes from, while it is the one from there."""
        own = self.values["zone"] == self._draft.zone
        return {"zone": self._zone_from} if self._zone_from and own else {}

    def meaning_of(self, values: Mapping[str, str]) -> Sequence[Piece]:
        """Return when it would run."""
        return preview(_draft_of(values), self.service.clock.now(), utc=self._utc)

    def blamed(self, sentence: str) -> str:
        """Return the field that a refusal is about."""
        return blamed(sentence)

    def suggester(self, field: str) -> SuggestFromList | None:
        """Return the names of zones, for theirs."""
        return SuggestFromList(zone_names(), case_sensitive=False) if field == "zone" else None

    def choose(self, field: str) -> None:
        """Open the list of branches and tags."""

        def take(ref: str | None) -> None:
            if ref is not None:
                self.change(field, ref)

        self.app.push_screen(ref_picker(self.service, self._project), take)

    def show_times(self, *, utc: bool) -> None:
        """Show the runs in another zone."""
        self._utc = utc
        self.draw()


def _values_of(draft: ScheduleDraft) -> dict[str, str]:
    return {
        "description": draft.description,
        "ref": draft.ref,
        "cron": draft.cron,
        "zone": draft.zone,
        "active": _YES if draft.active else _NO,
    }


def _draft_of(values: Mapping[str, str]) -> ScheduleDraft:
    return ScheduleDraft(
        values["description"], values["ref"], values["cron"], values["zone"],
        values["active"] == _YES,
    )  # fmt: skip
