"""Base of what the keys of a list act on: its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from platui.core.text import clean
from platui.models.values.routes import Route, SavedView
from platui.ui.screens.parts.body import ViewContext

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed
    from platui.models.values.previews import PreviewTarget
    from platui.models.values.queries import RecordRef
    from platui.models.values.tests import ReportedPipeline
    from platui.models.wire import Job
    from platui.present.details.layout import Details
    from platui.ui.screens.files.document import Load
    from platui.ui.screens.parts.list_body import ListBody
    from platui.ui.widgets.table import Table

L = TypeVar("L", bound="ListBody")

KEPT_ROWS: Final = 60
SUMMARY: Final = "summary"
NOT_LOADED: Final = "The list is not loaded yet."
_HIDDEN_MARKS: Final = "The marked rows are hidden by the filter."


class ListContext(ViewContext[L], Generic[L]):
    COPIES: ClassVar[Mapping[str, str]] = {}  # name -> field; "": command
    # Row -> the failed pipeline whose failed tests its details list
    tests_of: Callable[[str], ReportedPipeline | None] = staticmethod(lambda _key: None)

    load_preview: Load  # Reads a text that is previewed

    def __init__(self, body: L) -> None:
        super().__init__(body)
        self._found: tuple[object, Mapping[str, Any]] = (), {}  # The items, and by row key

    def row_key(self, item: Any) -> str:
        return str(item.id)

    def open(self, key: str) -> None:
        """Open the row, as `enter` does."""

    def details(self, _key: str, _record: Any = None, /) -> Details | None:
        """Return the details of a row, from its full record if given."""
        return None

    def record_feed(self, _key: str, /) -> Feed[Any] | None:
        """Return the feed of the full record of a row; None if the list has all of it."""
        return None

    def preview(self, _key: str, _kind: str, /) -> PreviewTarget | None:
        """Return the preview of a row: a log, jobs or a text."""
        return None

    def record(self, _key: str, /) -> RecordRef | None:
        return None

    def copies(self, key: str, /) -> Mapping[str, str]:
        """Return the copies of a row, name -> unescaped text; `URL` first."""
        item = self.item(key)
        if item is None:
            return {}
        return {
            name: str(getattr(item, field)) if field else self.open_command(item.web_url)
            for name, field in self.COPIES.items()
        }

    def missing_row_reason(self, no_row: str) -> str:
        """Return why there are no details and no record, if so; `no_row` by default."""
        return "" if self.body.table.cursor_key is not None else no_row

    def show_details(self) -> None:
        """Show or hide the details; a page of details waits for the data of its row."""
        details = self.body.details
        if details.has_room or not self.defers(self.show_details):
            details.toggle()

    def raw(self) -> tuple[str, RecordRef] | None:
        """Return title and reference of the current API record."""
        key = self.body.table.cursor_key
        ref = self.record(key) if key else None
        if key is None or ref is None:
            return None
        about = self.details(key)
        title, name = about.title if about else "", f"{ref.kind} {ref.id}"
        return f"{title} · {name}" if title and key not in title else name, ref

    def file_of(self, _key: str, /) -> Route | None:
        return None

    def defers(self, _do: Callable[[], Any], /) -> bool:
        """Return whether an action waits for the data of the row; it is called then."""
        return False

    def file(self) -> Route | None:
        key = self.body.table.cursor_key
        return self.file_of(key) if key else None

    def current_route(self) -> Route:
        body = self.body
        sort = body.table.sort if body.is_whole else None
        if sort == body.DEFAULT_SORT:
            return replace(body.route, sort="")
        key, descending = sort if sort is not None else ("", False)
        return replace(body.route, sort=f"{'-' * descending}{key}")

    def filter_text(self) -> str:
        return self.body.table.filter_text if self.body.is_whole else ""

    def filter_by(self, words: str) -> None:
        self.body.host.entered("/", words)

    def way_to(self, number: int) -> Callable[[], object] | None:
        return way_to_row(self.body.table, str(number))

    def open_command(self, *words: str) -> str:
        """Return the command that opens an address; empty without an address."""
        from platui.ui.route_lines import opening  # noqa: PLC0415  (on first use)

        return opening(self.body.service.profile, *words) if all(words) else ""

    def clean_copies(self, key: str) -> dict[str, str]:
        """Return the copies on one line each: they may be pasted into a shell."""
        return {name: clean(text) for name, text in self.copies(key).items() if text}

    def copy_values(self, name: str) -> Iterator[str]:
        """Return this copy of the marked rows or the selected one, where it is not empty."""
        for key in self.chosen():
            if address := self.clean_copies(key).get(name, ""):
                yield address

    def item(self, key: str | None) -> Any:
        if self._found[0] is not self.body.items:
            # Searching the list for each of 10,000 marked rows would take minutes.
            self._found = self.body.items, {self.row_key(one): one for one in self.body.items}
        return self._found[1].get(key or "")

    def chosen(self) -> list[str]:
        table = self.body.table
        if table.marks:
            return [row.key for row in table.shown_rows if row.key in table.marks]
        return [table.cursor_key] if table.cursor_key else []

    def saved_state(self) -> SavedView | None:
        if not self.body.is_whole or not self.body.table.total_count:
            return self.body.saved_view
        rows = self.body.table.shown_rows
        at = next((n for n, row in enumerate(rows) if row.key == self.body.table.cursor_key), 0)
        first = max(0, at - KEPT_ROWS // 2)
        return SavedView(
            route=self.body.route,
            columns=self.body.columns(),
            rows=tuple(rows[first : first + KEPT_ROWS]),
            cursor=self.body.table.cursor_key or "",
            saved_at=self.rows_fetched_at(),
            profile=self.body.service.profile.name,
            extra={SUMMARY: self.body.host.summary.text.strip()},
        )

    def rows_fetched_at(self) -> float:
        if self.body.saved_view is not None:
            return self.body.saved_view.saved_at
        fetched_at = self.body.age.fetched_at or self.body.now
        return fetched_at.timestamp()


def chosen_reason(body: ListBody) -> str:
    """Return why keys do not apply to the chosen rows: not loaded, or hidden; else empty."""
    if not body.has_data():
        return NOT_LOADED
    return _HIDDEN_MARKS if body.table.marks and not body.context.chosen() else ""


def way_to_row(table: Table, key: str) -> Callable[[], object] | None:
    return partial(table.move_to, key) if table.index_of(key) is not None else None


def file_route(near: Route, job: Job) -> Route:
    pipeline, commit = job.pipeline, job.commit
    ref = (pipeline.sha if pipeline else "") or (commit.id if commit else "") or job.ref
    return Route(
        "file", near.project, near.project_name, pipeline.id if pipeline else near.pipeline, ref=ref
    )
