"""The commands of a log view, apart from movement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.ui.controller import Controller, command
from platui.ui.messages import ShowHint
from platui.ui.widgets.log_position import FollowState

if TYPE_CHECKING:
    from platui.ui.widgets.log_view import LogView

_LINES: Final = frozenset({"log.follow", "log.numbers"})  # Need lines
_SIDE: Final = frozenset({"log.line_start", "log.line_end"})  # Need unwrapped lines
_FOLDS: Final = frozenset(
    {"log.fold", "log.fold_all", "log.previous_section", "log.next_section"}
)  # Not available with a filter
_OF_LOGS: Final = _FOLDS | {"log.follow", "log.times"}  # Hidden in other texts
_NO_SECTIONS: Final = "No sections in this log."
_NONE_IN_END: Final = "No sections in the end of this log: the rest is not loaded yet."


class LogKeys(Controller[Any]):
    """Follow, wrap, line numbers, times, sections, selection."""

    def __init__(self, view: LogView) -> None:
        super().__init__(None)
        self._view = view
        self._content = view.content

    def check(self, command: str) -> bool | None:
        """Return True for an enabled command, None for a disabled one, False for a hidden one."""
        view = self._view
        if command in _OF_LOGS and not view.is_log:
            return False
        if command in _LINES and not self._content.lines:
            return None
        if command in _SIDE and view.wraps:
            return None
        if command in _FOLDS and self._content.filter_result is not None:
            return None
        return command != "log.clear_selection" or view.selection.span is not None

    @command("circumflex_accent", "log.line_start", "Line start")
    def see_starts(self) -> None:
        """Scroll to the start of lines."""
        self._view.seeker.stop()
        self._view.left = 0
        self._view.settle()

    @command("dollar_sign", "log.line_end", "Line end")
    def see_ends(self) -> None:
        """Scroll to the end of lines."""
        self._view.seeker.see_ends()
        self._view.settle()

    @command("f", "log.follow", "Follow")
    def follow(self) -> None:
        """Follow the log, or pause."""
        view = self._view
        if view.position.follow.state is FollowState.ENDED:
            if not view.can_follow_ended:
                self._notify("Nothing to follow: this log has ended.")
                return
            view.post_message(view.FollowRequested(view))
        if view.position.follow.is_following:
            view.position.pause()
            view.settle()
        else:
            view.selection.end()
            view.position.go_to_last()

    @command("number_sign", "log.numbers", "Numbers")
    def number(self) -> None:
        """Show or hide line numbers."""
        self._view.line_numbers = not self._view.line_numbers

    @command("w", "log.wrap", "Wrap")
    def wrap(self) -> None:
        """Wrap or cut long lines."""
        view = self._view
        focus = view.position.focus_in_sight
        view.left = 0
        view.wraps = not view.wraps
        if (
            focus is not None
            and view.content.pattern is not None
            and not view.position.follow.is_following
        ):
            # Keep the hit visible, not the start of its line.
            view.position.reveal(focus)

    @command("t", "log.times", "Times")
    def stamp(self) -> None:
        """Show clock times, times since the section, or none."""
        if self._content.document.has_timestamps:
            self._view.stamps = self._view.stamps.next
        else:
            self._notify("The runner sent no timestamps for this log.")

    @command("z", "log.fold", "Fold")
    def fold(self) -> None:
        """Fold or unfold the current section."""
        line, _ = self._view.position.read_at()
        if (at := self._content.foldable_at(line)) is not None:
            self._view.folds.toggle(at)
        else:
            self._notify("No section here." if self._view.folds.can_fold else self._no_sections)

    @command("Z", "log.fold_all", "Fold all")
    def fold_all(self) -> None:
        """Fold or unfold all sections."""
        if self._view.folds.can_fold:
            sections = range(len(self._content.sections))
            self._view.folds.fold(() if self._content.folded else sections)
        else:
            self._notify(self._no_sections)

    @command("left_curly_bracket", "log.previous_section", "Previous section")
    def go_to_section_before(self) -> None:
        """Go to the previous section header."""
        self._go_to_section(-1)

    @command("right_curly_bracket", "log.next_section", "Next section")
    def go_to_next_section(self) -> None:
        """Go to the next section header."""
        self._go_to_section(1)

    def _go_to_section(self, by: int) -> None:
        if (line := self._view.folds.header(by)) is not None:
            self._view.position.reveal(line)
        elif self._view.folds.can_fold:
            self._notify(f"No section {'after' if by > 0 else 'before'} this one.")
        else:
            self._notify(self._no_sections)

    @command("space", "log.select", "Select lines")
    def select_lines(self) -> None:
        """Start or end a selection of lines."""
        self._view.selection.toggle()

    @command("escape", "log.clear_selection", "Deselect")
    def end_selection(self) -> None:
        """Clear the selection."""
        self._view.selection.end()

    @property
    def _no_sections(self) -> str:
        return _NO_SECTIONS if self._view.has_numbers else _NONE_IN_END

    def _notify(self, text: str) -> None:
        self._view.post_message(ShowHint(text))
