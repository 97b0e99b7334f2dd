"""A list that its view declares: the resource it reads, the table it shows, and their details."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.present.details.layout import column_details
from platui.present.tables.spec import Context
from platui.ui import views
from platui.ui.screens.listing import DetailedList
from platui.ui.view import load

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.config.settings import Settings
    from platui.models.values.feeds import Feed, Listing
    from platui.models.values.places import KeptPlace, Place
    from platui.models.values.table import Column, Row
    from platui.present.details.layout import Details
    from platui.present.tables.spec import TableSpec
    from platui.service import PlatformService


class ResourceScreen(DetailedList):
    """Sort, filter, details, copies and refresh of any list; nothing of it opens further."""

    FOOTER = (
        "list.details", "list.filter", "list.sort", "list.copy", "place.refresh", "app.command",
    )  # fmt: skip
    WITHOUT = frozenset({"file", "failed", "raw"})

    def __init__(
        self, service: PlatformService, settings: Settings, place: Place, kept: KeptPlace | None
    ) -> None:
        super().__init__(service, settings, place, kept)
        self._view = views.get(place.view)
        self._table: TableSpec[Any] = load(self._view.table or "")

    @property
    def noun(self) -> str:
        """Return what the view lists."""
        return self._view.short_title.lower()

    def columns(self) -> tuple[Column, ...]:
        """Return the columns of the declared table."""
        return self._table.layout

    def open_feed(self) -> Feed[Listing[Any]]:
        """Return the feed of the declared resource."""
        return self.service.watch(load(self._view.resource or "")(self.place))

    def row_key(self, item: Any) -> str:
        """Return the key of a record's row in the declared table."""
        return self._table.key(item)

    @property
    def _at_now(self) -> Context:
        return Context(self.service.clock.now(), self.utc)

    def rows(self) -> Sequence[Row]:
        """Return a row a record, in the order of the platform."""
        return self._table.rows(self.items, self._at_now)

    def empty_text(self) -> str:
        """Return whether there are no records, or no such list on this platform."""
        if self.listing.offered:
            return super().empty_text()
        return f"This platform does not offer {self.noun}."

    def draw_summary(self) -> None:
        """Show how many records there are."""
        if not self.listing.offered:
            self.summarize(())
            return
        loaded, total = len(self.listing.items), self.listing.total
        of = "" if total in {None, loaded} else f" of {total:,}"
        count = f"{loaded:,} {self.noun}" if self.listing.complete else f"{loaded:,}{of} loaded"
        self.summarize([(count, "text"), *self.filter_pieces()])

    def details_of(self, key: str, record: Any = None) -> Details | None:
        """Return the declared details of a row; by default all columns of its record."""
        one = record or self.item_at(key)
        if one is None:
            return None
        if self._view.details is not None:
            made: Details = load(self._view.details)(one, self._at_now)
            return made
        return column_details(self._view.title, self._table, one, self._at_now)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return the address of a record, where it has one, and its id."""
        one = self.item_at(key)
        return {} if one is None else {"URL": getattr(one, "web_url", ""), "id": key}
