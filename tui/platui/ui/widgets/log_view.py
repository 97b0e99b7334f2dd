"""The log widget: a window over a document of any size; only lines in sight are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from textual.reactive import var

from platui.models.values.log import NoLog
from platui.ui.keys_in_use import bind
from platui.ui.messages import Told
from platui.ui.widgets.follow import Follow, FollowState
from platui.ui.widgets.log_selection import LogSelection
from platui.ui.widgets.log_window import Choice
from platui.ui.widgets.moves import move_keys, side_keys
from platui.ui.widgets.view_messages import LatestMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from platui.models.values.log import LogDocument
    from platui.models.values.search import TextPattern

_LEFT: Final = 1  # The mouse button that points
_BEFORE: Final = "Go to the header of a section before"
_NEXT: Final = "Go to the header of the next section"


class LogView(LogSelection):
    """Shows a log; any scroll upwards pauses following, `G` resumes it. Lines count from 0."""

    DEFAULT_CSS = "LogView { width: 1fr; height: 1fr; }"

    BINDINGS = [
        *move_keys("log", "line", but={"up", "end"}),
        bind("up,k", "log.up", "Up", "Go one line up and stop following", action="move(-1)"),
        bind("G,end", "log.end", "End", "Go to the end and follow it"),
        *side_keys("log"),
        bind("circumflex_accent", "log.side_starts", "Line start", "Show where lines begin"),
        bind("dollar_sign", "log.side_ends", "Line end", "Show where lines end"),
        bind("f", "log.follow", "Follow", "Follow the end of the log, or pause"),
        bind("number_sign", "log.numbers", "Numbers", "Show or hide line numbers"),
        bind("w", "log.wrap", "Wrap", "Wrap long lines, or cut them off"),
        bind("t", "log.stamps", "Times", "Times: of day, since section, none"),
        bind("z", "log.fold", "Fold", "Fold or open the section you are in"),
        bind("Z", "log.fold_all", "Fold all", "Open all sections, or fold them all"),
        bind(
            "left_curly_bracket",
            "log.previous_section",
            "Section before",
            _BEFORE,
            action="section(-1)",
        ),
        bind("right_curly_bracket", "log.next_section", "Next section", _NEXT, action="section(1)"),
        bind("space", "log.select", "Choose lines", "Choose lines by moving; again: none"),
        bind("escape", "log.end_selection", "Unchoose", "Have no lines chosen"),
    ]

    new_lines: var[int] = var(0)
    """Lines that came while the reader was elsewhere and are still below."""

    @dataclass
    class FollowChanged(LatestMessage):
        """The view follows, has let go, or the log has ended; or the counter changed."""

        follow: Follow

    class GoingOn(LatestMessage):
        """What has ended is to be followed all the same."""

    class WindowChanged(LatestMessage):
        """Other lines are in sight or chosen, or there are more of them in all."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self.can_go_on = False
        """Whether what has ended can be followed all the same: a file may still grow."""
        self._said: Follow | None = None
        self._said_window: tuple[object, ...] = ()
        self._said_keys: tuple[object, ...] = ()

    # What it shows

    @property
    def document(self) -> LogDocument | None:
        """Return the document on show."""
        document = self._window.document
        return None if isinstance(document, NoLog) else document

    @property
    def follow(self) -> Follow:
        """Return whether the end is followed, and how many new lines are unseen."""
        return self._follow

    @property
    def left(self) -> int:
        """Return how many cells of each line are out of sight on the left."""
        return self._left

    @property
    def line_count(self) -> int:
        """Return how many lines the document had when it was last looked at."""
        return self._window.lines

    def set_folding(self, *, finished: bool, stays_open: bool) -> None:
        """Decide which sections start folded: those that have ended; none that comes now."""
        self._window.folds_finished, self._window.stays_open = finished, stays_open

    def show(self, document: LogDocument, *, ended: bool, shift: int | None = None) -> None:
        """Show a document at its end, or take in what happened to the one on show.

        Sections that ask for it start folded. Where another document holds the one on show,
        `shift` is how many lines it has before that: a reader goes on at the same line.
        """
        if document is self._window.document and not ended and self._follow.sticks:
            self.grew()
            return
        if document is not self._window.document:
            here, chosen = self.spot, self._chosen
            self._begin(document)
            if shift is not None:
                self.go_on_from(here, shift)
                self.shift_selection(chosen, shift)
        self._take_growth()
        if ended:
            if self._follow.state is not FollowState.ENDED:
                self._at_end = self._follow.sticks
                self._seen = max(self._seen, self._window.lines if self._at_end else 0)
            self._follow = self._follow.end()
        else:
            self._follow = self._follow.reopen(at_end=self._at_end)
        self.settle(quiet=True)

    def renew(self) -> None:
        """Show what is known of the document by now: whoever is elsewhere asked for it."""
        self._take_growth()
        self.settle()

    def clear(self) -> None:
        """Show no document at all."""
        self._begin(NoLog())
        self.settle()

    def _begin(self, document: LogDocument) -> None:
        self._window.show(document)
        self._follow = Follow()
        self._at_end = True
        self._left = self._seen = 0
        self._hits = ()
        self._focus = self._chosen = self._to_reveal = self._unread = None

    # What is marked, and what is shown

    def highlight(self, pattern: TextPattern | None) -> None:
        """Paint where a pattern is found in the lines in sight; nowhere with None."""
        if pattern is not self._pattern:
            self._pattern = pattern
            self.settle(quiet=True)

    def mark_hits(self, lines: Sequence[int]) -> None:
        """Mark lines at the right edge; called again where the same sequence has grown."""
        differs = bool(lines or self._hits)
        self._hits = lines
        if differs:
            self.settle(quiet=True)

    def select_lines(
        self,
        lines: Sequence[int] | None,
        *,
        context: int = 0,
        inverse: bool = False,
        until: int | None = None,
    ) -> None:
        """Show only some lines, or all of them again; folds are open meanwhile.

        `lines` ascend, and may be the same sequence as before, grown. Without `inverse`, so many
        lines of `context` around each are shown too; with it all others are, as far as `until`
        where not all were searched.
        """
        choice = None if lines is None else Choice(lines, context, inverse, until)
        goes_on = choice is not None and choice.goes_on_from(self._window.choice)
        if goes_on:
            self._window.choose(choice)
        else:
            self._keeping_place(lambda: self._window.choose(choice))
        self._take_growth()
        self.settle(quiet=goes_on)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what is of no use now."""
        match action:
            case "follow" | "end" | "top" | "numbers" if not self._window.lines:
                return None
            case "follow" if self._follow.state is FollowState.ENDED and not self.can_go_on:
                return False
            case "sideways" | "side_ends" | "side_starts" if self.wraps:
                return None
            case "fold" | "fold_all" | "section" if self._window.choice is not None:
                return None
            case "end_selection" if self.selection is None:
                return False
            case _:
                return super().check_action(action, parameters)

    def page(self, rows: int) -> None:
        """Move by rows, and have the next page ready."""
        self.action_move(rows)
        self.foresee(rows)

    def action_follow(self) -> None:
        """Let go of the end, or go to it and follow; go on with what had ended."""
        if self._follow.state is FollowState.ENDED:
            self.post_message(self.GoingOn(self))
        if self._follow.sticks:
            self._follow = self._follow.let_go()
            self.settle()
        else:
            self.action_end_selection()
            self.action_end()

    def action_sideways(self, steps: int) -> None:
        """Move the window to the side, not beyond the longest line in sight."""
        self._unread = None
        super().action_sideways(steps)

    def action_numbers(self) -> None:
        """Show or hide line numbers."""
        self.line_numbers = not self.line_numbers

    def action_wrap(self) -> None:
        """Wrap long lines, or cut them off and look at their ends by moving sideways."""
        focus = self.focus_in_sight
        self._left = 0
        self.wraps = not self.wraps
        if focus is not None and self._pattern is not None and not self._follow.sticks:
            # Of a long line that is where the hit is, and not where it begins.
            self.reveal(focus)

    def action_stamps(self) -> None:
        """Show the time of day before each line, or the time since its section began, or none."""
        if self._window.document.is_stamped:
            self.stamps = self.stamps.next
        else:
            self.post_message(Told("The runner put no times before these lines."))

    def action_fold(self) -> None:
        """Fold or open the section of the focus line, or of the first line in sight."""
        line, _ = self._read_at()
        if (at := self._window.sections.at(line)) is not None:
            self.toggle(at)
        else:
            self._tell_no_section("No section here.")

    def action_fold_all(self) -> None:
        """Fold or open all sections."""
        if self.has_folds:
            self._fold_all()
        else:
            self._tell_no_section()

    def _tell_no_section(self, words: str = "No sections in this log.") -> None:
        self.post_message(Told(words if self.has_folds else "No sections in this log."))

    def action_section(self, by: int) -> None:
        """Go to the next header of a section, or to the one before."""
        if (line := self._section_line(by)) is not None:
            self.reveal(line)
        elif not self.has_folds:
            self._tell_no_section()

    # Mouse

    def on_click(self, event: events.Click) -> None:
        """Go where the edge points, fold what a header names, or take a line in focus."""
        if event.button == _LEFT:
            event.stop()
            if event.x >= self.size.width - 1:
                self.go_by_edge(event.y)
            else:
                self.point_at(event.y)

    # Telling

    def announce(self) -> None:
        """Tell what has changed."""
        if not self.is_mounted:
            return
        window = (*self.outlook, self._window.lines, self.selection)
        if window != self._said_window:
            self._said_window = window
            self.post_message(self.WindowChanged(self))
        stamped = self._window.document.is_stamped
        keys = (
            self._follow.state, self.wraps, stamped, self.has_folds, self.selection is None,
            bool(self._window.lines),
        )  # fmt: skip
        if keys != self._said_keys:
            self._said_keys = keys
            self.refresh_bindings()
        if self._follow != self._said:
            self._said = self._follow
            self.new_lines = self._follow.new_lines
            self.post_message(self.FollowChanged(self, self._follow))
