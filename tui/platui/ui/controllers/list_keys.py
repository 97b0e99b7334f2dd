"""The keys of a list: details, filter, order, the rest of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.ui.controller import Controller, command
from platui.ui.controllers.row_keys import BrowseRow, CopyMenu, CopyRow, ReadRow
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.screens.parts.list_body import ListBody

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.ui.widgets.table import Table

_PANES = "Move between the parts of this view"


class Details(Controller[ListBody]):
    """Shows the details of the row under the cursor."""

    @command("d", "list.details", "Details", "Everything known of this row")
    def toggle(self) -> None:
        self.body.context.show_details()

    def disabled_reason(self, _command: str) -> str:
        return self.body.context.missing_row_reason("No details: the cursor is on no row.")


class FocusDetails(Controller[ListBody]):
    """Scrolls the details beside the table."""

    @command(
        "right",
        "list.focus_details",
        "Into the details",
        "Scroll the details beside the table; left goes back",
    )
    def read(self) -> None:
        self.body.details.focus()


class NextPane(Controller[ListBody]):
    """Moves the focus to the next pane."""

    @command("tab", "list.next_pane", "Next pane", _PANES)
    def next_pane(self) -> None:
        self.screen.focus_next()


class PreviousPane(Controller[ListBody]):
    """Moves the focus to the pane before."""

    @command("shift+tab", "list.previous_pane", "Previous pane", _PANES)
    def previous_pane(self) -> None:
        self.screen.focus_previous()


class FilterRows(Controller[ListBody]):
    """Shows only the rows with some words, as they are typed."""

    @command(
        "slash",
        "list.filter",
        "Filter",
        "Show only rows with these words; ! before a word turns it around",
    )
    async def filter(self) -> None:
        await self.screen.prompt.ask("/", self.body.table.filter_text)
        self._tell()

    def typed(self, sign: str, text: str) -> bool:
        if sign != "/":
            return False
        self.body.table.set_filter(text)
        self.body.filter_changed()
        self._tell()
        return True

    def answered(self, sign: str, text: str) -> bool:
        """Keep the filter, and go to its rows."""
        if self.typed(sign, text):
            self.body.details.draw()
        return sign == "/"

    def cancelled(self, sign: str) -> bool:
        return self.typed(sign, "")

    def undo(self) -> bool:
        if self.body.table.filter_text:
            self.typed("/", "")
            return True
        if self.body.table.marks:
            self.body.table.clear_marks()
            return True
        return False

    def on_changed(self) -> None:
        prompt = self.screen.prompt
        if prompt.is_open and prompt.sign == "/":
            self._tell()

    def _tell(self) -> None:
        table, listing = self.body.table, self.body.listing
        shown, loaded = table.shown_count, table.total_count
        pieces = [(f"{shown} of {loaded}", "text")]
        load_all = self.screen.key_of("list.load_all")
        if not listing.complete and load_all:
            total = f" of {listing.total}" if listing.total is not None else ""
            pieces = [
                (f"{shown} match · {loaded}{total} loaded · ", "warning"),
                (f"enter {load_all}", "key"),
                (" loads all", "muted"),
            ]
        self.screen.prompt.show_status(tuple(pieces))


class FilterFailed(Controller[ListBody]):
    """Shows only what failed."""

    @command("F", "list.failed", "Failed only", "Show only what failed")
    def toggle(self) -> None:
        words = self.body.FAILED_FILTER
        self.screen.entered("/", "" if self.body.table.filter_text == words else words)

    def disabled_reason(self, _command: str) -> str:
        return self.body.context.unfocused_reason()


class SortRows(Controller[ListBody]):
    """Orders the rows by a column."""

    @command("S", "list.sort", "Sort", "Choose the column to sort by")
    async def choose(self) -> None:
        choices = [("", "as the platform gives them")]
        for column in self.body.table.nonblank_columns:
            if column.title:
                choices.append((column.key, column.title.lower()))
                choices.append((f"-{column.key}", f"{column.title.lower()}, reversed"))

        def sort(chosen: str) -> None:
            key = chosen.removeprefix("-")
            self.body.table.sort_by(key or None, descending=chosen.startswith("-"))

        await self.screen.choose("Sort by", choices, sort)

    def disabled_reason(self, _command: str) -> str:
        return self.body.context.unfocused_reason()


class LoadAll(Controller[ListBody]):
    """Loads the rest of a list."""

    @command("L", "list.load_all", "Load all", "Load the rest of the list")
    def load(self) -> None:
        """Load the rest; esc or refresh ends that."""
        if (feed := self.body.feeds.main) is not None:
            feed.load_all()

    def disabled_reason(self, _command: str) -> str:
        return "All of the list is loaded." if self.body.listing.complete else ""


LIST_KEYS: Final = (
    *VIEW_KEYS, CopyMenu, Details, FocusDetails, NextPane, PreviousPane, FilterRows, FilterFailed,
    SortRows, LoadAll, ReadRow, BrowseRow, CopyRow,
)  # fmt: skip


def move_cyclic(table: Table, step: int, is_wanted: Callable[[str], bool]) -> bool:
    """Put the cursor on the next wanted row, round the ends; return whether there is one."""
    keys = [row.key for row in table.shown_rows]
    at = keys.index(table.cursor_key) if table.cursor_key in keys else 0
    order = (keys[(at + step * distance) % len(keys)] for distance in range(1, len(keys) + 1))
    found = next(filter(is_wanted, order), None)
    return found is not None and table.move_to(found)
