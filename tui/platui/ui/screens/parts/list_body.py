"""Base of a view that is a list: table, rows, and the page without rows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters, on
from textual.containers import Vertical
from textual.geometry import Size

from platui.core.errors import NotFoundError, PlatuiError
from platui.core.text import shorten
from platui.models.values.feeds import Listing, Snapshot
from platui.models.values.routes import Route, SavedView
from platui.present.chrome import Freshness
from platui.present.counts import hidden_by, not_loaded, quoted
from platui.ui.error_display import page
from platui.ui.messages import RouteCorrected
from platui.ui.screens.parts.body import Body
from platui.ui.screens.parts.effect_lines import with_effects
from platui.ui.screens.parts.list_context import SUMMARY, ListContext
from platui.ui.screens.parts.list_details import ListDetails
from platui.ui.screens.parts.list_preview import ListPreview
from platui.ui.terminal.frames import replace_last_frame
from platui.ui.widgets.detail_pane import DetailPane
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.table import Column, Row, SortKey
    from platui.ui.screens.parts.view_screen import ViewScreen

_LONGEST: Final = 100  # Characters of a path in a message


def filter_pieces(body: ListBody) -> list[tuple[str, str]]:
    """Return search, filter and marks, and for a part of a list how many rows they miss."""
    table, listing = body.table, body.listing
    pieces: list[tuple[str, str]] = []
    if body.search:
        pieces.append((f"found for “{body.search}”", "accent"))
    if listing.repeats:
        pieces.append(("pages repeat: list cut short", "warning"))
    if table.filter_text:
        pieces.append((hidden_by(table.filter_text, table.hidden_count), "accent"))
    load_all = body.host.key_of("list.load_all")
    is_narrowed = body.search or table.filter_text or table.sort != body.DEFAULT_SORT
    if not listing.complete and load_all and is_narrowed:
        pieces.append((not_loaded(listing), "warning"))
        if key := search_key(body):
            pieces.append((f"{key} searches all", "muted"))
        pieces.append((f"{load_all} loads all", "muted"))
    if table.marks:
        pieces.append((f"{len(table.marks)} marked", "accent"))
    return pieces


def search_key(body: ListBody) -> str:
    """Return the key that searches the platform for the filter; empty if it cannot."""
    keys = body.host.commands.get("list.search")
    is_offered = keys is not None and not keys.disabled_reason("list.search")
    return body.host.key_of("list.search") if is_offered else ""


def sort_as_asked(body: ListBody) -> None:
    """Sort as the route asks, once."""
    if body.sorted_as != body.route:
        body.sorted_as = body.route
        key = body.route.sort.removeprefix("-")
        if key in {column.key for column in body.columns()}:
            body.table.sort_by(key, descending=body.route.sort.startswith("-"))


class ListColumn(Vertical):
    """The table above its preview."""

    BLANK = True  # As the body: do not render lines behind other widgets


class ListBody(Body):
    """A table; subclasses return its rows, and their `CONTEXT` handles a row."""

    BLANK = True
    CONTEXT: ClassVar[type[ListContext[Any]]] = ListContext
    REQUIRED_WIDGETS: ClassVar[tuple[str, ...]] = ("#table",)
    NOUN = "rows"
    COLUMNS: tuple[Column, ...] = ()
    UTC_COLUMN: ClassVar[str] = ""
    HAS_HEADER: ClassVar[bool] = True
    # Screen widths with a detail pane
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ("-wide", "-vast")
    DEFAULT_SORT: ClassVar[SortKey | None] = None  # None: in the order of the platform
    DEFAULT_COPY: str = "URL"  # The copy that `y` takes
    FAILED_FILTER: ClassVar[str] = "failed"  # The filter that `F` sets
    RECORD_KIND: ClassVar[str] = ""  # The kind of its records that writes act on, as in effects
    FOLLOWS_RECORD: ClassVar[bool] = False  # Whether the pane shows the full record
    STARTS_AT_TOP: ClassVar[bool] = False  # Whether each start begins with the first row
    MAY_BE_GROUP: ClassVar[bool] = False  # Whether the project path may be a group
    PREVIEWS: ClassVar[tuple[str, ...]] = ()  # Kinds of previews, in the order of their key
    DEFAULT_CSS = """
    ListBody { layout: horizontal; }
    ListBody #table { width: 1fr; }
    ListBody #detail { display: none; width: 44; border-left: vkey $panel; }
    ListBody #detail:focus { border-left: vkey $accent; }
    ListBody.-detailed #detail { display: block; }
    """

    table = getters.query_one("#table", Table)
    context: ListContext[Any]

    items: tuple[Any, ...] = ()
    listing: Listing[Any] = Listing(complete=True)
    search = ""  # The words that the platform searches for

    sorted_as: Route | None = None  # The route that asked for the sort order

    wraps = False  # Whether rows show their whole text

    def __init__(self, host: ViewScreen, route: Route, saved_view: SavedView | None) -> None:
        super().__init__(host, route, saved_view)
        self.details = ListDetails(self)
        self.preview = ListPreview(self)
        self._drawn_for = Size()
        self._group_fallback = GroupFallback(self) if self.MAY_BE_GROUP else None

    def rows(self) -> Sequence[Row]:
        raise NotImplementedError

    def columns(self) -> tuple[Column, ...]:
        if not (self.utc and self.UTC_COLUMN):
            return self.COLUMNS
        return tuple(
            replace(one, title=f"{one.title} UTC") if one.key == self.UTC_COLUMN else one
            for one in self.COLUMNS
        )

    def draw_summary(self) -> None:
        """Show the line above the table."""

    def empty(self) -> tuple[str, str]:
        """Return the text and role of an empty list."""
        return f"No {self.NOUN} here.", "muted"

    def show_rows(self, rows: Sequence[Row]) -> None:
        self.table.show(rows)

    def compose(self) -> ComposeResult:
        table = Table(self.columns(), id="table", header=self.HAS_HEADER)
        yield ListColumn(table, id="list") if self.PREVIEWS else table
        if self.details.has_room:
            yield DetailPane(id="detail")

    def ready(self) -> None:
        sort_as_asked(self)
        self.details.draw()
        if self.saved_view is not None and self.saved_view.rows:
            self.table.show(self.saved_view.rows)
            self.host.summarize([(self.saved_view.extra.get(SUMMARY, ""), "muted")])
            if self.saved_view.cursor:
                self.table.move_to(self.saved_view.cursor)
        self.table.focus()

    def show_times(self, *, utc: bool) -> None:
        self.utc = utc
        if self.UTC_COLUMN and self.is_whole:
            self.table.set_columns(self.columns())
        super().show_times(utc=utc)

    def forget(self) -> None:
        super().forget()
        self.items, self.listing, self.search = (), ListBody.listing, ""
        self.details.forget()
        self.preview.forget()
        if self.is_whole:
            self.table.set_filter("")
            self.table.clear_marks()

    def take(self, item: Any) -> None:
        taken, self.taken = self.taken, item
        if item.confirms(taken):
            self.judge(item)
            return
        if item.value is not None:
            self.items = item.value.items
        if self._group_fallback is None:
            self.take_listing(item)
        else:
            self._group_fallback.judge(item)
        self.draw()

    def on_record(self) -> None:
        self.details.redraw()

    def take_listing(self, snapshot: Snapshot[Listing[Any]]) -> None:
        """Take the items, age and error of a snapshot."""
        if snapshot.value is not None:
            self.listing = snapshot.value
            self.saved_view = None
        self.judge(snapshot)
        self.host.refresh_bindings()

    def has_data(self) -> bool:
        return self.age.fetched_at is not None

    def draw(self) -> None:
        """Draw rows, summary and details."""
        if not self.is_whole:
            return
        sort_as_asked(self)
        if self.has_data():
            self.show_rows(with_effects(self, self.rows()))
        elif self.saved_view is None:
            self.table.show(())
            self.host.summarize(())
        self.table.set_empty(*self.page())
        self.draw_summary()
        if not self.at_rest.is_pending:
            self.details.draw()
        self.preview.redraw()
        self.host.update_notice(empty=self.table.total_count == 0)
        self.host.notify_controllers()
        if self.age.kind is not Freshness.NOTHING:
            replace_last_frame(self.host)

    def filter_changed(self) -> None:
        self.table.set_empty(*self.page())
        self.draw_summary()
        self.preview.draw_soon()

    def page(self) -> tuple[str, str]:
        """Return the text and role of a list without visible rows."""
        if self.error is not None:
            return page(self.error, self.host.key_of), "muted"
        if not self.has_data():
            return f"Loading {self.NOUN} from {self.service.profile.name} …", "muted"
        if self.table.filter_text and self.table.hidden_count:
            hidden = f"{quoted(self.table.filter_text)}; {self.table.hidden_count} hidden."
            search = f"{key}  search all      " if (key := search_key(self)) else ""
            return f"No row matches {hidden}\n\n{search}esc  clear the filter", "muted"
        return self.empty()

    def focus_body(self) -> None:
        self.host.set_focus(self.table)

    def on_resize(self) -> None:
        if self._drawn_for != self.host.size:
            self._drawn_for = self.host.size
            self.call_after_refresh(self.details.fit)

    @on(Table.RowOpened, "#table")
    def _open(self, event: Table.RowOpened) -> None:
        event.stop()
        self.context.open(event.key)

    @on(Table.CursorMoved, "#table")
    def _moved(self, event: Table.CursorMoved) -> None:
        event.stop()
        self.preview.draw_soon()
        self.host.notify_controllers()

    @on(Table.MarksChanged, "#table")
    def _marked(self, event: Table.MarksChanged) -> None:
        event.stop()
        self.draw_summary()
        self.host.notify_controllers()

    @on(Table.MoreWanted, "#table")
    def _more(self, event: Table.MoreWanted) -> None:
        event.stop()
        if not self.listing.complete and (feed := self.feeds.main) is not None:
            feed.load_more(event.pages, again=event.again)


class GroupFallback:
    """Group paths opened as projects: the platform's web page uses the same address for both."""

    def __init__(self, body: ListBody) -> None:
        self._body = body
        self._checked: tuple[str, PlatuiError | None] = ("", None)  # A path that is no group

    def judge(self, snapshot: Snapshot[Listing[Any]]) -> None:
        """Take a snapshot; report a missing project only if its path is not a group."""
        project = self._body.route.project
        missing = snapshot.value is None and isinstance(snapshot.error, NotFoundError)
        if missing and self._checked[0] == project:  # each poll repeats it
            self._body.take_listing(replace(snapshot, error=self._checked[1]))
        elif missing and isinstance(project, str) and self._body.route.pipeline is None:
            self._body.in_background("feed-group", self._check_group, project, snapshot)
        else:
            self._body.take_listing(snapshot)

    async def _check_group(self, path: str, snapshot: Snapshot[Listing[Any]]) -> None:
        body, error, is_group = self._body, snapshot.error, False
        directory = body.service.directory
        with suppress(PlatuiError):  # unknown: the next poll checks again
            is_group = await directory.has_group(path)
            # If the project exists, this view's request failed for another reason.
            if not is_group and await directory.project(path) is None:
                error = _neither(path, await directory.nearest(path), error)
            if not is_group:
                self._checked = path, error
        if body.route.project != path or not body.host.is_shown:
            return
        if is_group:
            body.host.post_message(RouteCorrected(body.route, Route("projects"), path))
        else:
            body.take_listing(replace(snapshot, error=error))
            body.draw()


def _neither(path: str, near: str | None, cause: PlatuiError | None) -> NotFoundError:
    answer = "" if cause is None else f" ({cause.sentence.rstrip('.')})"
    name = shorten(path, _LONGEST)
    sentence = f"{name} is neither a project nor a group that you can see{answer}."
    hint = f"Did you mean {shorten(near, _LONGEST)}?" if near else None
    return NotFoundError(sentence, status=404, hint=hint)
