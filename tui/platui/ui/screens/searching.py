"""Searching a text: `/`, then `n` and `N`; the same in a log and in a file."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from platui.models.values.search import SearchQuery
from platui.present.chrome import KeyHint
from platui.present.logs.searching import Step, first_hit, hit_before, next_hit, search_pieces
from platui.ui.keys_in_use import bind
from platui.ui.screens.filtering import FilteredText
from platui.ui.screens.hunting import SEARCH, Hunt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import Binding

    from platui.models.values.search import SearchState
    from platui.present.chrome import Pieces
    from platui.ui.terminal.app import TerminalApp

_HINTS: Final = (
    KeyHint("enter", "keep the search"),
    KeyHint("tab", "plain or regex"),
    KeyHint("↑", "the one before"),
    KeyHint("esc", "back to where you were"),
)
_WIDER_HINTS: Final = (
    *_HINTS[:2],
    KeyHint("ctrl+g", "all logs"),
    KeyHint("↑", "the one before"),
    KeyHint("esc", "back"),
)

_SKIPPED: Final = 1000  # Hidden runs of hits that one step may pass


class Wanted(NamedTuple):
    """A step to a hit."""

    find: Callable[[SearchState, int], Step]
    line: int | None  # From where; None where the step before it leads to.

    def step(self, state: SearchState, current: int | None) -> Step:
        """Return where it leads, as far as is known."""
        line = self.line
        if line is None:
            line = (current or 0) + (self.find is next_hit)
        return self.find(state, line)


class SearchedText(FilteredText):
    """A text in which one searches as one types, and goes from hit to hit."""

    BINDINGS = [
        bind("slash", "text.search", "Search", "Search as you type; tab: regex"),
        bind("n", "text.next", "Next hit", "Go to the next hit, then round", action="hit(1)"),
        bind("N", "text.previous", "Hit before", "Go to the hit before", action="hit(-1)"),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._current: int | None = None
        self._current_before: int | None = None  # The hit before typing began
        self._note = ""
        self._wanted: deque[Wanted] = deque()  # Steps whose targets are not known yet

    async def action_search(self) -> None:
        """Ask what to look for."""
        self._current_before = self._current
        widens = self.widens_search()
        await self.ask_for(SEARCH, "", _WIDER_HINTS if widens else _HINTS, widens=widens)

    def widens_search(self) -> bool:
        """Return whether what is typed can be looked for in more than this text."""
        return False

    def action_hit(self, by: int) -> None:
        """Go to the next hit, or to the one before."""
        find = hit_before if by < 0 else next_hit
        if self._wanted:
            self._want(Wanted(find, None))
            return
        focus = self.view.focus_in_sight
        after = 0 if by < 0 else 1
        self._want(Wanted(find, self.view.top_line if focus is None else focus + after))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what there is nothing to be done with."""
        if action == "hit" and self.hunt(SEARCH) is None:
            return None
        return super().check_action(action, parameters)

    def clear_one(self) -> bool:
        """Look for nothing any more; where nothing was looked for, clear the filter."""
        if self.hunt(SEARCH) is None:
            return super().clear_one()
        self.begin(SEARCH, None)
        self.view.position.focus_on(None)
        return True

    def footer_keys(self) -> Sequence[str]:
        """Name what goes from hit to hit, as long as there is a search."""
        names = list(super().footer_keys())
        if self.hunt(SEARCH) is not None and "place.up" in names:
            names.insert(names.index("place.up") + 1, "text.next")
        return names

    def footer_label(self, binding: Binding) -> str:
        """Say that `esc` clears the search before it goes back."""
        if binding.id == "place.up" and self.hunt(SEARCH) is not None:
            return "clears"
        return "next" if binding.id == "text.next" else super().footer_label(binding)

    def typed(self, sign: str, text: str) -> None:
        """Show the first hit from where one was, while typing."""
        if sign != SEARCH:
            super().typed(sign, text)
            return
        if not text:
            self.begin(SEARCH, None)
            self.go_back()
        elif not cast("TerminalApp[Any]", self.app).key_order.letters_wait:
            # Not for each letter of a word that comes at once: it would only be in the way.
            self._look_for(text)
        self.tell_prompt()

    def _look_for(self, text: str) -> None:
        """Show the first hit from where one was, unless that is being done."""
        top = self.origin.spot.top if self.origin.spot is not None else 0
        hunt = Hunt(SearchQuery(text, self.is_regex), start=top)
        if not hunt.is_like(self.hunt(SEARCH)):
            self.begin(SEARCH, hunt)
            self._want(Wanted(first_hit, top))
        self.tell_prompt()

    def entered(self, sign: str, text: str) -> None:
        """Keep the search; with nothing typed, go on with the one of before."""
        if sign != SEARCH:
            super().entered(sign, text)
        elif text:
            self._look_for(text)
            self.show_where()
        else:
            before = self.origin.hunt
            self.begin(SEARCH, None if before is None else before.again())
            self.action_hit(1)

    def cancelled(self, sign: str) -> None:
        """Be where one was, with what was looked for then."""
        changed = self.hunt(sign) is not self.origin.hunt
        super().cancelled(sign)
        if sign == SEARCH and changed:
            self._current = None if self.origin.hunt is None else self._current_before
            self.go_back()

    def current(self, sign: str) -> int | None:
        """Return the hit at which one is."""
        return self._current if sign == SEARCH else super().current(sign)

    def begin(self, sign: str, hunt: Hunt | None) -> None:
        """Search for something else, or for nothing."""
        if sign == SEARCH:
            self._current, self._note = None, ""
            self._wanted.clear()
            if self.is_whole and hunt is None:
                self.view.mark_hits(())
        super().begin(sign, hunt)
        if sign == SEARCH and self.is_whole:
            self.footer_line.show_soon()

    def begin_again(self, sign: str, hunt: Hunt) -> None:
        """Look for the same in another text, and still go there if nothing was found so far."""
        sought = sign == SEARCH and self._current is None
        super().begin_again(sign, hunt)
        if sought:
            self._want(Wanted(first_hit, self.view.top_line))

    def found(self, sign: str, hunt: Hunt) -> None:
        """Mark the hits so far, and go where one wanted to go."""
        if sign == SEARCH:
            self.view.mark_hits(() if hunt.state is None else hunt.state.lines)
            if hunt.state is not None:
                self._go(hunt.state)
        super().found(sign, hunt)

    def findings(self) -> Pieces:
        """Return what is searched for, and which hit one is at."""
        hunt = self.hunt(SEARCH)
        if hunt is None:
            return super().findings()
        pieces = search_pieces(hunt.query, hunt.state, self._current, self._note, hunt.error)
        return (*super().findings(), *pieces, (" ", "text"))

    def _want(self, wanted: Wanted) -> None:
        self._wanted.append(wanted)
        self._note = ""
        hunt = self.hunt(SEARCH)
        if hunt is not None and hunt.state is not None:
            self._go(hunt.state)
        self.show_where()

    def _go(self, state: SearchState) -> None:
        while self._wanted:
            wanted = self._wanted[0]
            step = wanted.step(state, self._current)
            back = wanted.find is hit_before
            step = self._past_hidden(state, step, back=back)
            if not step.is_certain:
                return
            self._wanted.popleft()
            if step.line is not None:
                self._current = step.line
                self._note = ("from the end" if back else "from the top") if step.wrapped else ""
                self.view.reveal(step.line)
                continue
            self._wanted.clear()  # there is no hit to go on from
            if self.prompt.is_open and self.prompt.sign == SEARCH:
                self._current = None
                self.go_back()

    def _past_hidden(self, state: SearchState, step: Step, *, back: bool) -> Step:
        """Return the step that leads to the next line that the filter shows."""
        for _ in range(_SKIPPED):
            if step.line is None or self.shows(step.line):
                return step
            # All hits up to the next line that is shown are passed at once.
            line = self.view.content.shown_beside(step.line, back=back)
            goes_round = line is None
            if line is None:
                if not state.is_whole:
                    return Step(None, is_certain=False)
                line = state.lines[-1] if back else state.lines[0]
            further = hit_before(state, line + 1) if back else next_hit(state, line)
            goes_round |= further.wrapped
            if goes_round and step.wrapped:
                break
            step = further._replace(wrapped=step.wrapped or goes_round)
        self._note = "hidden by the filter"
        return Step(None)
