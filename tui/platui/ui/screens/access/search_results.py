"""Search of the access report in a thread, for the latest input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.core.errors import TermError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.worker import Worker

    from platui.models.values.access import AccessReport
    from platui.models.values.table import Row
    from platui.ui.screens.access.body import ReportBody


class SearchResults:
    """The rows of the last search; only the latest input counts."""

    def __init__(self, body: ReportBody[Any]) -> None:
        self.words = ""
        self.report: AccessReport | None = None  # The keys of the rows are its row numbers
        self.rows: Sequence[Row] = ()
        self.search_error: TermError | None = None  # Why the search is invalid
        self._body = body
        self._wanted: object = None  # Search key of the latest input
        self._found_by: object = None  # Search key of the rows
        self._searching: Worker[None] | None = None

    @property
    def has_answer(self) -> bool:
        return self._found_by is not None

    @property
    def is_searching(self) -> bool:
        """Return whether the rows belong to an earlier search."""
        is_old = self._found_by != self._body.content.search_key()
        return self._body.observed.report is not None and is_old

    def search(self, words: str) -> None:
        self.words = words
        self.refresh()
        self._body.draw()

    def refresh(self) -> None:
        """Find the rows, unless their search key is unchanged."""
        self._wanted = self._body.content.search_key()
        if self._body.observed.report is None or self._found_by == self._wanted:
            return
        if self._searching is None or self._searching.is_cancelled or self._searching.is_finished:
            self._searching = self._body.in_background("feed-search", self._search)

    async def _search(self) -> None:
        body = self._body
        while self._found_by != self._wanted and (report := body.observed.report) is not None:
            wanted = self._wanted
            try:
                answer = await body.content.answer(report)
                if not body.is_attached or not body.is_whole:
                    return  # the view was closed
            except TermError as error:
                self.search_error = error
            else:
                self.search_error = None
                if report is body.observed.report:
                    self._take(report, answer)
            self._found_by = wanted
            body.draw()

    def _take(self, report: AccessReport, answer: Any) -> None:
        if self.report is not None and self.report.info.id != report.info.id:
            self._body.table.clear_marks()  # row numbers differ between reports
        self.report = report
        self._body.content.take(report, answer)

    def clear(self) -> None:
        self.report, self.rows = None, ()

    def forget(self) -> None:
        self.clear()
        self.words, self._found_by = "", None
