"""Search of a text in a thread, used by the search `/` and the filter `&`."""

from __future__ import annotations

from dataclasses import field
from time import monotonic
from typing import TYPE_CHECKING

from platui.core.dataclass import dataclass
from platui.core.errors import PatternError
from platui.ui.widgets.log_position import Bookmark, FollowState

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument
    from platui.models.values.search import SearchQuery, SearchState, TextPattern
    from platui.present.chrome import KeyHint
    from platui.service.logs.searching import Search
    from platui.ui.screens.logs.line_filter import LineFilter
    from platui.ui.screens.logs.text_body import TextBody
    from platui.ui.screens.logs.text_hits import TextHits


@dataclass
class TextSearch:
    """A search or a filter that is on."""

    query: SearchQuery
    inverse: bool = False  # Whether matching lines are excluded
    start: int = 0  # Start line
    begun: float = field(default_factory=monotonic)  # Monotonic seconds
    document: LogDocument | None = None  # The searched text
    pattern: TextPattern | None = None
    feed: Search | None = None
    state: SearchState | None = None
    error: PatternError | None = None
    was_whole: bool = False  # Whether it has reached the end once

    def restarted(self) -> TextSearch:
        """Return a copy that has not started."""
        return TextSearch(self.query, self.inverse)

    def has_same_query(self, other: TextSearch | None) -> bool:
        return other is not None and (self.query, self.inverse) == (other.query, other.inverse)


class SearchRunner:
    """Runs one search of a text at a time in a thread, also while the text grows."""

    def __init__(self, user: TextHits | LineFilter, sign: str) -> None:
        self.now: TextSearch | None = None
        self.bookmark: Bookmark | None = None  # Position before typing
        self._before: TextSearch | None = None  # Search before typing
        self._user = user
        self._sign = sign
        self._group = f"search{sign}"

    @property
    def _body(self) -> TextBody:
        return self._user.body

    def begin(self, search: TextSearch | None) -> None:
        body = self._body
        body.app.workers.cancel_group(body, self._group)
        before, self.now = self.now, search
        feed = None if before is None else before.feed
        if feed is not None:
            # Its thread would delay the next search.
            feed.stop()
        if search is not None:
            search.document = body.text.document
            self._run(search, search.document, feed)
        if body.is_whole:
            if search is None:
                body.highlight()  # a new one highlights when ready
            body.host.refresh_bindings()
            body.show_where()

    def search_new_lines(self, document: LogDocument) -> None:
        search = self.now
        if search is None:
            return
        if document is not search.document:
            self._user.reset_counts(search)
        elif search.feed is not None:
            search.feed.grew(ended=self._has_ended)

    def forget(self) -> None:
        if self.now is not None:
            self._user.begin(None)
        self.bookmark = self._before = None

    async def ask(self, text: str, hints: tuple[KeyHint, ...], *, widens: bool = False) -> None:
        body = self._body
        self.bookmark, self._before = body.view.position.bookmark, self.now
        await body.host.prompt.ask(self._sign, text, hints=hints, switches=True, widens=widens)
        self.show_on_prompt()

    def show_on_prompt(self) -> None:
        prompt, search = self._body.host.prompt, self.now
        if not prompt.is_open or prompt.sign != self._sign:
            return
        kind = ("regex", "accent") if self._body.is_regex else ("plain", "muted")
        if search is None or not prompt.text:
            # Do not show the counter of an earlier search.
            prompt.show_status((kind,))
        elif search.error is not None:
            prompt.show_status(((search.error.sentence, "failed"), ("  ", "text"), kind))
        else:
            prompt.show_status((*self._user.count(search), ("  ", "text"), kind))

    @property
    def is_changed(self) -> bool:
        return self.now is not self._before

    def restore(self) -> None:
        """Restart the search from before typing."""
        self._user.begin(None if self._before is None else self._before.restarted())

    def go_back(self) -> None:
        if self.bookmark is not None:
            self._body.view.position.restore_position(self.bookmark)

    @property
    def _has_ended(self) -> bool:
        return self._body.view.position.follow.state is FollowState.ENDED

    def _run(self, search: TextSearch, document: LogDocument | None, before: Search | None) -> None:
        async def run() -> None:
            from platui.service.logs.searching import Search, pattern_of  # noqa: PLC0415  (on first use)

            try:
                search.pattern = await pattern_of(search.query)
                if document is None:
                    return
                search.feed = Search(
                    document, search.pattern, start=search.start, ended=self._has_ended,
                    before=before,
                )  # fmt: skip
                async for state in search.feed:
                    search.state = state
                    self._show(search)
            except PatternError as error:
                search.error = error
                self._show(search)

        self._body.in_background(self._group, run)

    def _show(self, search: TextSearch) -> None:
        body = self._body
        if not body.is_whole:
            return
        was_whole = search.was_whole
        with body.view.settle_once():
            # Before moving to a hit: the view scrolls sideways to it.
            body.highlight()
            self._user.found(search)
            self.show_on_prompt()
            if not (was_whole and body.text.needs_no_draw):
                body.show_where()
        search.was_whole = was_whole or (search.state is not None and search.state.is_whole)
        # The frame of the key that started it waits for this.
        if not was_whole:
            body.host.paint_now()
