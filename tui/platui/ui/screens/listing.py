"""A place that is a list: filter, sort, marks, the rest of it, and addresses to copy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding

from platui.core.text import clean
from platui.models.values.places import Place, View
from platui.ui.messages import CopyWanted, GoTo, PageWanted
from platui.ui.screens.tabular import TableScreen
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.binding import BindingType

    from platui.models import Job
    from platui.models.values.raw import RecordRef
    from platui.models.values.table import SortKey

VIEW_COPY: Final = "this view"
"""What the menu of copies calls the command that opens the view again, with its filter."""
_OF_A_ROW: Final = frozenset(
    {
        "details",
        "raw",
        "browse",
        "copy",
        "log",
        "failed_job",
        "file",
        "artifacts",
    }
)
"""Actions that need a row under the cursor."""


class ListScreen(TableScreen):
    """A table whose rows can be searched, sorted, marked, and taken along."""

    COPIED: ClassVar[str] = "URL"
    """Which of the copies `y` takes."""
    USUAL_SORT: ClassVar[SortKey | None] = None
    """How the rows are sorted where nobody has said how; None: as they come."""
    FAILED_WORDS: ClassVar[str] = "failed"
    """What the filter of `F` looks for."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "slash",
            "filter",
            "Filter",
            id="list.filter",
            tooltip="Show only rows with these words; ! before a word turns it around",
        ),
        Binding("F", "failed", "Failed only", id="list.failed", tooltip="Show only what failed"),
        Binding("S", "sort", "Sort", id="list.sort", tooltip="Choose the column to sort by"),
        Binding(
            "L", "load_all", "Load all", id="list.load_all", tooltip="Load the rest of the list"
        ),
        Binding(
            "p",
            "file",
            "Pipeline file",
            id="list.file",
            show=False,
            tooltip="Read the pipeline file that this was made from",
        ),
        Binding(
            "i",
            "raw",
            "Raw JSON",
            id="list.raw",
            show=False,
            tooltip="What the platform really said of this row",
        ),
        Binding("o", "browse", "Browser", id="list.browse", tooltip="Open the platform's own page"),
        Binding(
            "y",
            "copy",
            "Copy URL",
            id="list.copy",
            tooltip="Copy the address of this row, or of the marked ones",
        ),
        Binding(
            "Y",
            "copy_menu",
            "Copy…",
            id="list.copy_menu",
            tooltip="Copy id, address, commit, or a command that opens the row or this view",
        ),
    ]

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return what can be copied of a row: what it is -> the text, as it came; `URL` first."""
        del key
        return {}

    def file_of(self, key: str) -> Place | None:
        """Return where the pipeline file of a row is."""
        del key
        return None

    def record_of(self, key: str) -> RecordRef | None:
        """Return which record a row shows; None where it is none of the platform's."""
        del key
        return None

    def opening(self, *words: str) -> str:
        """Return the command that opens an address of the platform, or prints something of it.

        Empty where there is no address.
        """
        from platui.present.reopening import opening  # noqa: PLC0415  (on first use)

        return opening(self.service.profile, *words) if all(words) else ""

    def _copies(self, key: str) -> dict[str, str]:
        """Return what there is to copy: on one line each, since it may be pasted to a shell."""
        return {name: clean(text) for name, text in self.copies_of(key).items() if text}

    def draw(self) -> None:
        """Show the rows, and how many of them pass a filter that is being typed."""
        super().draw()
        if self.is_whole and self.prompt.is_open and self.prompt.sign == "/":
            self._tell_filter()

    @on(Table.MoreWanted, "#table")
    def _more(self, event: Table.MoreWanted) -> None:
        event.stop()
        if not self._complete:
            for feed in self.feeds()[:1]:
                feed.load_more(event.pages)

    @on(Table.MarksChanged, "#table")
    def _marked(self, event: Table.MarksChanged) -> None:
        event.stop()
        self.draw_summary()

    # filter, sort, marks

    async def action_filter(self) -> None:
        """Open the filter with what it holds."""
        await self.prompt.ask("/", self.table.filter_text)
        self._tell_filter()

    def filter_typed(self, text: str) -> None:
        """Filter while typing."""
        self.table.set_filter(text)
        self._say_empty()
        self.draw_summary()
        self._tell_filter()

    def filter_entered(self, text: str) -> None:
        """Keep the filter, and go to its rows."""
        self.filter_typed(text)
        self.draw_details()

    def _tell_filter(self) -> None:
        """Say how many rows match, and whether the list was loaded whole."""
        shown, loaded = self.table.shown_count, self.table.total_count
        pieces = [(f"{shown} of {loaded}", "text")]
        if not self._complete:
            total = f" of {self._total}" if self._total is not None else ""
            pieces = [
                (f"{shown} match · {loaded}{total} loaded · ", "warning"),
                (f"enter {self.key_of('list.load_all')}", "key"),
                (" loads all", "muted"),
            ]
        self.prompt.tell(tuple(pieces))

    def filter_pieces(self) -> list[tuple[str, str]]:
        """Return what the summary says of filter and marks."""
        pieces: list[tuple[str, str]] = []
        if self._repeats:
            pieces.append(("the pages repeat: cut short", "warning"))
        if self.table.filter_text:
            hidden = self.table.hidden_count
            pieces.append((f"/{self.table.filter_text} hides {hidden}", "accent"))
        if not self._complete and self.table.filter_text:
            pieces.append((f"{self.key_of('list.load_all')} loads all", "muted"))
        if self.table.marks:
            pieces.append((f"{len(self.table.marks)} marked", "accent"))
        return pieces

    @property
    def is_filtered(self) -> bool:
        """Return whether some rows are hidden."""
        return self.is_whole and bool(self.table.filter_text)

    def clear_one(self) -> bool:
        """Clear the filter, else the marks."""
        if self.table.filter_text:
            self.filter_typed("")
            return True
        if self.table.marks:
            self.table.clear_marks()
            return True
        return False

    def action_failed(self) -> None:
        """Show only what failed, or everything again."""
        self.filter_typed("" if self.table.filter_text == self.FAILED_WORDS else self.FAILED_WORDS)
        self.draw_details()

    def action_load_all(self) -> None:
        """Load the rest; esc or refresh ends that."""
        for feed in self.feeds()[:1]:
            feed.load_all()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what is not possible now."""
        if action == "load_all":
            return True if not self._complete else None
        if action in _OF_A_ROW and self.is_whole and self.table.cursor_key is None:
            return None
        if action in {"browse", "copy"} and self.is_whole and not self._addresses():
            # Not every platform says where its page of a project is; none is invented.
            return None
        return super().check_action(action, parameters)

    def on_mount(self) -> None:
        """Sort as the place says."""
        self._sort_as_said()

    def visit(self, place: Place) -> None:
        """Show another place of this kind, sorted as it says."""
        another = place != self.place
        super().visit(place)
        if another and self.is_whole:
            self._sort_as_said()

    def _sort_as_said(self) -> None:
        key = self.place.sort.removeprefix("-")
        if key in {column.key for column in self.columns()}:
            self.table.sort_by(key, descending=self.place.sort.startswith("-"))

    def place_now(self) -> Place:
        """Return this place with the order of its rows."""
        sort = self.table.sort if self.is_whole else None
        if sort == self.USUAL_SORT:
            return replace(super().place_now(), sort="")
        key, descending = sort if sort is not None else ("", False)
        return replace(super().place_now(), sort=f"{'-' * descending}{key}")

    async def action_sort(self) -> None:
        """Choose the column to sort by."""
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        items = [MenuItem("", "as the platform gives them", "")]
        for column in self.table.told_columns:
            if column.title:
                items.append(MenuItem(column.key, column.title.lower(), ""))
                items.append(MenuItem(f"-{column.key}", f"{column.title.lower()}, reversed", ""))

        def sort(chosen: str | None) -> None:
            if chosen is not None:
                key = chosen.removeprefix("-")
                self.table.sort_by(key or None, descending=chosen.startswith("-"))

        await self.app.push_screen(Menu("Sort by", items), sort)

    # addresses

    def chosen(self) -> list[str]:
        """Return the marked rows that are in the list as it is shown, else that of the cursor."""
        if self.table.marks:
            return [row.key for row in self.table.shown_rows if row.key in self.table.marks]
        return [self.table.cursor_key] if self.table.cursor_key else []

    def action_copy(self) -> None:
        """Copy the address of the row, or of the marked ones, a line each."""
        if lines := self._addresses():
            self.post_message(CopyWanted("\n".join(lines)))

    def _addresses(self) -> list[str]:
        """Return the addresses that the platform gave of the row, or of the marked ones."""
        found = (self._copies(key).get(self.COPIED, "") for key in self.chosen())
        return [address for address in found if address]

    def action_file(self) -> None:
        """Read the pipeline file of the row."""
        if (place := self.file_here()) is not None:
            self.post_message(GoTo(place))

    def file_here(self) -> Place | None:
        """Return where the pipeline file of the row is."""
        key = self.table.cursor_key
        return self.file_of(key) if key else None

    async def action_copy_menu(self) -> None:
        """Choose what to copy of the row."""
        key = self.table.cursor_key
        copies = {VIEW_COPY: self.view_command(), **(self._copies(key) if key else {})}
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        items = [MenuItem(name, name, text) for name, text in copies.items()]

        def copy(chosen: str | None) -> None:
            if chosen is not None:
                self.post_message(CopyWanted(copies[chosen]))

        await self.app.push_screen(Menu("Copy", items), copy)

    def action_raw(self) -> None:
        """Show what the platform really said of the row."""
        key = self.table.cursor_key or ""
        ref = self.record_of(key) if key else None
        if ref is not None:
            about = self.details_of(key)
            title, name = about.title if about else "", f"{ref.kind} {ref.id}"
            self.show_raw(f"{title} · {name}" if title and key not in title else name, ref)

    def action_browse(self) -> None:
        """Open the row's page of the platform."""
        key = self.table.cursor_key
        address = self._copies(key).get("URL", "") if key else ""
        if address:
            self.post_message(PageWanted(address))


def file_place(near: Place, job: Job) -> Place:
    """Return where the pipeline file of a job is, at the commit it ran on."""
    pipeline, commit = job.pipeline, job.commit
    ref = (pipeline.sha if pipeline else "") or (commit.id if commit else "") or job.ref
    return Place(
        View.FILE,
        near.project,
        near.project_name,
        pipeline.id if pipeline else near.pipeline,
        ref=ref,
    )
