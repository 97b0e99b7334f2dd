"""The one log widget: a window over a document of any size that goes with its end.

Only the lines in sight are asked for, and only those that look different are painted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from textual.geometry import Region
from textual.message import Message
from textual.reactive import var
from textual.widget import Widget

from platui.ui.theming import palette_of
from platui.ui.widgets.changes import changed_lines
from platui.ui.widgets.follow import Follow, FollowState
from platui.ui.widgets.log_canvas import LogCanvas, Looks, digits_for
from platui.ui.widgets.log_keys import BINDINGS
from platui.ui.widgets.thumb import thumb_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual import events
    from textual.binding import BindingType
    from textual.strip import Strip

    from platui.models.values.log import LogDocument
    from platui.models.values.search import TextPattern

_WHEEL_LINES: Final = 3
_SIDE_STEP: Final = 8


class LogView(Widget, can_focus=True):
    """Shows a log; any scroll upwards lets go of its end, `G` takes hold of it again.

    It paints the whole of its region: borders and padding belong on a container. While
    the reader is somewhere else, lines that arrive below change the counter and nothing
    on the screen: the thumb, too, moves only when the reader does.
    """

    DEFAULT_CSS = """
    LogView { width: 1fr; height: 1fr; }
    """

    ALLOW_SELECT: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    new_lines: var[int] = var(0)
    """Lines that came while the reader was elsewhere and are still below."""

    line_numbers: var[bool] = var(False)
    """Whether every line has its number before it."""

    @dataclass
    class FollowChanged(Message):
        """The view follows, has let go, or the log has ended; or the counter changed."""

        log_view: LogView
        follow: Follow

        @property
        def control(self) -> LogView:
            """Return the view, for `@on` with a selector."""
            return self.log_view

        def can_replace(self, message: Message) -> bool:
            """Return whether this one makes an earlier one pointless."""
            return isinstance(message, LogView.FollowChanged) and (
                message.log_view is self.log_view
            )

    @dataclass
    class WindowChanged(Message):
        """Other lines are in sight, or there are more of them in all."""

        log_view: LogView

        @property
        def control(self) -> LogView:
            """Return the view, for `@on` with a selector."""
            return self.log_view

        def can_replace(self, message: Message) -> bool:
            """Return whether this one makes an earlier one pointless."""
            return isinstance(message, LogView.WindowChanged) and (
                message.log_view is self.log_view
            )

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._document: LogDocument | None = None
        self._follow = Follow()
        self._count = 0  # lines, when it was last asked
        self._measured = 0  # lines that thumb and numbers are made for
        self._top = 0
        self._left = 0
        self._at_end = True  # whether a log that has ended is shown at its end
        self._canvas: LogCanvas | None = None
        self._strips: list[Strip] = []
        self._said: Follow | None = None
        self._said_window = (0, 0, 0)
        self._focus: int | None = None
        self._pattern: TextPattern | None = None
        self._hits: Sequence[int] = ()
        self._chosen: Sequence[int] | None = None
        self._folded: frozenset[int] = frozenset()

    # What it shows

    @property
    def document(self) -> LogDocument | None:
        """Return the document on show."""
        return self._document

    @property
    def follow(self) -> Follow:
        """Return whether the end is followed, and how many new lines are unseen."""
        return self._follow

    @property
    def top(self) -> int:
        """Return the number of the first line in sight, from 0."""
        return self._top

    @property
    def left(self) -> int:
        """Return how many cells of each line are out of sight on the left."""
        return self._left

    def show(self, document: LogDocument, *, ended: bool) -> None:
        """Show a document at its end, or take in what happened to the one on show.

        Args:
            document: the same as before, grown or not, or another one.
            ended: whether nothing more is to be expected.
        """
        if document is not self._document:
            self._document = document
            self._follow = Follow()
            self._top = self._left = 0
            self._at_end = True
            self._count = document.line_count
        self._take_growth()
        if ended:
            if self._follow.state is not FollowState.ENDED:
                self._at_end = self._follow.sticks
            self._follow = self._follow.end()
        else:
            self._follow = self._follow.reopen(at_end=self._at_end)
        self._settle(quiet=True)

    def clear(self) -> None:
        """Show no document at all."""
        self._document = None
        self._follow = Follow()
        self._top = self._left = self._count = self._measured = 0
        self._at_end = True
        self._settle()

    @property
    def window(self) -> tuple[int, int]:
        """Return the first line in sight and the one after the last, from 0."""
        return self._top, min(self._count, self._top + self.size.height)

    def grew(self) -> None:
        """Take in that the document on show has more lines, or a longer last one."""
        self._take_growth()
        self._settle(quiet=True)

    def go_to(self, line: int) -> None:
        """Put a line at the top of the view, as far as there are lines below it."""
        self._move(line)

    # What a search, an error or a command points at

    @property
    def top_line(self) -> int:
        """Return the number of the first line in sight, from 0."""
        return self._top

    @property
    def focus_line(self) -> int | None:
        """Return the line last jumped to or clicked, from 0."""
        return self._focus

    @property
    def selection(self) -> tuple[int, int] | None:
        """Return the lines chosen with `space`: the first, and the one after the last."""
        return None

    def end_selection(self) -> None:
        """Let go of the lines chosen, as when they have been copied."""

    def reveal(self, line: int) -> None:
        """Bring a line in sight, unfolded; let go of the end, and make it the focus line.

        A line that is in sight stays where it is, another one comes to stand a third from
        the top.
        """
        self._focus = line
        self._follow = self._follow.let_go()
        first, end = self.window
        self._move(self._top if first <= line < end else line - self.size.height // 3)

    def clear_focus(self) -> None:
        """Have no focus line."""
        self._focus = None

    def highlight(self, pattern: TextPattern | None) -> None:
        """Paint where a pattern is found in the lines in sight; nowhere with None."""
        self._pattern = pattern
        self._settle()

    def mark_hits(self, lines: Sequence[int]) -> None:
        """Mark lines at the right edge; called again where the same sequence has grown."""
        self._hits = lines
        self._settle()

    def select_lines(
        self,
        lines: Sequence[int] | None,
        *,
        context: int = 0,
        inverse: bool = False,
        until: int | None = None,
    ) -> None:
        """Show only some lines, or all of them again.

        Args:
            lines: those to show, ascending; may be the same sequence as before, grown.
            context: how many lines before and after each are shown too; none with `inverse`.
            inverse: show all the others instead.
            until: with `inverse`, the first line nobody has looked at yet; it and those
                after it are not shown. None where all were looked at.
        """
        del context, inverse, until
        self._chosen = lines
        self._settle()

    def set_folded(self, sections: Iterable[int]) -> None:
        """Fold exactly these sections, by their places in the document's list."""
        self._folded = frozenset(sections)
        self._settle()

    def fold_all_but(self, sections: Iterable[int]) -> None:
        """Fold every section but these, and those that they lie in."""
        count = 0 if self._document is None else len(self._document.sections)
        self.set_folded(set(range(count)) - set(sections))

    def _take_growth(self) -> None:
        count = 0 if self._document is None else self._document.line_count
        self._follow = self._follow.grew(count - self._count)
        self._count = count

    # Keys and mouse

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what follows where nothing more will come."""
        if action == "follow" and self._follow.state is FollowState.ENDED:
            return None
        return super().check_action(action, parameters)

    def action_scroll_by(self, lines: int) -> None:
        """Move the window by lines."""
        self._move(self._top + lines)

    def action_page(self, by: float) -> None:
        """Move the window by a part of its height; a whole page keeps one line in sight."""
        height = self.size.height
        lines = max(1, height - 1 if abs(by) >= 1 else int(height * abs(by)))
        self._move(self._top + (lines if by > 0 else -lines))

    def action_top(self) -> None:
        """Go to the first line."""
        self._move(0)

    def action_end(self) -> None:
        """Go to the last line, and follow if more is to come."""
        self._follow = self._follow.resume()
        self._move(self._last_top)

    def action_follow(self) -> None:
        """Let go of the end, or go to it and follow."""
        if self._follow.sticks:
            self._follow = self._follow.let_go()
            self._settle()
        else:
            self.action_end()

    def action_sideways(self, steps: int) -> None:
        """Move the window to the side, not beyond the longest line in sight."""
        left = self._left + steps * _SIDE_STEP
        if steps > 0:
            canvas = self._canvas_now()
            beyond = canvas.widest(self._top, self.size.height) - canvas.room
            left = min(left, max(self._left, beyond))
        self._left = max(0, left)
        self._settle()

    def action_numbers(self) -> None:
        """Show or hide line numbers."""
        self.line_numbers = not self.line_numbers

    def watch_line_numbers(self) -> None:
        """Paint with or without numbers."""
        self._settle()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll towards the end."""
        event.stop()
        self._move(self._top + _WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll towards the top."""
        event.stop()
        self._move(self._top - _WHEEL_LINES)

    @property
    def _last_top(self) -> int:
        """Return the top line at which the last one is in sight."""
        return max(0, self._count - self.size.height)

    def _move(self, top: int) -> None:
        top = min(max(top, 0), self._last_top)
        if top < self._top:
            self._follow = self._follow.let_go()
        self._top = top
        self._at_end = top == self._last_top
        self._settle()

    # Painting

    def on_mount(self) -> None:
        """Say what there is to say about a document that came before."""
        self._settle()

    def on_resize(self) -> None:
        """Fit the window to the new size."""
        self._settle()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips of a part of the view.

        Textual would go through a cache of styles here; these lines have their own.
        """
        canvas = self._canvas_now()
        if canvas is not self._canvas or len(self._strips) != self.size.height:
            canvas = self._paint()
        # Otherwise as painted last, even where the document has grown since: what is on
        # the screen must be what the next painting is compared with.
        strips = self._strips[crop.y : crop.bottom]
        if crop.x or crop.right != canvas.looks.width:
            strips = [strip.crop(crop.x, crop.right) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        """Return the strip of one line."""
        return self.render_lines(Region(0, y, self.size.width, 1))[0]

    def _settle(self, *, quiet: bool = False) -> None:
        """Bring the window to where it belongs, paint what differs, and tell.

        Args:
            quiet: nothing but the document changed, so that a reader who is elsewhere
                must not see a thing.
        """
        if self.is_mounted and self.size.height > 0:
            self._place(quiet=quiet)
            before, canvas = self._strips, self._canvas
            if self._paint() is not canvas or len(before) != len(self._strips):
                self.refresh()
            elif spans := changed_lines(before, self._strips):
                width = self.size.width
                self.refresh(*(Region(0, y, width, height) for y, height in spans))
        self._announce()

    def _place(self, *, quiet: bool) -> None:
        height = self.size.height
        ended = self._follow.state is FollowState.ENDED
        if self._follow.sticks or (ended and self._at_end):
            self._top = self._last_top
        self._top = min(self._top, self._last_top)
        self._follow = self._follow.saw(max(0, self._count - self._top - height))
        is_filled = self._measured >= self._top + height
        if not (quiet and is_filled and self._follow.state is FollowState.PAUSED):
            self._measured = self._count

    def _paint(self) -> LogCanvas:
        """Bring the strips up to date, on a new canvas where anything but lines changed."""
        canvas = self._canvas = self._canvas_now()
        height = self.size.height
        thumb = thumb_rows(height, self._top, self._measured)
        self._strips = canvas.lines(self._top, height, self._left, thumb)
        return canvas

    def _canvas_now(self) -> LogCanvas:
        looks = Looks(
            self.size.width,
            digits_for(self._measured) if self.line_numbers else 0,
            palette_of(self.app),
            tuple(self.get_line_filters()),
            self.background_colors[1],
        )
        known = self._canvas
        if known is not None and known.document is self._document and known.looks == looks:
            return known
        return LogCanvas(self._document, looks)

    def _announce(self) -> None:
        if not self.is_mounted:
            return
        if (window := (*self.window, self._count)) != self._said_window:
            self._said_window = window
            self.post_message(self.WindowChanged(self))
        if self._follow == self._said:
            return
        if self._said is None or self._said.state is not self._follow.state:
            self.refresh_bindings()
        self._said = self._follow
        self.new_lines = self._follow.new_lines
        self.post_message(self.FollowChanged(self, self._follow))
