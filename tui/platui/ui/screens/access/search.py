"""Search in a view of the access report."""

from __future__ import annotations

from typing import Any, Final

from platui.present.chrome import KeyHint
from platui.ui.controller import Controller, command
from platui.ui.screens.access.body import ReportBody

_TERM_HINTS: Final = (
    KeyHint("enter", "keep"),
    KeyHint("word:value", "term"),
    KeyHint("-term", "exclude"),
    KeyHint("?", "terms"),
    KeyHint("esc", "clear"),
)


class SearchReport(Controller[ReportBody[Any]]):
    """Searches while typing, by words, and in a list by terms too."""

    @command("slash", "list.filter", "Search")
    async def open(self) -> None:
        """Search by words and terms; ? lists the terms."""
        terms, words = bool(self.body.content.TERMS), self.body.found.words
        hints = _TERM_HINTS if terms else ()
        await self.screen.prompt.ask("/", words, hints=hints, lists_words=terms)
        self._show_count()
        self.body.lines.draw_caveat()

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.observed.report is not None else "No report to search yet."

    async def list_words(self, sign: str) -> bool:
        """List the terms; insert the chosen one up to its colon."""
        terms, prompt = self.body.content.TERMS, self.screen.prompt

        def take(chosen: str) -> None:
            field = terms[int(chosen)].field
            if field:
                prompt.insert(f"{field}:" if field.isalpha() else field)

        if sign == "/":
            items = [(str(at), one.example, one.meaning) for at, one in enumerate(terms)]
            await self.screen.choose("Search terms", items, take)
        return sign == "/"

    def typed(self, sign: str, text: str) -> bool:
        """Search while typing; an invalid search keeps the rows and shows its error."""
        if sign == "/":
            self.body.found.search(text)
        return sign == "/"

    def answered(self, sign: str, text: str) -> bool:
        return self.typed(sign, text)

    def cancelled(self, sign: str) -> bool:
        return self.typed(sign, "")

    def undo(self) -> bool:
        if self.body.found.words:
            self.body.found.search("")
            return True
        if self.body.table.marks:
            self.body.table.clear_marks()
            return True
        return False

    def on_changed(self) -> None:
        prompt = self.screen.prompt
        if prompt.is_open and prompt.sign == "/":
            self._show_count()

    def _show_count(self) -> None:
        found, prompt = self.body.found, self.screen.prompt
        if found.is_searching:
            prompt.show_status((("…", "muted"),))
        elif found.search_error is not None:
            prompt.show_status((("✖", "failed"), (" invalid", "muted")))
        else:
            prompt.show_status(((f"{self.body.table.total_count:,} found", "text"),))
