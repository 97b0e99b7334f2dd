"""A place that is a table with details: what is kept, loaded, empty, and under the cursor."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import getters, on
from textual.containers import Horizontal

from platui.models.values.feeds import Listing
from platui.models.values.places import KeptPlace
from platui.ui.failures import page
from platui.ui.keys_in_use import bind
from platui.ui.screens.base import PlaceScreen
from platui.ui.widgets.detail_pane import DetailPane
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.timer import Timer

    from platui.models.values.feeds import Feed, Snapshot
    from platui.models.values.table import Column, Row
    from platui.present.details.layout import Details

KEPT_ROWS = 60
_SUMMARY = "summary"
_PANES = "Move between the parts of this view"
_REST = 0.12  # Seconds for which the cursor must stay before the details follow it


class TableScreen(PlaceScreen):
    """One table of things; a subclass says which rows and what opens."""

    PARTS = (*PlaceScreen.PARTS, "#table")
    COLUMNS: ClassVar[tuple[Column, ...]] = ()
    UTC_COLUMN: ClassVar[str] = ""  # Key of the column whose title says when times are in UTC
    HAS_HEADER: ClassVar[bool] = True  # Whether titles of the columns stand above the rows
    NOUN: ClassVar[str] = "rows"  # What the rows are, in the plural
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (160, "-vast")]
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ("-wide", "-vast")
    """Widths from which the details stand beside the table rather than on a page of their own."""
    DEFAULT_CSS = """
    TableScreen #panes { height: 1fr; }
    TableScreen #table { width: 1fr; }
    TableScreen #detail { display: none; width: 44; border-left: vkey $panel; }
    TableScreen #detail:focus { border-left: vkey $accent; }
    TableScreen.-detailed #detail { display: block; }
    """
    BINDINGS = [
        bind("d", "list.details", "Details", "Everything known of this row"),
        bind("tab", "list.pane", "Next pane", _PANES, action="app.focus_next"),
        bind("shift+tab", "list.pane_back", "Pane before", _PANES, action="app.focus_previous"),
        bind(
            "right",
            "list.read",
            "Into the details",
            "Scroll the details beside the table; left goes back",
            action="read_details",
        ),
    ]

    table = getters.query_one("#table", Table)

    items: tuple[Any, ...] = ()  # The records of the list, as far as they are loaded
    listing: Listing[Any] = Listing(complete=True)  # As the last snapshot has it
    _hide_details = False
    _resting: Timer | None = None

    @property
    def noun(self) -> str:
        """Return what the rows are, in the plural."""
        return self.NOUN

    def rows(self) -> Sequence[Row]:
        """Return the rows as they look now."""
        raise NotImplementedError

    def stays_at_place(self, rows: Sequence[Row]) -> bool:
        """Return whether the cursor lets its object go: it was put away, and not by being gone."""
        del rows
        return False

    @property
    def is_anchored(self) -> bool:
        """Return whether no row may move under the cursor, not even for what comes at the top."""
        return False

    def columns(self) -> tuple[Column, ...]:
        """Return the columns of this place."""
        if not (self.utc and self.UTC_COLUMN):
            return self.COLUMNS
        return tuple(
            replace(one, title=f"{one.title} UTC") if one.key == self.UTC_COLUMN else one
            for one in self.COLUMNS
        )

    def show_times(self, *, utc: bool) -> None:
        """Show the times of another zone, and say so above them."""
        self.utc = utc
        if self.UTC_COLUMN and self.is_whole:
            self.table.set_columns(self.columns())
        super().show_times(utc=utc)

    def details_of(self, key: str, record: Any = None) -> Details | None:
        """Return what is known of a row; its whole record says more than the list's."""
        del key, record
        return None

    def record_feed(self, key: str) -> Feed[Any] | None:
        """Return the feed of a row's whole record; None where the list's is all there is."""
        del key
        return None

    def open_row(self, key: str) -> None:
        """Go where `enter` leads."""

    def empty_text(self) -> str:
        """Return what stands on the page when the list has loaded and is empty."""
        return f"No {self.noun} here."

    def empty_role(self) -> str:
        """Return what that text means: `failed` where it says why something is broken."""
        return "muted"

    def left_pane(self) -> ComposeResult:
        """Yield what stands left of the table."""
        yield from ()

    def right_pane(self) -> ComposeResult:
        """Yield what stands right of the table."""
        yield from ()

    def compose_body(self) -> ComposeResult:
        """Yield the panes."""
        with Horizontal(id="panes"):
            yield from self.left_pane()
            yield Table(self.columns(), id="table", header=self.HAS_HEADER)
            yield from self.right_pane()
            if self.is_roomy:
                yield DetailPane(id="detail")

    def on_mount(self) -> None:
        """Paint what is kept before anything is asked."""
        self.draw_details()
        if self.kept is not None and self.kept.rows:
            self.table.show(self.kept.rows)
            self.summarize([(self.kept.extra.get(_SUMMARY, ""), "muted")])
            if self.kept.cursor:
                self.table.move_to(self.kept.cursor)
        self.table.focus()

    def has_data(self) -> bool:
        """Return whether the platform, or the cache, has said anything yet."""
        return self.age.fetched_at is not None

    def draw(self) -> None:
        """Show rows and everything that follows from them."""
        if not self.is_whole:
            return
        if self.has_data():
            rows = self.rows()
            stays, anchored = self.stays_at_place(rows), self.is_anchored
            self.table.show(rows, stays=stays, anchored=anchored)
        elif self.kept is None:
            self.table.show(())
            self.summarize(())
        self._say_empty()
        self.draw_summary()
        self.draw_details()
        self.tell_notice(empty=self.table.total_count == 0)

    def draw_summary(self) -> None:
        """Show the line above the table."""

    def _say_empty(self) -> None:
        self.table.set_empty(*self.page())

    def page(self) -> tuple[str, str]:
        """Return what stands where no row is shown, and its role: the first reason there is."""
        if self.error is not None:
            return page(self.error, self.key_of), "muted"
        if not self.has_data():
            return f"Asking {self.service.profile.name} for {self.noun} …", "muted"
        if self.table.filter_text and self.table.hidden_count:
            text = (
                f"No row matches “{self.table.filter_text}”; {self.table.hidden_count} hidden.\n\n"
                "esc  clears the filter"
            )
            return text, "muted"
        return self.empty_text(), self.empty_role()

    def _show(self, item: Any) -> None:
        if item.value is not None:
            self.items = item.value.items
        self.judge_listing(item)
        self.draw()

    def judge_listing(self, snapshot: Snapshot[Listing[Any]]) -> None:
        """Take what a snapshot says about the whole list."""
        if snapshot.value is not None:
            self.listing = snapshot.value
            self.kept = None
        self.judge(snapshot)
        self.refresh_bindings()

    def forget(self) -> None:
        """Drop the rows of another place."""
        super().forget()
        self.items, self.listing = (), TableScreen.listing
        if self.is_whole:
            self.table.set_filter("")
            self.table.clear_marks()

    def go_to_number(self, number: int) -> bool:
        """Put the cursor on the row with this id."""
        return self.table.move_to(str(number))

    def words_now(self) -> str:
        """Return the filter."""
        return self.table.filter_text if self.is_whole else ""

    def keep(self) -> KeptPlace | None:
        """Return the rows around the cursor."""
        if not self.is_whole or not self.table.total_count:
            return self.kept
        rows = self.table.shown_rows
        at = next((n for n, row in enumerate(rows) if row.key == self.table.cursor_key), 0)
        first = max(0, at - KEPT_ROWS // 2)
        return KeptPlace(
            place=self.place,
            columns=self.columns(),
            rows=tuple(rows[first : first + KEPT_ROWS]),
            cursor=self.table.cursor_key or "",
            saved_at=self.told_at(),
            profile=self.service.profile.name,
            extra={_SUMMARY: self.summary.text.strip()},
        )

    def told_at(self) -> float:
        """Return when the platform told the rows that are shown, not when they are left."""
        if self.kept is not None:
            return self.kept.saved_at
        told = self.age.fetched_at or self.service.clock.now()
        return told.timestamp()

    @on(Table.RowOpened, "#table")
    def _open(self, event: Table.RowOpened) -> None:
        event.stop()
        self.open_row(event.key)

    @on(Table.CursorMoved, "#table")
    def _moved(self, event: Table.CursorMoved) -> None:
        event.stop()
        self._draw_details_soon()

    def _draw_details_soon(self) -> None:
        """Draw the details once the cursor has rested: a key held down should not wait for them."""
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_REST, self.draw_details) if self.is_roomy else None

    def draw_details(self) -> None:
        """Show the details of the cursor's row beside the table, where there is room."""
        beside = self.is_roomy and not self._hide_details
        self.set_class(beside, "-detailed")
        if beside:
            key = self.table.cursor_key
            self.show_details(self.details_of(key) if key else None)

    @property
    def is_roomy(self) -> bool:
        """Return whether details have room beside the table."""
        return any(self.has_class(name) for name in self.DETAIL_CLASSES)

    def show_details(self, details: Details | None) -> None:
        """Show details in the pane, which is made when there is first room for it."""
        pane = self.query_one_optional("#detail", DetailPane)
        if pane is None:
            pane = DetailPane(id="detail")
            self.query_one("#panes").mount(pane)
        pane.show(details)

    def on_resize(self) -> None:
        """Decide anew whether there is room for details."""
        super().on_resize()
        self.call_after_refresh(self.draw)

    def action_details(self) -> None:
        """Show or hide the details beside the table; on a narrow screen, on their own page."""
        if self.is_roomy:
            self._hide_details = not self._hide_details
            self.draw_details()
            return
        key = self.table.cursor_key
        if key and self.details_of(key) is not None:
            from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

            describe = partial(self.details_of, key)
            self.app.push_screen(DetailsDialog(describe, self.record_feed(key)))

    def action_read_details(self) -> None:
        """Give the keys to the details beside the table."""
        pane = self.query_one_optional("#detail", DetailPane)
        if pane is not None and self.has_class("-detailed"):
            pane.focus()

    @on(DetailPane.Left)
    def _leave_details(self, event: DetailPane.Left) -> None:
        event.stop()
        self.focus_body()

    def focus_body(self) -> None:
        """Give the keys back to the table."""
        self.table.focus()
