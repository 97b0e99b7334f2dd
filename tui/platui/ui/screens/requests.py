"""Requests: what platui asked of the platform, what came, and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from platui.present.chrome import Age, Freshness
from platui.present.tables.requests import REQUESTS
from platui.present.tables.spec import Context
from platui.ui.screens.listing import ListScreen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.models.values.table import Row


class RequestsScreen(ListScreen):
    """Behind the gauge; asks for nothing itself."""

    NOUN = "requests"
    WITHOUT = frozenset(
        {"hold", "refresh", "raw", "details", "read_details", "file", "load_all", "browse"}
    )
    COPIED = "path"
    COLUMNS = REQUESTS.layout
    UTC_COLUMN = "at"
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    FOOTER = ("list.filter", "list.sort", "list.copy", "place.up")

    def start_feeds(self) -> None:
        """Draw at every request that is recorded."""
        self.while_shown(self.service.journal.newest.observe(lambda _: self.draw()))
        self.draw()
        self.tell_header()

    def draw(self) -> None:
        """Show the records: they are our own, so what is shown is always of now."""
        if self.is_shown:
            self.age = Age(Freshness.LIVE, self.service.clock.now())
        super().draw()

    def rows(self) -> Sequence[Row]:
        """Return the records, newest first."""
        at = Context(self.service.clock.now(), self.utc)
        return REQUESTS.rows(self.service.journal.recent(), at)

    def draw_summary(self) -> None:
        """Show what was spent, and how much of it was saved."""
        records = self.service.journal.recent()
        unchanged = sum(record.source == "304" for record in records)
        failed = sum(record.status is None or record.status >= 400 for record in records)  # noqa: PLR2004
        budget = self.service.budget.value
        counted = "the platform's count" if budget.from_server else "own count"
        pieces = [
            (f"{budget.used} of {budget.limit} a minute ({counted})", "text"),
            (f"{len(records)} shown", "muted"),
            (f"{unchanged} unchanged (304)", "muted"),
        ]
        if failed:
            pieces.insert(1, (f"{failed} failed", "failed"))
        self.summarize([*pieces, *self.filter_pieces()])

    def empty_text(self) -> str:
        """Return that nothing was asked."""
        return "Nothing has been asked of the platform yet."

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return the path of a request."""
        records = {str(item.number): item.path for item in self.service.journal.recent()}
        return {"path": records[key]} if key in records else {}
