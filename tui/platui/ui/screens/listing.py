"""A place that is a list: filter, sort, marks, the rest of it, and addresses to copy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on

from platui.core.text import clean
from platui.models.values.places import Place
from platui.ui.keys_in_use import bind
from platui.ui.messages import CopyWanted, PageWanted
from platui.ui.screens.tabular import TableScreen
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.models.values.feeds import Snapshot
    from platui.models.values.queries import RecordRef
    from platui.models.values.table import SortKey
    from platui.models.wire import Job

VIEW_COPY: Final = "this view"
"""What the menu of copies calls the command that opens the view again, with its filter."""
_OF_A_ROW: Final = frozenset(
    {"details", "raw", "browse", "copy", "log", "failed_job", "file", "artifacts"}
)
"""Actions that need a row under the cursor."""


class ListScreen(TableScreen):
    """A table whose rows can be searched, sorted, marked, and taken along."""

    COPIED: ClassVar[str] = "URL"  # Which of the copies `y` takes
    USUAL_SORT: ClassVar[SortKey | None] = None  # The default order; None: as they come
    FAILED_WORDS: ClassVar[str] = "failed"  # What the filter of `F` looks for
    BINDINGS = [
        bind(
            "slash",
            "list.filter",
            "Filter",
            "Show only rows with these words; ! before a word turns it around",
        ),
        bind("F", "list.failed", "Failed only", "Show only what failed"),
        bind("S", "list.sort", "Sort", "Choose the column to sort by"),
        bind("L", "list.load_all", "Load all", "Load the rest of the list"),
        bind("p", "list.file", "Pipeline file", "Read the pipeline file that this was made from"),
        bind("i", "list.raw", "Raw JSON", "What the platform really said of this row"),
        bind("o", "list.browse", "Browser", "Open the platform's own page"),
        bind("y", "list.copy", "Copy URL", "Copy the address of this row, or of the marked ones"),
        bind(
            "Y",
            "list.copy_menu",
            "Copy…",
            "Copy id, address, commit, or a command that opens the row or this view",
        ),
    ]

    _found: tuple[object, Mapping[str, Any]] = ((), {})  # `items`, and them by row key

    def row_key(self, item: Any) -> str:
        """Return the key of a record's row."""
        return str(item.id)

    def item_at(self, key: str | None) -> Any:
        """Return the record of a row; None where the list has none."""
        if self._found[0] is not self.items:
            # With 10,000 marked rows, to look through the list for each would take minutes.
            self._found = self.items, {self.row_key(one): one for one in self.items}
        return self._found[1].get(key or "")

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
        """Return the command that opens or prints an address; empty without one."""
        from platui.ui.reopening import opening  # noqa: PLC0415  (on first use)

        return opening(self.service.profile, *words) if all(words) else ""

    def _copies(self, key: str) -> dict[str, str]:
        """Return what there is to copy: on one line each, since it may be pasted to a shell."""
        return {name: clean(text) for name, text in self.copies_of(key).items() if text}

    def draw(self) -> None:
        """Show the rows, and how many of them pass a filter that is being typed."""
        super().draw()
        self._tell_controllers()
        if self.is_whole and self.prompt.is_open and self.prompt.sign == "/":
            self._tell_filter()

    @on(Table.MoreWanted, "#table")
    def _more(self, event: Table.MoreWanted) -> None:
        event.stop()
        if not self.listing.complete and (feed := self.feeds.main) is not None:
            feed.load_more(event.pages)

    @on(Table.MarksChanged, "#table")
    def _marked(self, event: Table.MarksChanged) -> None:
        event.stop()
        self.draw_summary()

    @on(Table.CursorMoved, "#table")
    @on(Table.MarksChanged, "#table")
    def _tell_controllers(self) -> None:
        if self.is_whole:
            for controller in self.controllers:
                controller.on_changed()

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
        shown, loaded = self.table.shown_count, self.table.total_count
        pieces = [(f"{shown} of {loaded}", "text")]
        if not self.listing.complete:
            total = f" of {self.listing.total}" if self.listing.total is not None else ""
            pieces = [
                (f"{shown} match · {loaded}{total} loaded · ", "warning"),
                (f"enter {self.key_of('list.load_all')}", "key"),
                (" loads all", "muted"),
            ]
        self.prompt.tell(tuple(pieces))

    def filter_pieces(self) -> list[tuple[str, str]]:
        """Return what the summary says of filter and marks."""
        pieces: list[tuple[str, str]] = []
        if self.listing.repeats:
            pieces.append(("the pages repeat: cut short", "warning"))
        if self.table.filter_text:
            hidden = self.table.hidden_count
            pieces.append((f"/{self.table.filter_text} hides {hidden}", "accent"))
        if not self.listing.complete and self.table.filter_text:
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
        if (feed := self.feeds.main) is not None:
            feed.load_all()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what is not possible now."""
        if action in self.WITHOUT:
            return False
        if action == "load_all":
            return True if not self.listing.complete else None
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
        choices = [("", "as the platform gives them")]
        for column in self.table.told_columns:
            if column.title:
                choices.append((column.key, column.title.lower()))
                choices.append((f"-{column.key}", f"{column.title.lower()}, reversed"))

        def sort(chosen: str) -> None:
            key = chosen.removeprefix("-")
            self.table.sort_by(key or None, descending=chosen.startswith("-"))

        await self.choose("Sort by", choices, sort)

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
        found = (self._copies(key).get(self.COPIED, "") for key in self.chosen())
        return [address for address in found if address]

    def file_here(self) -> Place | None:
        """Return where the pipeline file of the row is."""
        key = self.table.cursor_key
        return self.file_of(key) if key else None

    async def action_copy_menu(self) -> None:
        """Choose what to copy of the row."""
        key = self.table.cursor_key
        copies = {VIEW_COPY: self.view_command(), **(self._copies(key) if key else {})}
        choices = ((name, name, text) for name, text in copies.items())
        await self.choose("Copy", choices, lambda name: self.post_message(CopyWanted(copies[name])))

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


class DetailedList(ListScreen):
    """Follows `record_feed` of the row under the cursor while its details stand beside it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._record: Any = None
        self._record_of: str | None = None

    def whole(self, key: str) -> Any:
        """Return the whole record of a row; None where it has not come."""
        return self._record if self._record is not None and str(self._record.id) == key else None

    def start_feeds(self) -> None:
        """Follow the list; the record of the cursor's row follows it."""
        self._record_of = None
        self.feeds.drop("detail")
        super().start_feeds()

    def forget(self) -> None:
        """Drop the records of another place."""
        super().forget()
        self._record, self._record_of = None, None

    def draw_details(self) -> None:
        """Follow the details of the cursor's row while they are shown."""
        super().draw_details()
        if not self.is_shown:
            return
        key = self.table.cursor_key
        feed = None
        if key is not None and self.has_class("-detailed"):
            if key == self._record_of:
                return
            feed = self.record_feed(key)
        if feed is None:
            self._record_of = None
            self.feeds.drop("detail")
            return
        self._record_of = key
        self.feeds.follow("detail", feed, self._show_record)

    def _show_record(self, snapshot: Snapshot[Any]) -> None:
        if snapshot.value is not None:
            self._record = snapshot.value
            self.record_came()

    def record_came(self) -> None:
        """Show the details anew: more is known of them."""
        key = self.table.cursor_key if self.is_whole else None
        if key and self.has_class("-detailed"):
            self.show_details(self.details_of(key))


def file_place(near: Place, job: Job) -> Place:
    """Return where the pipeline file of a job is, at the commit it ran on."""
    pipeline, commit = job.pipeline, job.commit
    ref = (pipeline.sha if pipeline else "") or (commit.id if commit else "") or job.ref
    return Place(
        "file", near.project, near.project_name, pipeline.id if pipeline else near.pipeline, ref=ref
    )
