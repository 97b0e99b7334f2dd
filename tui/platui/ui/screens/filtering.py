"""Seeing the matching lines of a text alone: `&`, with lines around them or without them."""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from platui.models.values.search import SearchQuery
from platui.present.chrome import KeyHint
from platui.present.logs.searching import MOST_CONTEXT, filter_pieces, is_selected, searched_to
from platui.ui.keys_in_use import bind
from platui.ui.screens.hunting import FILTER, Hunt, HuntingText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.binding import Binding

    from platui.present.chrome import Pieces
    from platui.ui.widgets.log_position import Spot

SOON: Final = 0.25
"""Seconds for which what a filter replaces may stay in sight: what it finds comes at once then."""

_NOT: Final = "!"
_HINTS: Final = (
    KeyHint("enter", "keep the filter"),
    KeyHint("!word", "leaves out"),
    KeyHint("tab", "plain or regex"),
    KeyHint("↑", "the one before"),
    KeyHint("esc", "as before"),
)


class FilteredText(HuntingText):
    """A text that can be filtered, also while it grows."""

    BINDINGS = [
        bind("ampersand", "text.filter", "Filter", "Show matching lines alone; !word: others"),
        bind(
            "greater_than_sign",
            "text.more_context",
            "More context",
            "Filter: a line more around each, up to 5",
            action="context(1)",
        ),
        bind(
            "less_than_sign",
            "text.less_context",
            "Less context",
            "Filter: a line less around each",
            action="context(-1)",
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._around = 0
        self._shown: Hunt | None = None  # The filter whose lines are shown
        self._before: Spot | None = None  # Where the reader was before any filter
        self._is_early = False  # Whether lines are shown before those where one read were looked at
        self._unmoved: tuple[int, int] | None = None
        """What is in sight until a filter's lines are, which are to lie where one read before."""

    async def action_filter(self) -> None:
        """Ask which lines to show."""
        kept = self.hunt(FILTER)
        if kept is not None:
            self.is_regex = kept.query.is_regex
        text = "" if kept is None else _NOT * kept.inverse + kept.query.text
        await self.ask_for(FILTER, text, _HINTS)

    def action_context(self, by: int) -> None:
        """Show more lines around those that the filter shows, or fewer."""
        self._around = min(max(0, self._around + by), MOST_CONTEXT)
        if (hunt := self.hunt(FILTER)) is not None:
            self._select(hunt)
        self.show_where()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what there is nothing to be done with."""
        hunt = self.hunt(FILTER)
        if action == "context" and (hunt is None or hunt.inverse):
            return None
        return super().check_action(action, parameters)

    def clear_one(self) -> bool:
        """Show all lines again."""
        if self.hunt(FILTER) is None:
            return super().clear_one()
        self.begin(FILTER, None)
        return True

    def footer_label(self, binding: Binding) -> str:
        """Say that `esc` clears the filter before it goes back."""
        if binding.id == "place.up" and self.hunt(FILTER) is not None:
            return "clears filter"
        return super().footer_label(binding)

    def typed(self, sign: str, text: str) -> None:
        """Filter while typing."""
        if sign != FILTER:
            super().typed(sign, text)
            return
        wanted = text.removeprefix(_NOT)
        hunt = Hunt(SearchQuery(wanted, self.is_regex), inverse=wanted != text)
        if not hunt.is_like(self.hunt(FILTER)):
            self._unmoved = self.view.window
            self.begin(FILTER, hunt if wanted else None)
        self.tell_prompt()

    def cancelled(self, sign: str) -> None:
        """Be where one was, with the filter of then."""
        if sign == FILTER and self.hunt(sign) is not self.origin.hunt:
            self._unmoved = self.view.window
        super().cancelled(sign)

    def entered(self, sign: str, text: str) -> None:
        """Keep the filter."""
        if sign == FILTER:
            self.typed(sign, text)
            self._tell_nothing()
        else:
            super().entered(sign, text)

    def begin(self, sign: str, hunt: Hunt | None) -> None:
        """Filter by something else, or by nothing."""
        super().begin(sign, hunt)
        if sign == FILTER:
            self.footer_line.show_soon()
        if sign == FILTER and hunt is None:
            self._show_all()

    def begin_again(self, sign: str, hunt: Hunt) -> None:
        """Filter another text: the lines that were found are none of its."""
        if sign == FILTER:
            self._show_all()
        super().begin_again(sign, hunt)

    def found(self, sign: str, hunt: Hunt) -> None:
        """Show the lines found so far."""
        if sign == FILTER:
            self._select(hunt)
        super().found(sign, hunt)

    def shows(self, line: int) -> bool:
        """Return whether the filter lets a line be seen."""
        hunt = self._shown
        if hunt is None or hunt.state is None:
            return True
        return is_selected(
            hunt.state.lines, line, context=self._lines_around(hunt), inverse=hunt.inverse
        )

    def findings(self) -> Pieces:
        """Return what the text is filtered by, and how much is left of it."""
        hunt = self.hunt(FILTER)
        if hunt is None:
            return super().findings()
        total = 0 if hunt.document is None else hunt.document.line_count
        pieces = filter_pieces(
            hunt.query, hunt.state, total, hunt.error,
            inverse=hunt.inverse, context=self._lines_around(hunt),
        )  # fmt: skip
        return (*super().findings(), *pieces, ("  ", "text"))

    def _lines_around(self, hunt: Hunt) -> int:
        return 0 if hunt.inverse else self._around

    def _select(self, hunt: Hunt) -> None:
        """Show the lines found, as soon as those where one reads are among them."""
        if (state := hunt.state) is None:
            self._show_all()
            return
        if self._shown is not hunt:
            is_here = state.is_whole or searched_to(state) > self.view.window[1]
            if not is_here and monotonic() - hunt.begun < SOON:
                return
            self._is_early = not is_here
            if self._shown is None:
                self._before = self.view.position.spot
            self._shown = hunt
        with self._staying(again=self._is_early):
            self.view.select_lines(
                state.lines,
                context=self._lines_around(hunt),
                inverse=hunt.inverse,
                until=None if state.is_whole else searched_to(state),
            )
        self._is_early = self._is_early and not state.is_whole
        self._tell_nothing()

    def _tell_nothing(self) -> None:
        """Say in the view why no line is left."""
        hunt = self._shown
        words: tuple[str, ...] = ()
        if hunt is not None and hunt.state is not None and hunt.state.is_whole:
            words = ("Every line matches." if hunt.inverse else "No line matches.",)
        elif hunt is not None and hunt.state is not None:
            part = searched_to(hunt.state) / max(1, self.view.line_count)
            words = (f"Looking … {min(1.0, part):.0%}",)
        if words and not self.prompt.is_open:
            words += ("", "esc  clears the filter")
        self.view.words = words

    def _show_all(self) -> None:
        self._shown = None
        if self.is_whole:
            had_none = self.view.content.is_empty
            with self._staying():
                self.view.select_lines(None)
            if had_none and self._before is not None:
                self.view.position.go_back_to(self._before)
            self._before = None
            self._tell_nothing()

    @contextmanager
    def _staying(self, *, again: bool = False) -> Iterator[None]:
        """Stay where the reader was before typing; `again`: those lines may not be searched yet."""
        unmoved, self._unmoved = self._unmoved == self.view.window, None
        yield
        if unmoved:
            self.go_back()
            if again:
                self._unmoved = self.view.window
