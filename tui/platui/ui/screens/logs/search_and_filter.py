"""Search and filter of a text, and their prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.ui.controller import Controller
from platui.ui.controllers.pipeline_logs import PipelineLogs, format_search
from platui.ui.screens.logs.line_filter import FILTER, FilterLines, LineFilter
from platui.ui.screens.logs.text_hits import SEARCH, SearchText, TextHits

if TYPE_CHECKING:
    from platui.present.chrome import Pieces
    from platui.ui.screens.logs.text_body import TextBody


class SearchAndFilter:
    def __init__(self, body: TextBody) -> None:
        self.is_regex = False  # Whether patterns are regular expressions
        self.filter = LineFilter(body)
        self.hits = TextHits(body)
        self.by_sign: dict[str, TextHits | LineFilter] = {SEARCH: self.hits, FILTER: self.filter}
        self._body = body

    async def prepare(self) -> None:
        if self._body.is_whole:
            await self._body.host.prompt.prepare()

    def search_new_lines(self) -> None:
        document = self._body.text.document
        if self._body.is_whole and document is not None:
            self.filter.runner.search_new_lines(document)
            self.hits.runner.search_new_lines(document)

    def forget(self) -> None:
        self.filter.runner.forget()
        self.hits.runner.forget()

    def highlight(self) -> None:
        searches = (self.hits.runner.now, self.filter.runner.now)
        patterns = [one.pattern for one in searches if one is not None and not one.inverse]
        self._body.view.highlight(next((pattern for pattern in patterns if pattern), None))

    def status_pieces(self) -> Pieces:
        return (*self.filter.status_pieces(), *self.hits.status_pieces())

    def show_on_prompt(self) -> None:
        prompt = self._body.host.prompt
        user = self.by_sign.get(prompt.sign)
        if not prompt.is_open or user is None:
            return
        kind = ("regex", "accent") if self.is_regex else ("plain", "muted")
        search = user.runner.now
        if search is None or not prompt.text:
            # Do not show the counter of an earlier search.
            prompt.show_status((kind,))
        elif search.error is not None:
            prompt.show_status(((search.error.sentence, "failed"), ("  ", "text"), kind))
        else:
            prompt.show_status((*user.count(search), ("  ", "text"), kind))


class SearchPrompt(Controller["TextBody"]):
    def typed(self, sign: str, text: str) -> None:
        if user := self.body.searches.by_sign.get(sign):
            user.type(text)

    def switched(self, sign: str, text: str) -> None:
        self.body.searches.is_regex = not self.body.searches.is_regex
        self.typed(sign, text)

    def widened(self, sign: str, text: str) -> None:
        """Search all logs of the pipeline for the typed text instead."""
        self.cancelled(sign)
        words = format_search(text, is_regex=self.body.searches.is_regex)
        self.screen.controller(PipelineLogs).search(words)

    def answered(self, sign: str, text: str) -> None:
        if user := self.body.searches.by_sign.get(sign):
            user.enter(text)

    def cancelled(self, sign: str) -> None:
        if user := self.body.searches.by_sign.get(sign):
            user.cancel()


TEXT_KEYS: Final = (FilterLines, SearchText, SearchPrompt)
