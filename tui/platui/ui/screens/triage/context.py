"""What the keys of the triage board act on: an incident, a cause, or another pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.previews import LOG, PreviewTarget
from platui.models.values.routes import Route, SavedView
from platui.ui.screens.parts.list_context import KEPT_ROWS, ListContext, way_to_row
from platui.ui.screens.parts.list_preview import pipeline_preview

if TYPE_CHECKING:
    from platui.models.values.queries import RecordRef
    from platui.models.values.tests import ReportedPipeline
    from platui.models.values.triage_board import BoardItem
    from platui.present.details.layout import Details
    from platui.ui.screens.triage.body import TriageBody

OPENED: Final = "opened"  # Saved keys of expanded causes, one per line


class TriageContext(ListContext[Any]):
    """An incident, several of one cause, or a late, running or recovered pipeline."""

    body: TriageBody

    def item(self, key: str | None) -> BoardItem | None:
        items = self.body.shown.items_of(key)
        return items[0] if items else None

    @property
    def under_cursor(self) -> BoardItem | None:
        return self.item(self.body.table.cursor_key)

    def chosen_items(self, rows: Sequence[str] | None = None) -> Sequence[BoardItem]:
        """Return the items of rows, each once; of the chosen ones by default."""
        keys = self.chosen() if rows is None else rows
        found = [item for key in keys for item in self.body.shown.items_of(key)]
        return list({item.key: item for item in found}.values())

    def incidents(self, rows: Sequence[str] | None = None) -> list[BoardItem]:
        return [item for item in self.chosen_items(rows) if item.incident is not None]

    def defers(self, do: Callable[[], Any]) -> bool:
        return self.body.pending.wait(do)

    def route_of(self, item: BoardItem | None, view: str) -> Route | None:
        if item is None:
            return None
        from platui.ui.screens.triage.item_routes import view_route  # noqa: PLC0415  (not for a first frame)

        return view_route(item, self.body.shown.names, view)

    def open(self, key: str) -> None:
        if self.defers(partial(self.open, key)):
            return
        if (route := self.open_target(key)) is not None:
            self.body.host.go_to(route)

    def open_target(self, key: str | None) -> Route | None:
        if (item := self.item(key)) is None:
            return None
        from platui.ui.screens.triage.item_routes import item_route  # noqa: PLC0415  (as above)

        return item_route(item, self.body.shown.names)

    def preview(self, key: str, kind: str) -> PreviewTarget | None:
        """Return the log that `enter` opens, or the jobs of the pipeline."""
        item, log = self.item(key), self.open_target(key)
        if item is None:
            return None
        if kind == LOG and log is not None and log.job is not None and log.project is not None:
            status = "failed" if item.incident is not None else "running"
            return PreviewTarget(log.project, log.job_name, status, job=log.job, line=log.line)
        target = pipeline_preview(item.lane.project, item.pipeline)
        if target is not None and item.incident is not None and item.point is None:
            # The board is about to read the same jobs and log.
            return target._replace(note="Looking for the cause …")
        return target

    def resource(self) -> Route | None:
        return self.route_of(self.under_cursor, "jobs")

    def file_of(self, key: str) -> Route | None:
        item = self.item(key)
        route = self.route_of(item, "file")
        if item is None or route is None or item.pipeline is None:
            return None
        return replace(route, ref=item.pipeline.sha or item.pipeline.ref)

    def record(self, key: str) -> RecordRef | None:
        if (route := self.route_of(self.item(key), "jobs")) is None:
            return None
        from platui.models.values.queries import RecordKind, RecordRef  # noqa: PLC0415  (as above)

        if route.schedule is not None:
            return RecordRef(RecordKind.SCHEDULE, route.schedule, route.project)
        if route.pipeline is None:
            return None
        return RecordRef(RecordKind.PIPELINE, route.pipeline, route.project)

    def tests_of(self, key: str) -> ReportedPipeline | None:
        item = self.item(key)
        if item is None or item.incident is None:
            return None
        from platui.models.values.tests import ReportedPipeline  # noqa: PLC0415  (as above)

        red = item.incident.newest_red
        return ReportedPipeline(item.lane.project, red.id, red.ended_at)

    def details(self, key: str, _record: Any = None) -> Details | None:
        items, board = self.body.shown.items_of(key), self.body.shown.board
        if not items or board is None:
            return None
        from platui.present.details.incidents import item_details  # noqa: PLC0415  (on first use)

        return item_details(board, items, self.at_now)

    def copies(self, key: str) -> Mapping[str, str]:
        if (item := self.item(key)) is None:
            return {}
        from platui.present.triage.reasons import cause  # noqa: PLC0415  (as above)

        ran, late = item.pipeline, item.late
        if ran is None and late is not None:
            return {"id": str(late.schedule), "description": late.what, "ref": item.lane.ref}
        if ran is None:
            return {}
        job = item.step.web_url if item.step is not None and item.incident is not None else ""
        return {
            "URL": job or ran.web_url,
            "pipeline": ran.web_url if job else "",
            "error": cause(item) if item.incident is not None else "",
            "id": str(ran.id),
            "job id": str(item.step.id) if job and item.step is not None else "",
            "commit": ran.sha,
            "ref": ran.ref,
            "command": self.open_command(job or ran.web_url),
        }

    def way_to(self, number: int) -> Callable[[], object] | None:
        from platui.present.triage.labels import pipelines_of  # noqa: PLC0415  (as above)

        found = (
            key
            for key, items in self.body.shown.every_item()
            for item in items
            if number in pipelines_of(item)
            or item.lane.project == number
            or (item.late is not None and item.late.schedule == number)
        )
        return next(filter(None, (way_to_row(self.body.table, key) for key in found)), None)

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
            from platui.models.values.triage_board import saved_board  # noqa: PLC0415  (as above)

            board = saved_board(body.shown.board, saved_view.saved_at)
        # The next start begins at the top of the board.
        return replace(
            saved_view,
            rows=tuple(table.shown_rows[:KEPT_ROWS]),
            cursor="",
            extra={**saved_view.extra, OPENED: "\n".join(sorted(body.expanded))},
            board=board,
        )
