"""Create, edit, delete, run and take over schedules."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from platui.core.local_zone import local_zone
from platui.core.text import clean
from platui.models.values.writes import RecordAction, WriteAction
from platui.present.schedules.runs import ref_of
from platui.ui.controller import command
from platui.ui.controllers.row_actions import ActionTarget, RowActions
from platui.ui.messages import RequestWrites

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Schedule


class ScheduleWrites(RowActions):
    ACTS = {
        "write.run_schedule": WriteAction.RUN_SCHEDULE,
        "write.own_schedule": WriteAction.OWN_SCHEDULE,
    }
    VERBS = {
        "write.run_schedule": "run",
        "write.own_schedule": "take ownership of",
        "write.edit_schedule": "edit",
        "write.delete_schedule": "delete",
    }

    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        # The id None is a new schedule.
        self._typed: dict[tuple[ProjectRef, int | None], dict[str, str]] = {}

    @property
    def has_unsaved_input(self) -> bool:
        return any(self._typed.values())

    @command("N", "write.new_schedule", "New")
    async def new(self) -> None:
        """Create a schedule, after confirmation."""
        from platui.present.schedules.forms import YES, zone_of  # noqa: PLC0415  (on first use)

        schedule: Schedule | None = self.body.context.item(self.body.table.cursor_key)
        ref = ref_of(schedule) if schedule is not None else ""
        zone, origin = zone_of(local_zone(os.environ))
        first = {"description": "", "ref": ref, "cron": "", "zone": zone, "active": YES}
        self._fill_in(first, None, origin)

    @command("R", "write.run_schedule", "Run now")
    def run_now(self) -> None:
        """Run this schedule now, or every marked one, after confirmation."""
        self.act("write.run_schedule")

    @command("E", "write.edit_schedule", "Edit")
    async def edit(self) -> None:
        """Edit, pause or resume this schedule, after confirmation."""
        from platui.present.schedules.forms import typed_of  # noqa: PLC0415  (on first use)

        key = self.body.table.cursor_key or ""
        schedule = self.body.details.full_record(key) or self.body.context.item(key)
        if schedule is not None and schedule.id > 0:
            self._fill_in(typed_of(schedule), schedule.id)

    @command("O", "write.own_schedule", "Take ownership")
    def own(self) -> None:
        """Become the owner of this schedule, or of every marked one, after confirmation."""
        self.act("write.own_schedule")

    @command("D", "write.delete_schedule", "Delete")
    def delete(self) -> None:
        """Delete this schedule; type its description to confirm."""
        from platui.ui.dialogs.inputs import delete_schedule_dialog  # noqa: PLC0415  (on first use)

        screen = self.screen
        thing = self.record_target(self.body.table.cursor_key or "")
        project = self.body.route.project
        if thing is None or project is None or not screen.can_write():
            return
        name = clean(thing.name)
        intent = RecordAction(WriteAction.DELETE_SCHEDULE, project, thing.id, name)

        def go_on(typed: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if typed:
                screen.post_message(RequestWrites((intent,)))

        screen.app.push_screen(delete_schedule_dialog(screen.service.profile, name), go_on)

    def record_target(self, key: str) -> ActionTarget | None:
        """Return the schedule of a row; writes need a known id."""
        schedule = self.body.context.item(key)
        if schedule is None or schedule.id < 0:
            return None
        last = self.body.runs.last(key)
        number = None if last is None else last.id
        return ActionTarget(schedule.id, schedule.description, "", last_pipeline=number)

    def acted(self, done: Sequence[RecordAction]) -> None:
        """Poll for new runs: their pipelines appear a moment later."""
        self.body.runs.expect([one.id for one in done if one.action is WriteAction.RUN_SCHEDULE])

    def no_target_reason(self, _key: str) -> str:
        return "the id of this schedule is unknown"

    def disabled_reason(self, command: str) -> str:
        if command not in {"write.edit_schedule", "write.delete_schedule"}:
            return super().disabled_reason(command)
        key = self.body.table.cursor_key
        if self.body.table.marks - {key}:
            name = self.VERBS[command].capitalize()
            return f"{name} acts on one schedule: esc removes the marks."
        if key and self.record_target(key) is not None:
            return ""
        reason = self.no_target_reason(key) if key else "no schedule is selected"
        return f"Nothing to {self.VERBS[command]}: {reason}."

    def _fill_in(self, first: Mapping[str, str], schedule: int | None, zone_from: str = "") -> None:
        from platui.present.writes.requests import called  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.form import FormDialog  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.form_content import ScheduleContent  # noqa: PLC0415  (on first use)

        screen = self.screen
        project = self.body.route.project
        if project is None or not screen.can_write():
            return
        typed = self._typed.setdefault((project, schedule), {})
        content = ScheduleContent(
            screen.service, project, first, schedule,
            called=called(project, self.body.route.project_name),
            zone_from=zone_from, utc=self.body.utc, own_key=screen.key_of("write.own_schedule"),
        )  # fmt: skip
        content.drafts = self._typed
        screen.app.push_screen(FormDialog(screen.service, content, typed))
