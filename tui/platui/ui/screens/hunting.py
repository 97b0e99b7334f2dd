"""What searching and filtering a text have in common: asked for on the prompt, done in a thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from textual import on

from platui.core.errors import PatternError
from platui.present.logs.searching import counter, filter_counter
from platui.ui.screens.text import TextScreen
from platui.ui.widgets.follow import FollowState
from platui.ui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument
    from platui.models.values.search import SearchQuery, SearchState, TextPattern
    from platui.present.chrome import KeyHint
    from platui.service.logs.searching import Search
    from platui.ui.widgets.log_position import Spot

_CALM: Final = 1.0
"""Seconds after which the first frame, and what comes right after it, are painted."""

SEARCH: Final = "/"
FILTER: Final = "&"


@dataclass
class Hunt:
    """A search or a filter that is on."""

    query: SearchQuery
    inverse: bool = False  # Whether what is found is left out
    start: int = 0  # The line it begins at
    begun: float = field(default_factory=monotonic)  # When it was wanted, on the monotonic clock
    document: LogDocument | None = None  # What it was begun in
    pattern: TextPattern | None = None
    feed: Search | None = None
    state: SearchState | None = None
    error: PatternError | None = None
    was_whole: bool = False  # Whether it has reached the end of the text once

    def again(self) -> Hunt:
        """Return the same one, not begun yet."""
        return Hunt(self.query, self.inverse)

    def is_like(self, other: Hunt | None) -> bool:
        """Return whether both look for the same."""
        return other is not None and (self.query, self.inverse) == (other.query, other.inverse)


class _Origin(NamedTuple):
    """What there was before something was typed."""

    spot: Spot | None  # Where the reader was
    hunt: Hunt | None


class HuntingText(TextScreen):
    """A text in which something is looked for; by a search, a filter, or both at once."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.is_regex = False  # Whether patterns are regular expressions
        self.origin = _Origin(None, None)
        self._hunts: dict[str, Hunt] = {}

    def on_mount(self) -> None:
        """Have the prompt ready: who searches types fast."""
        self.set_timer(_CALM, self._prepare)

    async def _prepare(self) -> None:
        if self.is_whole:
            await self.prompt.prepare()

    def hunt(self, sign: str) -> Hunt | None:
        """Return the search or the filter, by its sign."""
        return self._hunts.get(sign)

    def begin(self, sign: str, hunt: Hunt | None) -> None:
        """Look for something else from now on, or for nothing."""
        self.app.workers.cancel_group(self, f"hunt{sign}")
        before = self._hunts.pop(sign, None)
        if before is not None and before.feed is not None:
            # What its thread would still do is in the way of what is wanted now.
            before.feed.stop()
        if hunt is not None:
            self._hunts[sign] = hunt
            hunt.document = self.document()
            self._pursue(sign, hunt, hunt.document, None if before is None else before.feed)
        if self.is_whole:
            if hunt is None:
                self._highlight()  # of another one when it is ready, not twice in between
            self.refresh_bindings()
            self.show_where()

    def begin_again(self, sign: str, hunt: Hunt) -> None:
        """Look for the same in another text: the log was written anew, or all of it is there."""
        self.begin(sign, hunt.again())

    def found(self, sign: str, hunt: Hunt) -> None:
        """Take in how far it has come, or that it cannot be done."""
        del sign
        self.tell_prompt()
        self.tell_found(hunt)
        hunt.was_whole = hunt.was_whole or (hunt.state is not None and hunt.state.is_whole)

    def tell_found(self, hunt: Hunt) -> None:
        """Say at the right of the line below how far it has come."""
        del hunt
        self.show_where()

    def go_back(self) -> None:
        """Be where one was when the prompt was opened."""
        if self.origin.spot is not None:
            self.view.position.go_back_to(self.origin.spot)

    async def ask_for(
        self, sign: str, text: str, hints: tuple[KeyHint, ...], *, widens: bool = False
    ) -> None:
        """Ask what to look for."""
        self.origin = _Origin(self.view.position.spot, self.hunt(sign))
        await self.prompt.ask(sign, text, hints=hints, switches=True, widens=widens)
        self.tell_prompt()

    def current(self, sign: str) -> int | None:
        """Return the line of what is found at which one is."""
        del sign
        return None

    def tell_prompt(self) -> None:
        """Say at the right of what is typed how it is read, and what it finds."""
        sign = self.prompt.sign
        if not self.prompt.is_open or sign not in {SEARCH, FILTER}:
            return
        kind = ("regex", "accent") if self.is_regex else ("plain", "muted")
        hunt = self.hunt(sign)
        if hunt is None or not self.prompt.text:
            # What was looked for before says nothing of what is still to be typed.
            self.prompt.tell((kind,))
        elif hunt.error is not None:
            self.prompt.tell(((hunt.error.sentence, "failed"), ("  ", "text"), kind))
        else:
            if sign == FILTER:
                found = filter_counter(hunt.state, inverse=hunt.inverse)
            else:
                found = counter(hunt.state, self.current(sign))
            self.prompt.tell((*found, ("  ", "text"), kind))

    def cancelled(self, sign: str) -> None:
        """Take up again what was on before something was typed."""
        if sign not in {SEARCH, FILTER}:
            super().cancelled(sign)
            return
        now, before = self.hunt(sign), self.origin.hunt
        if now is not before:
            self.begin(sign, None if before is None else before.again())

    @on(Prompt.Switched)
    def _read_otherwise(self, event: Prompt.Switched) -> None:
        event.stop()
        self.is_regex = not self.is_regex
        self.typed(event.sign, event.text)

    def draw(self) -> None:
        """Show what there is, and look at it."""
        super().draw()
        self.look_further()

    def look_further(self) -> None:
        """Look at what has come since, or again where the text is another one."""
        document = self.document()
        if not self.is_whole or document is None:
            return
        for sign, hunt in list(self._hunts.items()):
            if document is not hunt.document:
                self.begin_again(sign, hunt)
            elif hunt.feed is not None:
                hunt.feed.grew(ended=self._has_ended)

    def forget(self) -> None:
        """Look for nothing in the text of the place of before."""
        for sign in list(self._hunts):
            self.begin(sign, None)
        self.origin = _Origin(None, None)
        super().forget()

    @property
    def _has_ended(self) -> bool:
        return self.view.follow.state is FollowState.ENDED

    def _highlight(self) -> None:
        hunts = (self.hunt(SEARCH), self.hunt(FILTER))
        patterns = [hunt.pattern for hunt in hunts if hunt is not None and not hunt.inverse]
        self.view.highlight(next((pattern for pattern in patterns if pattern), None))

    def _pursue(
        self, sign: str, hunt: Hunt, document: LogDocument | None, before: Search | None
    ) -> None:
        """Look for something in a thread, as long as it is wanted."""

        def tell() -> None:
            if self.is_whole:
                came_later = hunt.was_whole
                with self.view.settling_once():
                    # Before a hit is gone to: the view moves sideways to where it is.
                    self._highlight()
                    self.found(sign, hunt)
                # The key that asked for it waits for more that it leads to: this is it.
                if not came_later:
                    self.paint_now()

        async def pursue() -> None:
            from platui.service.logs.searching import Search, pattern_of  # noqa: PLC0415  (on first use)

            try:
                hunt.pattern = await pattern_of(hunt.query)
                if document is None:
                    return
                hunt.feed = Search(
                    document, hunt.pattern, start=hunt.start, ended=self._has_ended, before=before
                )
                async for state in hunt.feed:
                    hunt.state = state
                    tell()
            except PatternError as error:
                hunt.error = error
                tell()

        self.in_background(f"hunt{sign}", pursue)
