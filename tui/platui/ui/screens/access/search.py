"""Search in a view of the access report: in a thread, for the latest input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import TermError
from platui.present.chrome import KeyHint
from platui.ui.controller import Controller, command

if TYPE_CHECKING:
    from textual.worker import Worker

    from platui.models.values.access import AccessReport
    from platui.models.values.table import Row
    from platui.ui.screens.access.body import ReportBody

_TERM_HINTS: Final = (
    KeyHint("enter", "keep"),
    KeyHint("word:value", "term"),
    KeyHint("-term", "exclude"),
    KeyHint("?", "terms"),
    KeyHint("esc", "clear"),
)


class SearchResults:
    """The rows of the last search; only the latest input counts."""

    def __init__(self, body: ReportBody[Any]) -> None:
        self.words = ""
        self.applied = ""  # The words of the rows: the last ones that were valid
        self.report: AccessReport | None = None  # The keys of the rows are its row numbers
        self.rows: Sequence[Row] = ()
        self.search_error: TermError | None = None  # Why the search is invalid
        self.found_by: object = None  # Search key of the rows; None: no answer yet
        self._body = body
        self._wanted: object = None  # Search key of the latest input
        self._searching: Worker[None] | None = None
        self._then: Callable[[], None] | None = None  # Called at the end of the search

    @property
    def is_searching(self) -> bool:
        """Return whether the rows belong to an earlier search."""
        is_old = self.found_by != self._body.content.search_key()
        return self._body.observed.report is not None and is_old

    def search(self, words: str) -> None:
        self.words, self._then = words, None
        self.refresh()
        self._body.draw()

    def refresh(self) -> None:
        """Find the rows, unless their search key is unchanged."""
        self._wanted = self._body.content.search_key()
        if self._body.observed.report is None or self.found_by == self._wanted:
            return
        if self._searching is None or self._searching.is_cancelled or self._searching.is_finished:
            self._then = None  # of a search that was stopped when the view was left
            self._searching = self._body.in_background("feed-search", self._search)

    async def _search(self) -> None:
        body = self._body
        while self.found_by != self._wanted and (report := body.observed.report) is not None:
            wanted, words = self._wanted, self.words
            try:
                answer = await body.content.answer(report)
                if not body.is_attached or not body.is_whole:
                    return  # the view was closed
            except TermError as error:
                self.search_error = error
            else:
                self.search_error, self.applied = None, words
                if report is body.observed.report:
                    if self.report is not None and self.report.info.id != report.info.id:
                        body.table.clear_marks()  # row numbers differ between reports
                    self.report = report
                    body.content.take(report, answer)
            self.found_by = wanted
            body.draw()
        then, self._then = self._then, None
        if then is not None:
            then()

    def once_found(self, then: Callable[[], None]) -> None:
        """Call `then` once the rows of these words are found, unless the view is left before."""
        if self.is_searching:
            self._then = then
        else:
            then()

    def clear(self) -> None:
        self.report, self.rows = None, ()

    def forget(self) -> None:
        self.clear()
        self.words, self.applied, self.found_by = "", "", None


class SearchReport(Controller["ReportBody[Any]"]):
    """Searches while typing, by words, and in a list by terms too."""

    @command("slash", "list.filter", "Search")
    async def open(self) -> None:
        """Search by words and terms; ? lists the terms."""
        terms, words = bool(self.body.content.TERMS), self.body.found.words
        hints = _TERM_HINTS if terms else ()
        await self.screen.prompt.ask("/", words, hints=hints, lists_words=terms)
        self.on_changed()
        self.body.draw_caveat()

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.observed.report is not None else "No report to search yet."

    async def list_words(self, sign: str) -> None:
        """List the terms; insert the chosen one up to its colon."""
        terms, prompt = self.body.content.TERMS, self.screen.prompt

        def take(field: str) -> None:
            if field:
                prompt.insert(f"{field}:" if field.isalpha() else field)

        if sign == "/":
            items = [(one.field, one.example, one.meaning) for one in terms]
            await self.screen.choose("Search terms", items, take)

    def typed(self, sign: str, text: str) -> None:
        """Search while typing; an invalid search keeps the rows and shows its error."""
        if sign == "/":
            self.body.found.search(text)

    def answered(self, sign: str, text: str) -> None:
        self.typed(sign, text)
        if sign == "/" and text.strip():
            self.body.found.once_found(self._open_only_row)

    def _open_only_row(self) -> None:
        """Open the result if it is a single row."""
        found = self.body.found
        if found.report is None or found.search_error is not None or len(found.rows) != 1:
            return
        target = self.body.content.target(found.report, found.rows[0].key)
        if target is not None:
            self.screen.go_to(target)

    def cancelled(self, sign: str) -> None:
        self.typed(sign, "")

    def undo(self) -> bool:
        if self.body.found.words:
            self.body.found.search("")
            return True
        if self.body.table.marks:
            self.body.table.clear_marks()
            return True
        return False

    def on_changed(self) -> None:
        found, prompt = self.body.found, self.screen.prompt
        if not prompt.is_open or prompt.sign != "/":
            return
        if found.is_searching:
            prompt.show_status((("…", "muted"),))
        elif found.search_error is not None:
            prompt.show_status((("✖", "failed"), (" invalid", "muted")))
        else:
            prompt.show_status(((f"{self.body.table.total_count:,} found", "text"),))
