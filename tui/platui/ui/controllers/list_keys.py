"""Keys of a list: details, filter, sort, load all; file, raw JSON, browser and copy of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from platui.models.values.previews import LEAST_LINES
from platui.present.chrome import Age, Freshness, KeyHint, joined
from platui.present.counts import not_loaded
from platui.ui.controller import Controller, command
from platui.ui.controllers.view_keys import VIEW_KEYS, view_command
from platui.ui.messages import CopyText, GoTo, OpenPage
from platui.ui.screens.parts.body import MAIN
from platui.ui.screens.parts.list_body import ListBody
from platui.ui.screens.parts.list_context import NOT_LOADED, chosen_reason

if TYPE_CHECKING:
    from platui.ui.widgets.table import Table


VIEW_COPY: Final = "this view"
_NO_ROW: Final = "No row selected."
_NO_ADDRESS: Final = "This row has no URL."


class Details(Controller[ListBody]):
    @command("d", "list.details", "Details")
    def toggle(self) -> None:
        """Show all details of this row."""
        self.body.context.show_details()

    def disabled_reason(self, _command: str) -> str:
        return self.body.context.missing_row_reason("No details: no row selected.")


class ChangePreview(Controller[ListBody]):
    @command("v", "list.preview", "Preview")
    def change(self) -> None:
        """Change or hide the preview below the list, also for the next start."""
        self.body.preview.change()

    def disabled_reason(self, _command: str) -> str:
        if self.body.preview.room:
            return ""
        if self.body.table.cursor_key is None:
            return "No preview: no row selected."
        return f"No preview: it needs {LEAST_LINES} free lines below the list or 160 columns."


class FocusDetails(Controller[ListBody]):
    @command("right", "list.focus_details", "To the details")
    def read(self) -> None:
        """Focus the details beside the table; left returns."""
        self.body.details.focus()


class NextPane(Controller[ListBody]):
    @command("tab", "list.next_pane", "Next pane")
    def next_pane(self) -> None:
        """Switch between the panes of this view."""
        self.screen.focus_next()


class PreviousPane(Controller[ListBody]):
    @command("shift+tab", "list.previous_pane", "Previous pane")
    def previous_pane(self) -> None:
        """Switch between the panes of this view."""
        self.screen.focus_previous()


class SearchPlatform(Controller[Any]):
    SEARCHABLE: ClassVar[str] = "The platform cannot search for these words."

    @command("s", "list.search", "Search all")
    def search(self) -> None:
        """Search on the platform for the words of the filter."""
        words = self.body.table.filter_text
        self.body.table.set_filter("")
        self.search_for(words)

    def search_for(self, words: str) -> None:
        """Show the rows that the platform finds; empty words show all."""
        body = self.body
        body.feeds.stop()
        body.feeds.drop(MAIN)
        body.search = words
        body.items = ()
        body.age = Age(Freshness.NOTHING)
        body.start_feeds()
        body.draw()

    def can_search(self, _words: str, /) -> bool:
        """Return whether the platform can search for these words."""
        raise NotImplementedError

    def disabled_reason(self, _command: str) -> str:
        body, words = self.body, self.body.table.filter_text
        if not body.has_data():
            return NOT_LOADED
        if body.search:
            return "This is what the platform found; back shows the whole list."
        if body.listing.complete:
            return "The whole list is loaded: filter it instead."
        if not words:
            return "Nothing to search for: filter the list first."
        return "" if self.can_search(words) else self.SEARCHABLE

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        is_on = not self.disabled_reason("list.search")
        return names if is_on else [name for name in names if name != "list.search"]

    def undo(self) -> bool:
        if not self.body.search:
            return False
        self.search_for("")
        return True


class FilterRows(Controller[ListBody]):
    _before: tuple[str, str | None, int] = ("", None, 0)  # Filter, row and top before the prompt

    @command("slash", "list.filter", "Filter")
    async def filter(self) -> None:
        """Show only rows with these words; !word excludes."""
        table = self.body.table
        self._before = table.filter_text, table.cursor_key, table.top
        await self.screen.prompt.ask("/", hints=self._hints())
        self.typed("/", "")

    def typed(self, sign: str, text: str) -> None:
        if sign == "/":
            self.body.table.set_filter(text)
            self.body.filter_changed()
            self._tell()

    def answered(self, sign: str, text: str) -> None:
        self.typed(sign, text)
        if sign == "/":
            self.body.details.draw()

    def cancelled(self, sign: str) -> None:
        text, key, top = self._before
        self.typed(sign, text)
        if sign == "/" and key is not None:
            self.body.table.move_to(key, top=top)

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
        pieces = [(f"{table.shown_count} of {table.total_count}", "text")]
        if not listing.complete and self.screen.key_of("list.load_all"):
            pieces = [(f"{table.shown_count} match", "text"), (not_loaded(listing), "warning")]
        self.screen.prompt.show_status(joined(pieces))

    def _hints(self) -> tuple[KeyHint, ...]:
        """Return hints for a part of a list; none for a whole one, which has the usual ones."""
        offers = (("list.search", "search all"), ("list.load_all", "load all"))
        keys = [(self.screen.key_of(id_), words) for id_, words in offers]
        if self.body.listing.complete:
            return ()
        return (
            KeyHint("enter", "apply filter"),
            *(KeyHint(f"enter {key}", words) for key, words in keys if key),
            KeyHint("esc", "cancel"),
        )


class FilterFailed(Controller[ListBody]):
    @command("F", "list.failed", "Failed only")
    def toggle(self) -> None:
        """Show only failed rows."""
        words = self.body.FAILED_FILTER
        self.screen.entered("/", "" if self.body.table.filter_text == words else words)

    def disabled_reason(self, _command: str) -> str:
        return self.body.context.unfocused_reason()


class SortRows(Controller[ListBody]):
    @command("S", "list.sort", "Sort")
    async def choose(self) -> None:
        """Choose the sort order."""
        choices = [("", "order of the platform")]
        for column in self.body.table.nonblank_columns:
            if column.title:
                choices.append((column.key, column.title.lower()))
                choices.append((f"-{column.key}", f"{column.title.lower()}, reversed"))

        def sort(chosen: str) -> None:
            key = chosen.removeprefix("-")
            self.body.table.sort_by(key or None, descending=chosen.startswith("-"))
            self.body.draw_summary()

        await self.screen.choose("Sort by", choices, sort)

    def head_clicked(self, column: str) -> None:
        table = self.body.table
        table.sort_by(column, descending=table.sort == (column, False))
        self.body.draw_summary()

    def disabled_reason(self, _command: str) -> str:
        return self.body.context.unfocused_reason()


class LoadAll(Controller[ListBody]):
    @command("L", "list.load_all", "Load all")
    def load(self) -> None:
        """Load all rows."""
        if (feed := self.body.feeds.main) is not None:
            feed.load_all()

    def disabled_reason(self, _command: str) -> str:
        return "All rows are loaded." if self.body.listing.complete else ""


class ReadRow(Controller[ListBody]):
    @command("p", "list.file", "Pipeline file")
    def open_file(self) -> None:
        """Open the pipeline file of this row."""
        if (route := self.body.context.file()) is not None:
            self.screen.post_message(GoTo(route))

    @command("i", "list.raw", "Raw JSON")
    def show_raw(self) -> None:
        """Show the platform's response for this row."""
        if (raw := self.body.context.raw()) is not None:
            self.screen.show_raw(*raw)

    def disabled_reason(self, command: str) -> str:
        if command == "list.raw":
            return self.body.context.missing_row_reason(_NO_ROW)
        return _no_row_reason(self.body)


class BrowseRow(Controller[ListBody]):
    @command("o", "list.browse", "Browser")
    def browse(self) -> None:
        """Open the web page of this row."""
        if address := self._address():
            self.screen.post_message(OpenPage(address))

    def disabled_reason(self, _command: str) -> str:
        return _no_row_reason(self.body) or ("" if self._address() else _NO_ADDRESS)

    def _address(self) -> str:
        key = self.body.table.cursor_key
        return self.body.context.clean_copies(key).get("URL", "") if key else ""


class CopyMenu(Controller[ListBody]):
    @command("Y", "list.copy_menu", "Copy…")
    async def choose(self) -> None:
        """Copy id, URL, commit, or the command of the row or view."""
        body, key = self.body, self.body.table.cursor_key
        of_row = body.context.clean_copies(key) if key else {}
        copies = {VIEW_COPY: view_command(body), **of_row}
        choices = ((name, name, text) for name, text in copies.items())

        def take(name: str) -> None:
            self.screen.post_message(CopyText(copies[name]))

        await self.screen.choose("Copy", choices, take)

    def disabled_reason(self, _command: str) -> str:
        return self.body.context.unfocused_reason()


class CopyRow(Controller[ListBody]):
    @command("y", "list.copy", "Copy URL")
    def copy(self) -> None:
        """Copy the URL of this row, or of the marked rows."""
        if lines := list(self.body.context.copy_values(self.body.DEFAULT_COPY)):
            self.screen.post_message(CopyText("\n".join(lines)))

    def disabled_reason(self, _command: str) -> str:
        has_value = any(self.body.context.copy_values(self.body.DEFAULT_COPY))
        reason = "" if has_value else chosen_reason(self.body) or _NO_ADDRESS
        return _no_row_reason(self.body) or reason


def _no_row_reason(body: ListBody) -> str:
    if reason := body.context.unfocused_reason():
        return reason
    if body.table.cursor_key is None:
        return _NO_ROW
    return "" if body.has_data() else NOT_LOADED


LIST_KEYS: Final = (
    *VIEW_KEYS, CopyMenu, Details, FocusDetails, NextPane, PreviousPane, FilterRows, FilterFailed,
    SortRows, LoadAll, ReadRow, BrowseRow, CopyRow,
)  # fmt: skip


def move_cyclic(table: Table, step: int, matches: Callable[[str], bool]) -> bool:
    """Move the cursor to the next other matching row, cyclically; return whether one exists."""
    keys = [row.key for row in table.shown_rows]
    at = keys.index(table.cursor_key) if table.cursor_key in keys else 0
    order = (keys[(at + step * distance) % len(keys)] for distance in range(1, len(keys)))
    found = next(filter(matches, order), None)
    return found is not None and table.move_to(found)
