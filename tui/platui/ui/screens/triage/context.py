"""What the keys of the triage board act on: the items of its rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from platui.core.text import clean
from platui.models.values.queries import RecordKind, RecordRef
from platui.models.values.routes import Route, SavedView
from platui.models.values.triage_board import LateKind, saved_board
from platui.ui.screens.parts.list_context import KEPT_ROWS, ListContext

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from platui.models.values.triage_board import BoardItem
    from platui.present.details.layout import Details
    from platui.ui.screens.triage.body import TriageBody


class TriageContext(ListContext[Any]):
    """An incident, several of one cause, or a late, running or recovered pipeline."""

    body: TriageBody

    def item(self, key: str | None) -> BoardItem | None:
        items = self.body.shown.items_of(key)
        return items[0] if items else None

    @property
    def under_cursor(self) -> BoardItem | None:
        return self.item(self.body.table.cursor_key)

    def chosen_items(self) -> Sequence[BoardItem]:
        """Return the items of the row under the cursor, or of the marked rows, each once."""
        from platui.present.triage.labels import item_key  # noqa: PLC0415  (with the rows)

        found = [item for key in self.chosen() for item in self.body.shown.items_of(key)]
        return list({item_key(item): item for item in found}.values())

    def incidents(self) -> list[BoardItem]:
        return [item for item in self.chosen_items() if item.incident is not None]

    def defers(self, do: Callable[[], Any]) -> bool:
        return self.body.pending.wait(do)

    def route_of(self, item: BoardItem, view: str) -> Route | None:
        """Return a view of an item's pipeline; for a schedule, the schedules."""
        from platui.present.triage.labels import newest_of  # noqa: PLC0415  (as above)

        ran, project = newest_of(item), item.lane.project
        name = self.body.shown.name_of(project)
        if ran is None:
            schedule = item.late.schedule if item.late is not None else None
            return Route("schedules", project, name, schedule=schedule)
        return Route(view, project, name, ran.id)

    def open(self, key: str) -> None:
        if self.defers(partial(self.open, key)):
            return
        if (route := self.open_target(key)) is not None:
            self.body.host.go_to(route)

    def open_target(self, key: str | None) -> Route | None:
        item = self.item(key)
        route = self.route_of(item, "jobs") if item is not None else None
        if item is None or route is None:
            return None
        step = item.point.step if item.point is not None else None
        if item.incident is not None and step is not None and step.has_log:
            return replace(route, view="log", job=step.id, job_name=clean(step.name))
        if item.incident is None and item.late is not None and item.late.kind is LateKind.SILENT:
            late = item.late
            return replace(route, view="log", job=late.job, job_name=clean(late.what))
        return route

    def resource(self) -> Route | None:
        item = self.under_cursor
        return None if item is None else self.route_of(item, "jobs")

    def file_of(self, key: str) -> Route | None:
        from platui.present.triage.labels import newest_of  # noqa: PLC0415  (as above)

        item = self.item(key)
        route = self.route_of(item, "file") if item is not None else None
        ran = newest_of(item) if item is not None else None
        return None if route is None or ran is None else replace(route, ref=ran.sha or ran.ref)

    def record(self, key: str) -> RecordRef | None:
        item = self.item(key)
        route = self.route_of(item, "jobs") if item is not None else None
        if route is not None and route.schedule is not None:
            return RecordRef(RecordKind.SCHEDULE, route.schedule, route.project)
        if route is None or route.pipeline is None:
            return None
        return RecordRef(RecordKind.PIPELINE, route.pipeline, route.project)

    def details(self, key: str, _record: Any = None) -> Details | None:
        items, board = self.body.shown.items_of(key), self.body.shown.board
        if not items or board is None:
            return None
        from platui.present.details.incidents import item_details  # noqa: PLC0415  (on first use)

        return item_details(board, items, self.at_now)

    def copies(self, key: str) -> Mapping[str, str]:
        from platui.present.triage.labels import newest_of  # noqa: PLC0415  (as above)
        from platui.present.triage.reasons import cause  # noqa: PLC0415  (as above)

        item = self.item(key)
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
            "command": self.open_command(job or ran.web_url),
        }

    def go_to_number(self, number: int) -> bool:
        from platui.present.triage.labels import pipelines_of  # noqa: PLC0415  (as above)

        found = (
            key
            for key, items in self.body.shown.every_item()
            for item in items
            if number in pipelines_of(item)
            or item.lane.project == number
            or (item.late is not None and item.late.schedule == number)
        )
        return any(self.body.table.move_to(key) for key in found)

    def saved_state(self) -> SavedView | None:
        """Return the rows, even if there are none, so that old incidents are not shown again."""
        body, table = self.body, self.body.table
        if body.is_whole and body.has_data() and not table.total_count:
            profile = body.service.profile.name
            return SavedView(body.route, saved_at=self.rows_fetched_at(), profile=profile)
        saved_view = super().saved_state()
        if saved_view is None or not body.is_whole or not table.total_count:
            return saved_view
        board = None
        if body.shown.board is not None and not body.shown.is_recalled:
            board = saved_board(body.shown.board, saved_view.saved_at)
        # The next start begins at the top of the board.
        return replace(
            saved_view,
            rows=tuple(table.shown_rows[:KEPT_ROWS]),
            cursor="",
            extra={**saved_view.extra, **body.causes.saved_keys},
            board=board,
        )
