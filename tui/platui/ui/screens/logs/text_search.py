"""A search in a text, run in a thread: the search of `/` and the filter of `&` are such."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Protocol

from platui.core.errors import PatternError
from platui.ui.widgets.follow import FollowState

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument
    from platui.models.values.search import SearchQuery, SearchState, TextPattern
    from platui.present.chrome import KeyHint, Pieces
    from platui.service.logs.searching import Search
    from platui.ui.screens.logs.text_body import TextBody
    from platui.ui.widgets.log_position import Bookmark


@dataclass
class TextSearch:
    """A search or a filter that is on."""

    query: SearchQuery
    inverse: bool = False  # Whether matching lines are left out
    start: int = 0  # The line it begins at
    begun: float = field(default_factory=monotonic)  # When it was wanted, on the monotonic clock
    document: LogDocument | None = None  # What it was begun in
    pattern: TextPattern | None = None
    feed: Search | None = None
    state: SearchState | None = None
    error: PatternError | None = None
    was_whole: bool = False  # Whether it has reached the end of the text once

    def restarted(self) -> TextSearch:
        """Return the same one, not begun yet."""
        return TextSearch(self.query, self.inverse)

    def has_same_query(self, other: TextSearch | None) -> bool:
        """Return whether both look for the same."""
        return other is not None and (self.query, self.inverse) == (other.query, other.inverse)


class SearchUser(Protocol):
    """Asks for a pattern and shows what matches: as hits, or as the only lines."""

    runner: SearchRunner

    def type(self, text: str) -> None:
        """Search while the text is typed."""

    def enter(self, text: str) -> None:
        """Keep the search that was typed."""

    def cancel(self) -> None:
        """Go back to the position and search from before typing."""

    def begin(self, search: TextSearch | None) -> None:
        """Begin another search, or end the current one."""

    def reset_counts(self, search: TextSearch) -> None:
        """Repeat the search in another text: the log was replaced, or is complete now."""

    def found(self, search: TextSearch) -> None:
        """Take in how far the search has come, or that it cannot be done."""

    def count(self, search: TextSearch) -> Pieces:
        """Return what the prompt shows of the number of hits."""


class _BeforeTyping(NamedTuple):
    bookmark: Bookmark | None  # Where the reader was
    search: TextSearch | None


class SearchRunner:
    """Runs one search of a text at a time in a thread, also while the text grows."""

    def __init__(self, body: TextBody, sign: str, user: SearchUser) -> None:
        self.sign = sign
        self.now: TextSearch | None = None
        """The search that is on."""
        self.before_typing = _BeforeTyping(None, None)
        self._body = body
        self._user = user
        self._group = f"search{sign}"

    def begin(self, search: TextSearch | None) -> None:
        """Begin another search, or end the current one."""
        body = self._body
        body.app.workers.cancel_group(body, self._group)
        before, self.now = self.now, search
        feed = None if before is None else before.feed
        if feed is not None:
            # Its thread would delay the new search.
            feed.stop()
        if search is not None:
            search.document = body.text.document
            self._run(search, search.document, feed)
        if body.is_whole:
            if search is None:
                body.searches.highlight()  # of another one when it is ready, not twice in between
            body.host.refresh_bindings()
            body.show_where()

    def search_new_lines(self, document: LogDocument) -> None:
        """Search the new lines, or all of another text."""
        search = self.now
        if search is None:
            return
        if document is not search.document:
            self._user.reset_counts(search)
        elif search.feed is not None:
            search.feed.grew(ended=self._has_ended)

    def forget(self) -> None:
        """End the search in the text of the previous place."""
        if self.now is not None:
            self._user.begin(None)
        self.before_typing = _BeforeTyping(None, None)

    async def ask(self, text: str, hints: tuple[KeyHint, ...], *, widens: bool = False) -> None:
        """Ask what to look for."""
        body = self._body
        self.before_typing = _BeforeTyping(body.view.position.bookmark, self.now)
        await body.host.prompt.ask(self.sign, text, hints=hints, switches=True, widens=widens)
        body.searches.show_on_prompt()

    @property
    def is_changed(self) -> bool:
        """Return whether the search differs from that before typing."""
        return self.now is not self.before_typing.search

    def restore(self) -> None:
        """Begin the search from before typing again."""
        before = self.before_typing.search
        self._user.begin(None if before is None else before.restarted())

    def go_back(self) -> None:
        """Go back to the position from before typing."""
        if self.before_typing.bookmark is not None:
            self._body.view.position.restore_position(self.before_typing.bookmark)

    @property
    def _has_ended(self) -> bool:
        return self._body.view.position.follow.state is FollowState.ENDED

    def _run(self, search: TextSearch, document: LogDocument | None, before: Search | None) -> None:
        """Search in a thread until another search begins."""

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
        came_later = search.was_whole
        with body.view.settle_once():
            # Before a hit is gone to: the view moves sideways to where it is.
            body.searches.highlight()
            self._user.found(search)
            body.searches.show_on_prompt()
            if not (came_later and body.text.needs_no_draw):
                body.show_where()
        search.was_whole = came_later or (search.state is not None and search.state.is_whole)
        # The frame of the key that began it waits for this.
        if not came_later:
            body.host.paint_now()
