"""The log widget: a window over a document of any size; only lines in sight are read."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.geometry import Region
from textual.reactive import var

from platui.models.values.log import EmptyLog
from platui.present.logs.stamps import Stamps
from platui.ui.active_keys import bind
from platui.ui.controller import key_bindings
from platui.ui.widgets.log_content import Choice, LogContent
from platui.ui.widgets.log_folds import LogFolds
from platui.ui.widgets.log_keys import LogKeys
from platui.ui.widgets.log_painter import LogPainter
from platui.ui.widgets.log_position import LogPosition
from platui.ui.widgets.log_seeker import LogSeeker
from platui.ui.widgets.log_selection import LogSelection
from platui.ui.widgets.log_updates import LogMessages, LogUpdates
from platui.ui.widgets.log_window import LogWindow
from platui.ui.widgets.movement_keys import move_keys, side_keys
from platui.ui.widgets.scrolling import ScrolledView, cropped, refresh_changed
from platui.ui.widgets.view_messages import LatestMessage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual import events
    from textual.strip import Strip

    from platui.models.values.log import LogDocument
    from platui.models.values.search import TextPattern
    from platui.ui.controller import Controller
    from platui.ui.widgets.follow import Follow

_LEFT: Final = 1  # The mouse button that points


class LogView(ScrolledView):
    """Shows a log; scrolling up pauses following, `G` resumes it. Lines count from 0."""

    DEFAULT_CSS = "LogView { width: 1fr; height: 1fr; }"
    CONTROLLERS: ClassVar[tuple[type[Controller[Any]], ...]] = (LogKeys,)
    FRAME: ClassVar[float] = 0.1  # Seconds between two paintings of a log that grows, at the least

    BINDINGS = [
        *move_keys("log", "line", but={"up", "end"}),
        bind("up,k", "log.up", "Up", "Go one line up and stop following", action="move(-1)"),
        bind("G,end", "log.end", "End", "Go to the end and follow it"),
        *side_keys("log"),
        *key_bindings(CONTROLLERS),
    ]

    line_numbers: var[bool] = var(False)  # Whether every line has its number before it

    has_numbers: var[bool] = var(True)
    """Whether the lines of the document are numbered as those of the text it is of."""

    wraps: var[bool] = var(False)  # Whether long lines go on below, rather than at the side

    stamps: var[Stamps] = var(Stamps.NONE)
    """Which time stands before each line, where lines have one."""

    utc: var[bool] = var(False)  # Whether times of day are those of UTC, or of this machine's zone

    words: var[tuple[str, ...]] = var(())
    """Lines in the middle of a view in which no line of the document is left."""

    new_lines: var[int] = var(0)
    """Lines that came while the reader was elsewhere and are still below."""

    @dataclass
    class FollowChanged(LatestMessage):
        """The view follows, has let go, or the log has ended; or the counter changed."""

        follow: Follow

    class FollowRequested(LatestMessage):
        """What has ended is to be followed all the same."""

    class WindowChanged(LatestMessage):
        """Other lines are in sight or chosen, or there are more of them in all."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self.can_follow_ended = False
        """Whether what has ended can be followed all the same: a file may still grow."""
        self.content = LogContent()
        self._window = window = LogWindow(self.content)
        self.seeker = LogSeeker(self, window)
        self.position = LogPosition(self, window, self.seeker)
        self.folds = LogFolds(self, window, self.position)
        self.selection = LogSelection(self, window, self.position)
        self._painter = LogPainter(self, window, self.position, self.selection)
        self._updates = LogUpdates(self, window)
        self._keys = LogKeys(self)
        self._held: list[bool] | None = None
        """Whether each settling that waits is a quiet one; None where none has to wait."""
        self._messages = LogMessages(self)

    # What it shows

    @property
    def document(self) -> LogDocument | None:
        document = self.content.document
        return None if isinstance(document, EmptyLog) else document

    @property
    def view_state(self) -> tuple[object, ...]:
        """Return what changes when the reader moves or looks at the text in another way."""
        folds = len(self.content.folded)
        return (
            *self.position.lines, self.position.focus, self.left, folds,
            self.wraps, self.stamps, self.line_numbers,
        )  # fmt: skip

    @property
    def room(self) -> int:
        return self._window.line_rows.room

    def widest(self, most: int) -> int:
        return self.seeker.widest(self.position.lines_in_sight, most)

    def show(self, document: LogDocument, *, ended: bool, shift: int | None = None) -> None:
        """Show a document at its end, or its growth; `shift`: its lines before those on show."""
        is_known = document is self.content.document
        if is_known and not ended and self.position.follow.is_following:
            self.grew()
            return
        if not is_known:
            here, chosen = self.position.spot, self.selection.ends
            self._begin(document)
            if shift is not None:
                self.position.go_on_from(here, shift)
                self.selection.shift(chosen, shift)
        self._updates.take_growth()
        if ended:
            self.position.end()
        else:
            self.position.reopen()
        self.settle(quiet=True)

    def grew(self) -> None:
        """Take in new lines or a longer last one; what comes before `FRAME` is painted later."""
        self._updates.grew()

    def renew(self) -> None:
        """Show what is known of the document by now: whoever is elsewhere asked for it."""
        self._updates.take_growth()
        self.settle()

    def clear(self) -> None:
        self._begin(EmptyLog())
        self.settle()

    def _begin(self, document: LogDocument) -> None:
        self._window.show(document)
        self.position.begin()
        self.selection.ends = None

    # What is marked, and which lines are shown

    def highlight(self, pattern: TextPattern | None) -> None:
        """Paint where a pattern is found in the lines in sight; nowhere with None."""
        if pattern is not self.content.pattern:
            self.content.pattern = pattern
            self.settle(quiet=True)

    def mark_hits(self, lines: Sequence[int]) -> None:
        """Mark lines at the right edge; called again where the same sequence has grown."""
        differs = bool(lines or self.content.hits)
        self.content.hits = lines
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

        `lines` ascend, and may be the same sequence, grown. `context` lines around each are shown,
        with `inverse` all others, as far as `until`.
        """
        choice = None if lines is None else Choice(lines, context, inverse, until)
        goes_on = choice is not None and choice.extends(self.content.choice)
        if goes_on:
            self.content.choose(choice)
        else:
            self.position.keep(lambda: self.content.choose(choice))
        self._updates.take_growth()
        self.settle(quiet=goes_on)

    # Moving

    def page(self, rows: int) -> None:
        self.action_move(rows)
        self._updates.paint_later(partial(self._painter.paint_ahead, rows))

    def wheel(self, rows: int) -> None:
        self.position.move(rows)

    # Keys and mouse

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
                self.position.go_to_mark(*self._painter.edge_part(event.y))
            else:
                self._point_at(event.y)

    def _point_at(self, row: int) -> None:
        """Go to the header that stays on a row, or do what a click on its line does."""
        rows, sections = self._window.rows(), self.content.sections
        if row >= len(rows):
            return
        line = rows[row].line
        covering = self._window.sticky(rows)
        if covering is not None and row == 0:
            self.position.go_to(sections[covering].start)
        elif self.selection.ends is not None:
            self.selection.go_to(line)
        elif (at := sections.header_at(line)) is not None and self.folds.can_fold:
            self.position.focus = line
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

    watch_has_numbers = watch_wraps = watch_stamps = watch_utc = watch_words = watch_line_numbers

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return strips past Textual's cache of styles: these lines have their own."""
        if not self._painter.is_painted:
            self._painter.paint()
        # Otherwise as painted last, even where the document has grown since: what is on
        # the screen must be what the next painting is compared with.
        return cropped(self._painter.strips[crop.y : crop.bottom], crop, self.size.width)

    def render_line(self, y: int) -> Strip:
        return self.render_lines(Region(0, y, self.size.width, 1))[0]

    def settle(self, *, quiet: bool = False) -> None:
        """Bring the window to where it belongs, paint what differs, and post what changed.

        Quiet: only the document changed, so that a reader who is elsewhere must not see a change.
        """
        if self._held is not None:
            self._held.append(quiet)
            return
        if self.is_mounted and self.size.height > 0:
            painter = self._painter
            self.position.fit(partial(painter.fit, quiet=quiet))
            refresh_changed(self, painter.paint(), painter.strips)
            self._updates.take_turns()
        if self.is_mounted:
            self._messages.post()

    @contextmanager
    def settle_once(self) -> Iterator[None]:
        """Settle at the end of a block what is done to the view in it, if anything is."""
        if self._held is not None:
            yield
            return
        held: list[bool] = []
        self._held = held
        try:
            yield
        finally:
            self._held = None
            if held:
                self.settle(quiet=all(held))
