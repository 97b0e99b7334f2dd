"""Triage, the home screen: failures of all watched projects, since when, and why; its keys."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.connection import ConnectionState
from platui.models.values.writes import RecordAction, WriteAction
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import (
    BrowseRow,
    ChangePreview,
    CopyMenu,
    CopyRow,
    Details,
    FilterFailed,
    FilterRows,
    NextPane,
    PreviousPane,
    ReadRow,
)
from platui.ui.controllers.pipeline_logs import PipelineLogs, open_log_of
from platui.ui.controllers.row_actions import ActionTarget, RowActions
from platui.ui.controllers.run_keys import RunPipeline, Unlock
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.messages import CopyText
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.screens.triage.board_keys import CauseKeys, DefaultBranches, WrapErrors
from platui.ui.screens.triage.body import TriageBody
from platui.ui.screens.triage.incident_marks import MarkIncidents, not_broken_reason

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.models.values.stored_triage import Watchable
    from platui.models.values.triage_board import BoardItem


class OpenIncident(Controller[TriageBody]):
    """Opens the log of the failed job, and the comparison with the last successful run."""

    @command("l", "triage.log", "Log")
    def open_log(self) -> None:
        """Open the log of the failed job, at its error, or of the running one."""
        here = self.body.context
        if (key := self.body.table.cursor_key) is None or here.defers(self.open_log):
            return
        item, route = here.under_cursor, here.open_target(key)
        if item is None or item.incident is not None or route is None or route.view != "jobs":
            here.open(key)
        else:
            open_log_of(self.body, route)

    @command("b", "triage.broken_since", "Broken since")
    def compare(self) -> None:
        """Compare the failed run with the last successful one."""
        here = self.body.context
        if here.defers(self.compare):
            return
        item, board = here.under_cursor, self.body.shown.board
        route = here.route_of(item, "since")
        if item is not None and board is not None and item.incident is not None and route:
            from platui.ui.screens.triage.item_routes import own_red  # noqa: PLC0415  (on first use)

            self.screen.go_to(replace(route, pipeline=own_red(item.incident, board.items)))

    @command("D", "triage.artifacts", "Artifacts")
    def browse_artifacts(self) -> None:
        """List the files in the artifacts of the failed job."""
        here = self.body.context
        if here.defers(self.browse_artifacts):
            return
        item, route = here.under_cursor, here.route_of(here.under_cursor, "artifacts")
        if item is not None and item.step is not None and route is not None:
            step = item.step
            self.screen.go_to(replace(route, job=step.id, job_name=clean(step.name)))

    def disabled_reason(self, command: str) -> str:
        body = self.body
        if command == "triage.log":
            return "" if body.table.cursor_key is not None else "Select a row first."
        item = body.context.under_cursor
        if command == "triage.artifacts":
            step = item.step if item is not None else None
            has_job = body.pending.must_wait or (step is not None and not step.is_bridge)
            return "" if has_job else "No artifacts: no failed job is known here."
        if body.pending.must_wait or (item is not None and item.incident is not None):
            return ""
        return not_broken_reason(body, "compare")

    def label(self, command: str) -> str:
        if command == "table.open":
            route = self.body.context.open_target(self.body.table.cursor_key)
            return "log" if route is None else route.view
        return "since" if command == "triage.broken_since" else ""


class IncidentWrites(RowActions):
    ACTS = {"write.cancel": WriteAction.CANCEL_PIPELINE, "write.retry": WriteAction.RETRY_JOB}

    def record_targets(self, command: str, key: str) -> Sequence[tuple[ProjectRef, ActionTarget]]:
        """Return the failed jobs or running pipelines of a row, the oldest last."""
        if not (items := self.body.shown.items_of(key)):
            return []
        from platui.present.triage.labels import newest_first  # noqa: PLC0415  (on first use)

        found = [(item.lane.project, self._acted_on(command, item)) for item in newest_first(items)]
        return [(project, thing) for project, thing in found if thing is not None]

    def _acted_on(self, command: str, item: BoardItem) -> ActionTarget | None:
        from platui.present.triage.labels import target_summary  # noqa: PLC0415  (as above)

        where = self.body.shown.name_of(item.lane.project)
        now, utc = self.body.now, self.body.utc
        if command == "write.cancel":
            ran = item.moving or item.pipeline
            if ran is None:
                return None
            return ActionTarget(ran.id, where, ran.status, target_summary(item, ran, now, utc=utc))
        step = item.step
        if step is None or step.is_bridge or item.incident is None:
            return None
        words = target_summary(item, None, now, utc=utc)
        return ActionTarget(step.id, f"{step.name} · {where}", "failed", words)

    def path_of(self, project: ProjectRef, /) -> str:
        """Return a path: the row may be a cause, which belongs to no project."""
        path: str = self.body.shown.names.path(project)
        return path

    def rows_of(self, done: Sequence[RecordAction]) -> Iterable[str]:
        ids = {(one.project, one.id) for one in done}
        for key in self.body.table.marks:
            things = [
                (project, thing.id)
                for command in self.ACTS
                for project, thing in self.record_targets(command, key)
            ]
            if ids.intersection(things):
                yield key

    def no_target_reason(self, key: str) -> str:
        item = self.body.context.item(key)
        step = item.step if item is not None else None
        if step is not None and step.is_bridge:
            return "the failed jobs are in a pipeline of another project"
        return "no job failed here" if item is not None else "this row no longer exists"


class IncidentLogs(PipelineLogs):
    def chosen(self) -> Sequence[Route]:

        here = self.body.context
        found = [(item.moving, here.route_of(item, "jobs")) for item in here.chosen_items()]
        return [replace(route, pipeline=ran.id) for ran, route in found if ran and route]

    def await_end(self) -> None:
        """Ask for a notification; of an ended pipeline, show its status."""
        if self.chosen():
            super().await_end()
            return

        ended = (item.pipeline for item in self.body.context.chosen_items())
        ran = next(filter(None, ended), None)
        state = (
            "Nothing runs here." if ran is None else f"#{ran.id} has ended: {clean(ran.status)}."
        )
        key = self.screen.key_of("pipeline.notify")
        self.screen.show_hint(f"{state} {key} needs a running pipeline.")

    def disabled_reason(self, command: str) -> str:
        if command != "pipeline.notify" or self.body.context.chosen_items():
            return ""
        return super().disabled_reason(command)


class IncidentWatch(WatchProjects):
    HIDES_ROWS = True

    def watchable(self) -> Sequence[Watchable]:
        found = {item.lane.project: item for item in self.body.context.chosen_items()}
        if not found:
            return []
        from platui.models.values.stored_triage import Watchable  # noqa: PLC0415  (as above)

        names = self.body.shown.names
        return [Watchable(one, names.path(one), names.label(one)) for one in found]


class ChooseWatched(Controller[TriageBody]):
    @command("c", "watch.choose", "Watch list")
    def choose(self) -> None:
        """Choose the watched projects."""
        self.body.shown.choose_watched()


class HandOff(Controller[TriageBody]):
    """Exports the board for a colleague."""

    @command("e", "triage.hand_off", "Handoff")
    async def hand_off(self) -> None:
        """Copy the board of these branches as Markdown, without `/`, and save it to a file."""
        # No first frame needs these.
        from platui.present.triage.handoff import handoff, handoff_name  # noqa: PLC0415
        from platui.present.triage.handoff_lines import HandoffText  # noqa: PLC0415
        from platui.ui.dialogs.save import handoff_dialog  # noqa: PLC0415

        body, board, service = self.body, self.body.shown.board, self.body.service
        profile, line = service.profile, service.line.value
        if board is None:
            return
        since = line.since if line.state is ConnectionState.OFFLINE else None
        names = body.shown.names
        visible = body.shown.visible(board)
        facts = HandoffText(
            profile.name, profile.url, names, body.now, body.utc, since,
            hidden=len(board.items) - len(visible.items),
        )  # fmt: skip
        memory = service.triage_state.memory.value
        # There may be hundreds of incidents.
        text = await asyncio.to_thread(handoff, visible, memory, facts)
        self.screen.post_message(CopyText(text, "Handoff"))
        await self.screen.app.push_screen(handoff_dialog(text, handoff_name(facts)))

    def disabled_reason(self, _command: str) -> str:
        board = self.body.shown.board
        if board is not None and board.known:
            return ""
        return "Nothing to hand off: no project is loaded yet."


class TriageScreen(ViewScreen):
    BODY = TriageBody
    SHOWS_FAILURES = True
    DEFAULT_CSS = """
    TriageScreen.-wide #detail { width: 36; }
    """
    CONTROLLERS = (
        *VIEW_KEYS, CopyMenu, Details, ChangePreview, CauseKeys, NextPane, PreviousPane, FilterRows,
        FilterFailed, ReadRow, BrowseRow, CopyRow, HandOff, MarkIncidents, ChooseWatched,
        IncidentWatch, IncidentLogs, Unlock, RunPipeline, IncidentWrites,
        OpenIncident, WrapErrors, DefaultBranches,
    )  # fmt: skip
    FOOTER = (
        "table.open", "triage.wrap", "triage.expand", "triage.broken_since", "triage.acknowledge",
        "triage.snooze", "list.filter", "triage.note", "triage.expand_all", "triage.hand_off",
        "triage.undo", "triage.branches", "list.details", "write.rerun", "write.retry",
        "write.cancel", "list.failed", "list.copy", "view.refresh", "app.command",
    )  # fmt: skip
