"""Generic list view, declared by a resource, a table and its details."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from platui.present.details.layout import Details as DetailsOf
from platui.present.details.layout import column_details
from platui.ui import views
from platui.ui.controllers.list_keys import LIST_KEYS, FilterFailed, ReadRow
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.view import load

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed, Listing
    from platui.models.values.routes import Route, SavedView
    from platui.models.values.table import Row
    from platui.present.tables.spec import TableSpec


class ResourceContext(ListContext["ResourceBody"]):
    def row_key(self, item: Any) -> str:
        return self.body.table_spec.key(item)

    def details(self, key: str, record: Any = None) -> DetailsOf | None:
        one, view = record or self.item(key), self.body.view
        if one is None:
            return None
        if view.details is not None:
            made: DetailsOf = load(view.details)(one, self.at_now)
            return made
        return column_details(view.title, self.body.table_spec, one, self.at_now)

    def copies(self, key: str) -> Mapping[str, str]:
        one = self.item(key)
        return {} if one is None else {"URL": getattr(one, "web_url", ""), "id": key}


class ResourceBody(ListBody):
    """The records of a resource, in the order of the platform."""

    CONTEXT = ResourceContext
    FOLLOWS_RECORD = True

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.view = views.get(route.view)
        self.table_spec: TableSpec[Any] = load(self.view.table or "")
        self.NOUN, self.COLUMNS = self.view.short_title.lower(), self.table_spec.layout

    def open_feed(self) -> Feed[Listing[Any]]:
        return self.service.watch(load(self.view.resource or "")(self.route))

    def rows(self) -> Sequence[Row]:
        return self.table_spec.rows(self.items, self.context.at_now)

    def empty(self) -> tuple[str, str]:
        if self.listing.is_supported:
            return super().empty()
        return f"{self.NOUN.capitalize()} are not supported by this platform.", "muted"

    def draw_summary(self) -> None:
        if not self.listing.is_supported:
            self.host.summarize(())
            return
        loaded, total = len(self.listing.items), self.listing.total
        of = "" if total in {None, loaded} else f" of {total:,}"
        count = f"{loaded:,} {self.NOUN}" if self.listing.complete else f"{loaded:,}{of} loaded"
        self.host.summarize([(count, "text"), *filter_pieces(self)])


class ResourceScreen(ViewScreen):
    BODY = ResourceBody
    CONTROLLERS = tuple(one for one in LIST_KEYS if one not in {FilterFailed, ReadRow})
    FOOTER = (
        "list.details", "list.filter", "list.sort", "list.copy", "view.refresh", "app.command",
    )  # fmt: skip
