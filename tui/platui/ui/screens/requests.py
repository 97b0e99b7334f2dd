"""Requests sent to the platform, their answers and their cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from platui.present.chrome import Age, Freshness
from platui.present.tables.requests import REQUESTS
from platui.ui.controllers.list_keys import (
    CopyMenu,
    CopyRow,
    FilterFailed,
    FilterRows,
    NextPane,
    PreviousPane,
    SortRows,
)
from platui.ui.controllers.view_keys import GoBack, SignIn
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.table import Row


class RequestsContext(ListContext["RequestsBody"]):
    def copies(self, key: str) -> Mapping[str, str]:
        records = {str(one.number): one.path for one in self.body.service.journal.recent()}
        return {"path": records[key]} if key in records else {}


class RequestsBody(ListBody):
    CONTEXT = RequestsContext
    NOUN = "requests"
    COLUMNS = REQUESTS.layout
    UTC_COLUMN = "at"
    DEFAULT_COPY = "path"
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()

    def start_feeds(self) -> None:
        self.host.while_shown(self.service.journal.newest.observe(lambda _: self.draw()))
        self.draw()
        self.host.update_header()

    def draw(self) -> None:
        if self.host.is_shown:
            self.age = Age(Freshness.LIVE, self.now)
        super().draw()

    def rows(self) -> Sequence[Row]:
        return REQUESTS.rows(self.service.journal.recent(), self.context.at_now)

    def draw_summary(self) -> None:
        records = self.service.journal.recent()
        unchanged = sum(record.source == "304" for record in records)
        failed = sum(record.status is None or record.status >= 400 for record in records)  # noqa: PLR2004
        budget = self.service.budget.value
        # The platform counts in windows of its own, which may have just begun.
        counted = "(platform's count)" if budget.from_server else "in the last minute (own count)"
        pieces = [
            (f"{budget.used}/{budget.limit} {counted}", "text"),
            (f"{self.table.shown_count} shown", "muted"),
            (f"{unchanged} unchanged (304)", "muted"),
        ]
        if failed:
            pieces.insert(1, (f"{failed} failed", "failed"))
        self.host.summarize([*pieces, *filter_pieces(self)])

    def empty(self) -> tuple[str, str]:
        return "No requests yet.", "muted"


class RequestsScreen(ViewScreen):
    """Explains the budget gauge; sends no requests itself."""

    BODY = RequestsBody
    CONTROLLERS = (
        GoBack, SignIn, CopyMenu, NextPane, PreviousPane, FilterRows, FilterFailed, SortRows,
        CopyRow,
    )  # fmt: skip
    FOOTER = ("list.filter", "list.sort", "list.copy", "view.back")
