"""The log widget: shows a document of any size; only visible lines are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.geometry import Region
from textual.reactive import var

from platui.models.values.log import EmptyLog, LogDocument
from platui.present.logs.text import Stamps
from platui.ui.active_keys import bind
from platui.ui.controller import Controller, key_bindings
from platui.ui.widgets.log_content import FilterResult, LogContent
from platui.ui.widgets.log_folds import LogFolds
from platui.ui.widgets.log_keys import LogKeys
from platui.ui.widgets.log_painter import LogPainter
from platui.ui.widgets.log_position import LogPosition
from platui.ui.widgets.log_seeker import LogSeeker
from platui.ui.widgets.log_selection import LogSelection
from platui.ui.widgets.log_text import widest
from platui.ui.widgets.log_updates import LogUpdates
from platui.ui.widgets.log_window import LogWindow
from platui.ui.widgets.scrolling import ScrolledView, cropped, move_keys, refresh_changed, side_keys
from platui.ui.widgets.view_messages import LatestMessage

if TYPE_CHECKING:
    from textual import events
    from textual.strip import Strip

    from platui.models.values.search import TextPattern

_LEFT: Final = 1  # Mouse button


class LogView(ScrolledView):
    """Shows a log; scrolling up pauses following, `G` resumes it. Lines are counted from 0."""

    DEFAULT_CSS = "LogView { width: 1fr; height: 1fr; }"
    CONTROLLERS: ClassVar[tuple[type[Controller[Any]], ...]] = (LogKeys,)
    FRAME: ClassVar[float] = 0.1  # Minimum seconds between two frames of a growing log

    BINDINGS = [
        *move_keys("log", "line", but={"up", "end"}),
        bind("up,k", "log.up", "Up", "Move up one line and pause following", action="move(-1)"),
        bind("G,end", "log.end", "End", "Go to the end and follow"),
        *side_keys("log"),
        *key_bindings(CONTROLLERS),
    ]

    line_numbers: var[bool] = var(False)
    has_numbers: var[bool] = var(True)  # Whether line numbers are those of the original text
    wraps: var[bool] = var(False)
    stamps: var[Stamps] = var(Stamps.NONE)  # The time shown before each line
    utc: var[bool] = var(False)  # Whether times are in UTC, else local
    empty_message: var[tuple[str, ...]] = var(())  # The message when a filter shows no lines

    class FollowRequested(LatestMessage):
        """The user follows an ended log."""

    class WindowChanged(LatestMessage):
        """The visible lines, the selection, the number of lines or the follow state changed."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002  (as every widget calls it)
        is_log: bool = True,
    ) -> None:
        super().__init__(id=id)
        self.is_log = is_log  # Else a document: without times and sections, and it never grows
        self.can_follow_ended = False  # Whether an ended log may grow again, as a file may
        self.content = LogContent()
        self.window = LogWindow(self.content)
        self.seeker = LogSeeker(self)
        self.position = LogPosition(self)
        self.folds = LogFolds(self)
        self.selection = LogSelection(self)
        self._painter = LogPainter(self)
        self._updates = LogUpdates(self)
        self._keys = LogKeys(self)
        self._deferred: list[bool] | None = None
        """The `quiet` flags of deferred `settle` calls; None: not deferred."""

    @property
    def document(self) -> LogDocument | None:
        document = self.content.document
        return None if isinstance(document, EmptyLog) else document

    @property
    def view_state(self) -> tuple[object, ...]:
        """Return a value that changes when the user moves or changes the display."""
        folds = len(self.content.folded)
        return (
            *self.position.lines, self.position.focus, self.left, folds,
            self.wraps, self.stamps, self.line_numbers,
        )  # fmt: skip

    @property
    def room(self) -> int:
        return self.window.room

    def widest(self, most: int) -> int:
        return widest(map(self.window.text, self.position.lines_in_sight), most)

    def show(self, document: LogDocument, *, ended: bool, shift: int | None = None) -> None:
        """Show a document at its end, or its growth; `shift`: lines added before the shown ones."""
        is_known = document is self.content.document
        if is_known and not ended and self.position.follow.is_following:
            self.grew()
            return
        if not is_known:
            here, selected = self.position.bookmark, self.selection.ends
            self._begin(document)
            if shift is not None:
                self.position.continue_from(here, shift)
                if selected is not None:
                    self.selection.ends = selected[0] + shift, selected[1] + shift
        self._updates.take_growth()
        if ended:
            self.position.end()
        else:
            self.position.reopen()
        self.settle(quiet=True)

    def grew(self) -> None:
        self._updates.grew()

    def renew(self) -> None:
        self._updates.take_growth()
        self.settle()

    def clear(self) -> None:
        self._begin(EmptyLog())
        self.settle()

    def _begin(self, document: LogDocument) -> None:
        self.window.show(document)
        self.position.reset()
        self.selection.ends = None

    def highlight(self, pattern: TextPattern | None) -> None:
        if pattern is not self.content.pattern:
            self.content.pattern = pattern
            self.settle(quiet=True)

    def mark_hits(self, lines: Sequence[int]) -> None:
        """Mark search hits in the scrollbar; call again when the same sequence has grown."""
        differs = bool(lines or self.content.hits)
        self.content.hits = lines
        if differs:
            self.settle(quiet=True)

    def filter_lines(self, filter_result: FilterResult | None) -> None:
        """Show the lines of a filter; None: all lines."""
        goes_on = filter_result is not None and filter_result.extends(self.content.filter_result)
        if goes_on:
            self.content.apply_filter(filter_result)
        else:
            self.position.keep_position(lambda: self.content.apply_filter(filter_result))
        self._updates.take_growth()
        self.settle(quiet=goes_on)

    def page(self, rows: int) -> None:
        self.action_move(rows)
        self._updates.paint_later(partial(self._painter.paint_ahead, rows))

    def wheel(self, rows: int) -> None:
        self.position.move(rows)

    @property
    def _mover(self) -> LogPosition | LogSelection:
        return self.position if self.selection.ends is None else self.selection

    def action_move(self, rows: int) -> None:
        self._mover.move(rows)

    def action_top(self) -> None:
        self._mover.go_to_first()

    def action_end(self) -> None:
        self._mover.go_to_last()

    def action_sideways(self, steps: int) -> None:
        self.seeker.stop()
        super().action_sideways(steps)

    async def action_run(self, command: str) -> None:
        await self._keys.run(command)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "run":
                return self._keys.check(str(parameters[0]))
            case "end" | "top" if not self.content.lines:
                return None
            case "sideways" if self.wraps:
                return None
            case _:
                return super().check_action(action, parameters)

    def on_click(self, event: events.Click) -> None:
        if event.button == _LEFT:
            event.stop()
            if event.x >= self.size.width - 1:
                self.position.go_to_mark(*self._painter.lines_at_edge(event.y))
            else:
                self._point_at(event.y)

    def _point_at(self, row: int) -> None:
        """Handle a click on a row: sticky header, selection, section or focus."""
        rows, sections = self.window.rows(), self.content.sections
        if row >= len(rows):
            return
        line = rows[row].line
        covering = self.window.sticky(rows)
        if covering is not None and row == 0:
            self.position.go_to(sections[covering].start)
        elif self.selection.ends is not None:
            self.selection.go_to(line)
        elif (at := sections.header_at(line)) is not None and self.folds.can_fold:
            self.position.focus_on(line)
            self.folds.toggle(at)
        else:
            self.position.focus_on(line)

    # Painting

    def on_mount(self) -> None:
        self.settle()

    def on_resize(self) -> None:
        self.settle()
        self.position.reveal_waiting()

    def watch_line_numbers(self) -> None:
        self.settle()

    watch_has_numbers = watch_wraps = watch_stamps = watch_utc = watch_empty_message = (
        watch_line_numbers
    )

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the strips without Textual's style cache."""
        if not self._painter.is_painted:
            self._painter.paint()
        # Not the newest state: the next painting is compared with what is on the screen.
        return cropped(self._painter.strips[crop.y : crop.bottom], crop, self.size.width)

    def render_line(self, y: int) -> Strip:
        return self.render_lines(Region(0, y, self.size.width, 1))[0]

    def forget_strips(self) -> None:
        self._painter.forget_strips()

    def settle(self, *, quiet: bool = False) -> None:
        """Update window, rows and messages; with `quiet`, only the document changed."""
        if self._deferred is not None:
            self._deferred.append(quiet)
            return
        if self.is_mounted and self.size.height > 0:
            painter = self._painter
            self.position.fit(partial(painter.fit, quiet=quiet))
            refresh_changed(self, painter.paint(), painter.strips)
            self._updates.read_on_later()
        if self.is_mounted:
            self._updates.post_messages()

    @contextmanager
    def settle_once(self) -> Iterator[None]:
        """Defer `settle` to the end of a block."""
        if self._deferred is not None:
            yield
            return
        calls: list[bool] = []
        self._deferred = calls
        try:
            yield
        finally:
            self._deferred = None
            if calls:
                self.settle(quiet=all(calls))
