"""What a row of the triage board leads to: logs, jobs, files, and what changed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from platui.core.text import clean
from platui.models.values.places import Place
from platui.models.values.queries import RecordKind, RecordRef
from platui.models.values.triage_board import LateKind
from platui.models.values.triage_memory import Watchable
from platui.models.values.writes import Act
from platui.ui.controllers.pipeline_logs import PipelineLogs
from platui.ui.controllers.row_writes import Actable, RowWrites
from platui.ui.controllers.running import RerunPipeline, RunPipeline, Unlock
from platui.ui.controllers.watching import WatchProjects
from platui.ui.keys_in_use import bind
from platui.ui.messages import GoTo, Told
from platui.ui.screens.triage_items import BoardList

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import BoardItem
    from platui.models.values.writes import ActOn
    from platui.present.details.layout import Details


class IncidentWrites(RowWrites):
    """Retry the jobs that failed, and cancel the pipelines that run."""

    ACTS = {"write.cancel": Act.CANCEL_PIPELINE, "write.retry": Act.RETRY_JOB}

    def acted_on(self, command: str, key: str) -> Sequence[tuple[ProjectRef, Actable]]:
        """Return the jobs that failed, or the pipelines that run, of all that a row stands for.

        What is oldest comes last: it is what one is least likely to mean.
        """
        from platui.present.triage.names import newest_first  # noqa: PLC0415  (as above)

        items = newest_first(self.screen.items_of(key))
        found = [(item.lane.project, self._acted_on(command, item)) for item in items]
        return [(project, thing) for project, thing in found if thing is not None]

    def _acted_on(self, command: str, item: BoardItem) -> Actable | None:
        from platui.present.triage.names import (  # noqa: PLC0415  (as above)
            acted_words,
            moving_of,
            newest_of,
        )

        where, now = self.screen.name_of(item.lane.project), self.screen.service.clock.now()
        if command == "write.cancel":
            ran = moving_of(item) or newest_of(item)
            if ran is None:
                return None
            told = acted_words(item, ran, now, utc=self.screen.utc)
            return Actable(ran.id, where, ran.status, told)
        step = item.point.step if item.point is not None else None
        if step is None or step.is_bridge or item.incident is None:
            return None
        told = acted_words(item, None, now, utc=self.screen.utc)
        return Actable(step.id, f"{step.name} · {where}", "failed", told)

    def rows_of(self, done: Sequence[ActOn]) -> Iterable[str]:
        """Return the marked rows all of whose things were done."""
        ids = {(one.project, one.id) for one in done}
        for key in self.screen.table.marks:
            things = [
                (project, thing.id)
                for command in self.ACTS
                for project, thing in self.acted_on(command, key)
            ]
            if ids.intersection(things):
                yield key

    def why_unactable(self, key: str) -> str:
        """Return that no job of a row failed."""
        item = self.screen.item_of(key)
        step = item.point.step if item is not None and item.point is not None else None
        if step is not None and step.is_bridge:
            return "this is a pipeline of another project, whose own jobs failed"
        return "no job failed here" if item is not None else "this row is gone"


class IncidentLogs(PipelineLogs):
    """Every log of the pipeline of a row."""

    def chosen(self) -> Sequence[Place]:
        """Return what goes on of the row under the cursor, or of the marked rows."""
        from platui.present.triage.names import moving_of  # noqa: PLC0415  (as above)

        found = []
        for item in self.screen.chosen_items():
            ran, place = moving_of(item), self.screen.place_of(item, "jobs")
            if ran is not None and place is not None:
                found.append(replace(place, pipeline=ran.id))
        return found

    def await_end(self) -> None:
        """Ask to be told; of what has ended there is nothing to wait for, and that is said."""
        if self.chosen():
            super().await_end()
            return
        from platui.present.triage.names import newest_of  # noqa: PLC0415  (as above)

        ran = next(filter(None, map(newest_of, self.screen.chosen_items())), None)
        said = "Nothing runs here." if ran is None else f"#{ran.id} has ended: {clean(ran.status)}."
        self.screen.post_message(
            Told(f"{said} {self.screen.key_of('pipeline.await')} is for what runs.")
        )

    def why_not(self, command: str) -> str:
        """Return that nothing is chosen: on what has ended, it answers, too."""
        if command != "pipeline.await" or self.screen.chosen_items():
            return ""
        return super().why_not(command)


class IncidentWatch(WatchProjects):
    """The projects of rows are watched."""

    def watchable(self) -> Sequence[Watchable]:
        """Return the projects of the row under the cursor, or of the marked ones, each once."""
        names = self.screen.names
        found = {item.lane.project: item for item in self.screen.chosen_items()}
        return [Watchable(one, names.path(one), names.label(one)) for one in found]


class LeadsOn(BoardList):
    """A view whose rows are incidents, and what is late, runs or recovered."""

    CONTROLLERS = (
        IncidentWatch, IncidentLogs, Unlock, RunPipeline, RerunPipeline, IncidentWrites,
    )  # fmt: skip
    BINDINGS = [
        bind("l", "triage.log", "Log", "Log of the job that failed, at its error"),
        bind(
            "b",
            "triage.since",
            "Broken since",
            "Hold what is red against the last green run: what changed in between",
        ),
    ]

    def place_of(self, item: BoardItem, view: str) -> Place | None:
        """Return a view of the pipeline that an item is about; of a schedule, where it stands."""
        from platui.present.triage.names import newest_of  # noqa: PLC0415  (as above)

        ran, project = newest_of(item), item.lane.project
        name = self.name_of(project)
        if ran is None:
            schedule = item.late.schedule if item.late is not None else None
            return Place("schedules", project, name, schedule=schedule)
        return Place(view, project, name, ran.id)

    def open_row(self, key: str) -> None:
        """Open the log of the job that failed; where there is none, the jobs of the pipeline.

        Of a job that says nothing any more, its log; of a schedule that did not fire, the
        schedules with the cursor on it.
        """
        if self.owes(partial(self.open_row, key)):
            return
        if (place := self._opened_by(key)) is not None:
            self.post_message(GoTo(place))

    def _opened_by(self, key: str | None) -> Place | None:
        item = self.item_of(key)
        place = self.place_of(item, "jobs") if item is not None else None
        if item is None or place is None:
            return None
        step = item.point.step if item.point is not None else None
        if item.incident is not None and step is not None and step.has_log:
            return replace(place, view="log", job=step.id, job_name=clean(step.name))
        if item.incident is None and item.late is not None and item.late.kind is LateKind.SILENT:
            late = item.late
            return replace(place, view="log", job=late.job, job_name=clean(late.what))
        return place

    def opens(self, key: str | None) -> str:
        """Return in a word what `enter` opens of a row; of one that nothing is known of, a log."""
        place = self._opened_by(key)
        return "log" if place is None else place.view

    def action_log(self) -> None:
        """Open the log of the job that failed."""
        if (key := self.table.cursor_key) is not None:
            self.open_row(key)

    def action_details(self) -> None:
        """Show the details of the row."""
        if self.is_roomy or not self.owes(self.action_details):
            super().action_details()

    def action_since(self) -> None:
        """Hold the incident under the cursor against its last green run."""
        if self.owes(self.action_since):
            return
        item = self.item_of(self.table.cursor_key)
        place = self.place_of(item, "since") if item is not None else None
        if item is not None and item.incident is not None and place is not None:
            self.post_message(GoTo(replace(place, pipeline=item.incident.newest_red.id)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what needs something broken."""
        if action == "since" and self.is_whole:
            item = self.item_of(self.table.cursor_key)
            is_broken = item is not None and item.incident is not None
            return True if is_broken or self.would_owe() else None
        return super().check_action(action, parameters)

    def subject(self) -> Place | None:
        """Return the pipeline under the cursor."""
        item = self.item_of(self.table.cursor_key)
        return None if item is None else self.place_of(item, "jobs")

    def file_of(self, key: str) -> Place | None:
        """Return the pipeline's file, at the commit it ran on."""
        from platui.present.triage.names import newest_of  # noqa: PLC0415  (as above)

        item = self.item_of(key)
        place = self.place_of(item, "file") if item is not None else None
        ran = newest_of(item) if item is not None else None
        return None if place is None or ran is None else replace(place, ref=ran.sha or ran.ref)

    def record_of(self, key: str) -> RecordRef | None:
        """Return the pipeline of a row, or its schedule."""
        item = self.item_of(key)
        place = self.place_of(item, "jobs") if item is not None else None
        if place is not None and place.schedule is not None:
            return RecordRef(RecordKind.SCHEDULE, place.schedule, place.project)
        if place is None or place.pipeline is None:
            return None
        return RecordRef(RecordKind.PIPELINE, place.pipeline, place.project)

    def details_of(self, key: str, record: Any = None) -> Details | None:
        """Return what is known of an incident, and the others of its cause."""
        del record
        items, board = self.items_of(key), self.board
        if not items or board is None:
            return None
        from platui.present.details.incidents import item_details  # noqa: PLC0415  (on first use)

        return item_details(board, items, self.service.clock.now(), utc=self.utc)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return addresses, the error, id, commit and ref; of a schedule what names it."""
        from platui.present.triage.names import newest_of  # noqa: PLC0415  (as above)
        from platui.present.triage.reasons import cause  # noqa: PLC0415  (as above)

        item = self.item_of(key)
        ran = newest_of(item) if item is not None else None
        if item is not None and ran is None and (late := item.late) is not None:
            return {"id": str(late.schedule), "description": late.what, "ref": item.lane.ref}
        if item is None or ran is None:
            return {}
        step = item.point.step if item.point is not None else None
        job = step.web_url if step is not None and item.incident is not None else ""
        return {
            "URL": job or ran.web_url,
            "pipeline": ran.web_url if job else "",
            "error": cause(item) if item.incident is not None else "",
            "id": str(ran.id),
            "commit": ran.sha,
            "ref": ran.ref,
            "command": self.opening(job or ran.web_url),
        }

    def go_to_number(self, number: int) -> bool:
        """Put the cursor on the row of a pipeline, or of a project, with this id."""
        from platui.present.triage.names import pipelines_of  # noqa: PLC0415  (as above)

        found = (
            key
            for key, stands_for in self.every_item()
            for item in stands_for
            if number in pipelines_of(item)
            or item.lane.project == number
            or (item.late is not None and item.late.schedule == number)
        )
        return any(self.table.move_to(key) for key in found)
