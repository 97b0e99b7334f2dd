"""What can be done to schedules: run, taken over, made, changed and deleted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding

from platui.core.local_zone import local_zone
from platui.core.text import clean
from platui.models.values.writes import Act, ActOn
from platui.present.schedules import ref_of
from platui.ui.messages import WriteWanted
from platui.ui.screens.acting import Actable, ActsOnRows

if TYPE_CHECKING:
    from textual.binding import BindingType

    from platui.models import Schedule
    from platui.models.values.queries import ProjectRef
    from platui.present.schedule_forms import ScheduleDraft


class WritesSchedules(ActsOnRows):
    """Forms and questions about the schedules of a list; the view says which those are."""

    ACTS = {"run": Act.RUN_SCHEDULE, "own": Act.OWN_SCHEDULE}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "N",
            "new",
            "New",
            id="write.new_schedule",
            tooltip="Make a schedule; asks before it is sent",
        ),
        Binding(
            "R",
            "act('run')",
            "Run now",
            id="write.run_schedule",
            tooltip="Start what this schedule starts, or every marked one; asks first",
        ),
        Binding(
            "E",
            "edit",
            "Edit",
            id="write.edit_schedule",
            tooltip="Change this schedule; asks before it is sent",
        ),
        Binding(
            "O",
            "act('own')",
            "Take over",
            id="write.own_schedule",
            show=False,
            tooltip="Become the owner of this schedule, or of every marked one; asks first",
        ),
        Binding(
            "D",
            "delete",
            "Delete",
            id="write.delete_schedule",
            show=False,
            tooltip="Delete this schedule: its description is to be typed, then it is asked",
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._typed: dict[tuple[ProjectRef, int | None], dict[str, str]] = {}
        """What was typed in forms of schedules that were left; None: of a new one."""

    def schedule(self, key: str | None) -> Schedule | None:
        """Return the schedule of a row, as the list has it."""
        raise NotImplementedError

    def best_known(self, key: str) -> Schedule | None:
        """Return the schedule of a row with all that is known of it."""
        raise NotImplementedError

    def actable(self, key: str) -> Actable | None:
        """Return the schedule of a row; one whose id nobody knows cannot be acted on."""
        schedule = self.schedule(key)
        if schedule is None or schedule.id < 0:
            return None
        return Actable(schedule.id, schedule.description, "")

    def why_unactable(self, key: str) -> str:
        """Return that the platform has not told its id."""
        del key
        return "the platform has not said which number this schedule has"

    def why_not(self, action: str) -> str:
        """Return what a change or the end of a schedule lacks."""
        key = self.table.cursor_key
        if action in {"write.edit_schedule", "write.delete_schedule"}:
            verb = "edit" if action == "write.edit_schedule" else "delete"
            reason = self.why_unactable(key) if key else "no schedule is chosen"
            return f"Nothing to {verb}: {reason}."
        return super().why_not(action)

    async def action_new(self) -> None:
        """Fill in a new schedule, on the ref of the one under the cursor."""
        from platui.present.schedule_forms import ScheduleDraft, zone_of  # noqa: PLC0415  (on first use)

        schedule = self.schedule(self.table.cursor_key)
        ref = ref_of(schedule) if schedule is not None else ""
        zone, origin = zone_of(local_zone(os.environ))
        self._fill_in(ScheduleDraft(ref=ref, zone=zone), None, origin)

    async def action_edit(self) -> None:
        """Change the schedule under the cursor."""
        from platui.present.schedule_forms import draft_of  # noqa: PLC0415  (on first use)

        key = self.table.cursor_key or ""
        schedule = self.best_known(key)
        if schedule is not None and schedule.id > 0:
            self._fill_in(draft_of(schedule), schedule.id)

    def _fill_in(self, draft: ScheduleDraft, schedule: int | None, zone_from: str = "") -> None:
        from platui.present.called import called  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.schedule_form import ScheduleForm  # noqa: PLC0415  (on first use)

        project = self.place.project
        if project is None:
            return
        if self.service.writes == "off":
            self.post_message(WriteWanted(()))  # which says why
            return
        typed = self._typed.setdefault((project, schedule), {})
        self.app.push_screen(
            ScheduleForm(
                self.service, project, draft, typed, schedule,
                called=called(project, self.place.project_name), zone_from=zone_from, utc=self.utc,
            )
        )  # fmt: skip

    def action_delete(self) -> None:
        """Have the description typed, then ask."""
        from platui.ui.dialogs.delete_schedule import (  # noqa: PLC0415  (on first use)
            DeleteScheduleDialog,
        )

        thing, project = self.actable(self.table.cursor_key or ""), self.place.project
        if thing is None or project is None:
            return
        if self.service.writes == "off":
            self.post_message(WriteWanted(()))  # which says why
            return
        name = clean(thing.name)
        wanted = WriteWanted((ActOn(Act.DELETE_SCHEDULE, project, thing.id, name),))

        def go_on(typed: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if typed:
                self.post_message(wanted)

        profile = self.service.profile
        self.app.push_screen(
            DeleteScheduleDialog(profile.name, name, production=profile.production), go_on
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what needs a schedule under the cursor."""
        if action in {"edit", "delete"} and self.is_whole:
            return True if self.actable(self.table.cursor_key or "") is not None else None
        return super().check_action(action, parameters)
