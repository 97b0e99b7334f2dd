"""What a row of the triage board leads to: logs, jobs, files, and what changed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding

from platui.core.text import clean
from platui.models.values.places import Place, View
from platui.models.values.raw import RecordKind, RecordRef
from platui.models.values.triage_lateness import LateKind
from platui.models.values.watching import Watchable
from platui.present.triage_columns import QUIET, REST
from platui.ui.messages import GoTo, Told
from platui.ui.screens.owing import OwesKeys
from platui.ui.screens.running import RunsPipelines
from platui.ui.screens.triage_acting import ActsOnIncidents
from platui.ui.screens.watching import WatchesProjects
from platui.ui.screens.whole_pipeline import WholePipeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from textual.binding import BindingType

    from platui.models.values.triage_items import BoardItem
    from platui.present.details.layout import Details


class LeadsOn(ActsOnIncidents, OwesKeys, RunsPipelines, WholePipeline, WatchesProjects):
    """A view whose rows are incidents, and what is late, runs or recovered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "l",
            "log",
            "Log",
            id="triage.log",
            show=False,
            tooltip="Log of the job that failed, at its error",
        ),
        Binding(
            "b",
            "since",
            "Broken since",
            id="triage.since",
            tooltip="Hold what is red against the last green run: what changed in between",
        ),
    ]

    # what a subclass gives

    def every_item(self) -> Iterable[tuple[str, Sequence[BoardItem]]]:
        """Return each row's key, and what it stands for."""
        raise NotImplementedError

    def is_known(self, key: str) -> bool:
        """Return whether it is known what a row stands for; a line between rows is none."""
        return key in {QUIET, REST} or bool(self.items_of(key))

    def chosen_items(self) -> Sequence[BoardItem]:
        """Return what the row under the cursor stands for, or the marked rows, each once."""
        from platui.present.triage import item_key  # noqa: PLC0415  (imported with the rows)

        found = [item for key in self.chosen() for item in self.items_of(key)]
        return list({item_key(item): item for item in found}.values())

    # what a row leads to

    def _place(self, item: BoardItem, view: View) -> Place | None:
        """Return a view of the pipeline that an item is about; of a schedule, where it stands."""
        from platui.present.triage_words import newest_of  # noqa: PLC0415  (as above)

        ran, project = newest_of(item), item.lane.project
        name = self.name_of(project)
        if ran is None:
            schedule = item.late.schedule if item.late is not None else None
            return Place(View.SCHEDULES, project, name, schedule=schedule)
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
        place = self._place(item, View.JOBS) if item is not None else None
        if item is None or place is None:
            return None
        step = item.point.step if item.point is not None else None
        if item.incident is not None and step is not None and step.has_log:
            return replace(place, view=View.LOG, job=step.id, job_name=clean(step.name))
        if item.incident is None and item.late is not None and item.late.kind is LateKind.SILENT:
            late = item.late
            return replace(place, view=View.LOG, job=late.job, job_name=clean(late.what))
        return place

    def opens(self, key: str | None) -> str:
        """Return in a word what `enter` opens of a row; of one that nothing is known of, a log."""
        place = self._opened_by(key)
        return "log" if place is None else place.view.value

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
        place = self._place(item, View.SINCE) if item is not None else None
        if item is not None and item.incident is not None and place is not None:
            self.post_message(GoTo(replace(place, pipeline=item.incident.newest_red.id)))

    def pipelines_chosen(self) -> Sequence[Place]:
        """Return what goes on of the row under the cursor, or of the marked rows."""
        from platui.present.triage_words import moving_of  # noqa: PLC0415  (as above)

        found = []
        for item in self.chosen_items():
            ran, place = moving_of(item), self._place(item, View.JOBS)
            if ran is not None and place is not None:
                found.append(replace(place, pipeline=ran.id))
        return found

    def action_await_end(self) -> None:
        """Ask to be told; of what has ended there is nothing to wait for, and that is said."""
        if self.pipelines_chosen():
            super().action_await_end()
            return
        from platui.present.triage_words import newest_of  # noqa: PLC0415  (as above)

        ran = next(filter(None, map(newest_of, self.chosen_items())), None)
        said = "Nothing runs here." if ran is None else f"#{ran.id} has ended: {clean(ran.status)}."
        self.post_message(Told(f"{said} {self.key_of('pipeline.await')} is for what runs."))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what needs a row; `W` answers on what has ended, too."""
        if action == "since" and self.is_whole:
            item = self.item_of(self.table.cursor_key)
            is_broken = item is not None and item.incident is not None
            return True if is_broken or self.would_owe() else None
        if action == "await_end" and self.is_whole:
            return True if self.chosen_items() else None
        return super().check_action(action, parameters)

    def subject(self) -> Place | None:
        """Return the pipeline under the cursor."""
        item = self.item_of(self.table.cursor_key)
        return None if item is None else self._place(item, View.JOBS)

    def file_of(self, key: str) -> Place | None:
        """Return the pipeline's file, at the commit it ran on."""
        from platui.present.triage_words import newest_of  # noqa: PLC0415  (as above)

        item = self.item_of(key)
        place = self._place(item, View.FILE) if item is not None else None
        ran = newest_of(item) if item is not None else None
        return None if place is None or ran is None else replace(place, ref=ran.sha or ran.ref)

    def record_of(self, key: str) -> RecordRef | None:
        """Return the pipeline of a row, or its schedule."""
        item = self.item_of(key)
        place = self._place(item, View.JOBS) if item is not None else None
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
        from platui.present.triage_cause_words import cause  # noqa: PLC0415  (as above)
        from platui.present.triage_words import newest_of  # noqa: PLC0415  (as above)

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
        from platui.present.triage_words import pipelines_of  # noqa: PLC0415  (as above)

        found = (
            key
            for key, stands_for in self.every_item()
            for item in stands_for
            if number in pipelines_of(item)
            or item.lane.project == number
            or (item.late is not None and item.late.schedule == number)
        )
        return any(self.table.move_to(key) for key in found)

    def watchable(self) -> Sequence[Watchable]:
        """Return the projects of the row under the cursor, or of the marked ones, each once."""
        names = self.names
        found = {item.lane.project: item for item in self.chosen_items()}
        return [Watchable(one, names.path(one), names.label(one)) for one in found]
