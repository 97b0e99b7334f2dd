"""What a log view paints, and when: the window's rows, as few of them and as seldom as can be."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from textual.geometry import Region
from textual.reactive import var

from platui.models.values.log import error_at
from platui.present.logs.stamps import Stamps
from platui.present.times import duration
from platui.ui.pace import pace_of
from platui.ui.theming import palette_of
from platui.ui.widgets.follow import Follow, FollowState
from platui.ui.widgets.log_canvas import Head, LogCanvas, Looks, Mark, RowLook, digits_for
from platui.ui.widgets.log_edge import EdgeCell, Scale, edge_cells, row_cells
from platui.ui.widgets.log_window import LogWindow, Row, Top
from platui.ui.widgets.scrolling import ScrolledView, cropped, refresh_changed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.strip import Strip
    from textual.timer import Timer

    from platui.models.values.search import TextPattern

_RUNNING: Final = "…"
_BREATH: Final = 0.001  # Seconds between two parts of what is too much to be taken in at once
_SOON: Final = 0.015  # Seconds after a move in which its frame is on its way


class _Measured(NamedTuple):
    """What number column and edge are made for."""

    lines: int  # Lines of the document
    total: int  # Those that are shown
    last: int  # The first of them in the window at the end


class LogFrame(ScrolledView):
    """The painted side of a log view; what the reader does with it is the subclass's.

    While the reader is somewhere else, lines that arrive below change the counter and nothing
    on the screen: thumb and map, too, move only when the reader does.
    """

    FRAME: ClassVar[float] = 0.1  # Seconds between two paintings of a log that grows, at the least

    line_numbers: var[bool] = var(False)  # Whether every line has its number before it

    has_numbers: var[bool] = var(True)
    """Whether the lines of the document are numbered as those of the text it is of."""

    wraps: var[bool] = var(False)  # Whether long lines go on below, rather than at the side

    stamps: var[Stamps] = var(Stamps.NONE)
    """Which time stands before each line, where lines have one."""

    utc: var[bool] = var(False)  # Whether times of day are those of UTC, or of this machine's zone

    words: var[tuple[str, ...]] = var(())
    """Lines in the middle of a view in which no line of the document is left."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (as every widget calls it)
        super().__init__(id=id)
        self._window = LogWindow()
        self._follow = Follow()
        self._seen = 0  # lines that were there when the reader let go, or came into sight since
        self._at_end = True  # whether a log that has ended is shown at its end
        self._pattern: TextPattern | None = None
        self._hits: Sequence[int] = ()
        self._measured = _Measured(0, 0, 0)
        self._canvas: LogCanvas | None = None
        self._rows: Sequence[Row] = []
        self._strips: list[Strip] = []
        self._frame: Timer | None = None
        self._rest: Timer | None = None
        self._foresight: Timer | None = None
        self._next_turn: Timer | None = None
        self._is_behind = False
        self._held: list[bool] | None = None
        """Whether each settling that waits is a quiet one; None where none has to wait."""

    def mark_of(self, line: int) -> Mark:
        """Return whether a line is one of those that the reader has chosen."""
        raise NotImplementedError

    def announce(self) -> None:
        """Tell what has changed."""
        raise NotImplementedError

    # Growth

    def grew(self) -> None:
        """Take in new lines or a longer last one; what comes before `FRAME` is painted later."""
        if self._frame is not None:
            self._is_behind = True
            return
        self._catch_up()
        if self.FRAME and self.is_mounted:
            pause = max(self.FRAME, pace_of(self.app).frame)
            self._frame = self.set_timer(pause, self._next_frame)

    def _next_frame(self) -> None:
        self._frame = None
        if self._is_behind:
            self._is_behind = False
            self.grew()

    def _catch_up(self) -> None:
        self._take_growth()
        self.settle(quiet=True)

    def _take_growth(self) -> None:
        if not self._window.grow() and self.is_mounted and self._rest is None:
            # A key that came meanwhile goes first.
            self._rest = self.set_timer(_BREATH, self._take_rest)

    def _take_rest(self) -> None:
        self._rest = None
        self._catch_up()

    # Painting

    def on_mount(self) -> None:
        """Say what there is to say about a document that came before."""
        self.settle()

    def on_resize(self) -> None:
        """Fit the window to the new size."""
        self.settle()

    def watch_line_numbers(self) -> None:
        """Paint what looks different now."""
        self.settle()

    watch_has_numbers = watch_wraps = watch_stamps = watch_utc = watch_words = watch_line_numbers

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return strips past Textual's cache of styles: these lines have their own."""
        canvas = self._canvas_now()
        if canvas is not self._canvas or len(self._strips) != self.size.height:
            canvas = self._paint()
        # Otherwise as painted last, even where the document has grown since: what is on
        # the screen must be what the next painting is compared with.
        return cropped(self._strips[crop.y : crop.bottom], crop, canvas.looks.width)

    def render_line(self, y: int) -> Strip:
        """Return the strip of one line."""
        return self.render_lines(Region(0, y, self.size.width, 1))[0]

    def settle(self, *, quiet: bool = False) -> None:
        """Bring the window to where it belongs, paint what differs, and post what changed.

        Quiet: only the document changed, so that a reader who is elsewhere must not see a change.
        """
        if self._held is not None:
            self._held.append(quiet)
            return
        if self.is_mounted and self.size.height > 0:
            self._place(quiet=quiet)
            before, canvas = self._strips, self._canvas
            width = self.size.width
            known = canvas is not None and canvas.looks.width == width
            self._paint()
            refresh_changed(self, before if known else (), self._strips)
            if self._window.turn.was_used and self._next_turn is None:
                # A key that came meanwhile goes first.
                self._next_turn = self.set_timer(_BREATH, self._take_turn)
        self.announce()

    def _take_turn(self) -> None:
        self._next_turn = None
        has_more = self._window.turn.was_short
        self._window.turn.begin()
        if has_more:
            self.read_on()

    def read_on(self) -> None:
        """Go on with long lines, for which there was no time."""
        self.settle(quiet=True)

    @contextmanager
    def settling_once(self) -> Iterator[None]:
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

    def _place(self, *, quiet: bool) -> None:
        window, height = self._window, self.size.height
        paused = self._follow.state is FollowState.PAUSED
        is_held = quiet and paused and len(self._rows) == height
        if not is_held:
            self._measured = self._measured._replace(lines=window.lines)
        window.fit(height, self._looks().room, wraps=self.wraps)
        ended = self._follow.state is FollowState.ENDED
        last = window.last_top
        if self._follow.sticks or (ended and self._at_end) or window.top > last:
            window.top = last
        rows = window.rows()
        bottom = rows[-1].line + 1 if rows else 0
        self._seen = window.lines if self._follow.sticks else max(self._seen, bottom)
        count = window.shown.count
        self._follow = self._follow.counted(count - window.shown.place(self._seen))
        if not is_held:
            self._measured = _Measured(window.lines, count, last.place)

    def _paint(self) -> LogCanvas:
        canvas = self._canvas = self._canvas_now()
        self._rows, strips = self._picture(canvas)
        self._strips = strips + [canvas.blank] * (self.size.height - len(strips))
        if not strips and self._window.lines:
            above = max(0, (self.size.height - len(self.words)) // 2)
            said = [canvas.sentence(words) for words in self.words]
            self._strips[above : above + len(said)] = said[: self.size.height]
        return canvas

    def _picture(self, canvas: LogCanvas) -> tuple[Sequence[Row], list[Strip]]:
        window = self._window
        rows = window.rows()
        edge = self._edge(rows)
        looks = [self._look(row, cell) for row, cell in zip(rows, edge, strict=False)]
        if (at := window.sticky(rows)) is not None:
            looks[0] = self._sticky(at, edge[0])
        return rows, [canvas.strip(look) for look in looks]

    def foresee(self, rows: int) -> None:
        """Paint what another move by so many rows would show, once nobody waits."""
        if self._foresight is not None:
            self._foresight.stop()
        self._foresight = self.set_timer(_SOON, partial(self._paint_ahead, rows))

    def _paint_ahead(self, rows: int) -> None:
        self._foresight = None
        window = self._window
        top = window.top
        window.top = window.step(top, rows)
        try:
            self._picture(self._canvas_now())
        finally:
            window.top = top

    @property
    def _scale(self) -> Scale:
        return Scale(self.size.height, self._measured.total, self._measured.last)

    def _edge(self, rows: Sequence[Row]) -> list[EdgeCell]:
        window = self._window
        errors, hits = window.errors, self._hits
        if not window.is_even and window.last_top == Top(0):
            # All of it is in sight: marks stand beside their lines, which take several rows.
            return row_cells(rows, self.size.height, window.shown, errors, hits)
        return edge_cells(self._scale, window.top.place, window.shown, errors, hits)

    def _look(self, row: Row, edge: EdgeCell) -> RowLook:
        window, line = self._window, row.line
        if window.is_break(row):
            return RowLook(line, None, -1, 0, Mark.NONE, False, None, edge,
                           left_out=window.left_out_below(line))  # fmt: skip
        at = window.sections.header_at(line)
        head = None if at is None else self._head(at)
        is_last = line == window.lines - 1
        return RowLook(
            line,
            None if head is not None else window.part(row),
            # Only the last line may still change: all others are painted once.
            window.document.version if is_last else -1,
            0 if head is not None or self.wraps else self._left,
            self.mark_of(line),
            error_at(window.errors, line) is not None,
            head,
            edge,
            is_aside=window.is_aside(line),
        )

    def _head(self, at: int) -> Head:
        window = self._window
        section = window.sections[at]
        folded = window.choice is None and window.is_folded(at)
        hidden = window.hidden_below(section.start) if folded else 0
        return Head(folded, section.depth, hidden, self._duration(at))

    def _sticky(self, at: int, edge: EdgeCell) -> RowLook:
        section = self._window.sections[at]
        head = Head(False, section.depth, 0, self._duration(at), sticky=True)
        return RowLook(section.start, None, -1, 0, Mark.NONE, False, head, edge)

    def _duration(self, at: int) -> str:
        section = self._window.sections[at]
        if section.seconds is not None:
            return duration(section.seconds)
        runs = section.end is None and self._follow.state is not FollowState.ENDED
        return _RUNNING if runs else ""

    def _since(self, line: int) -> float | None:
        """Return when the section of a line began, or the log for those in none."""
        window = self._window
        at = window.sections.at(line)
        if at is None:
            return window.document.stamp(0)
        section = window.sections[at]
        began = window.document.stamp(section.start)
        return section.started if began is None else began

    def _looks(self) -> Looks:
        stamped = self._window.document.is_stamped
        return Looks(
            self.size.width,
            digits_for(self._measured.lines) if self.line_numbers and self.has_numbers else 0,
            self.stamps if stamped else Stamps.NONE,
            self.utc,
            self._pattern,
            palette_of(self.app),
            tuple(self.get_line_filters()),
            self.background_colors[1],
        )

    def _canvas_now(self) -> LogCanvas:
        looks, known = self._looks(), self._canvas
        document = self._window.document
        if known is not None and known.document is document and known.looks == looks:
            return known
        return LogCanvas(document, self._window.text, looks, self._since)

    @property
    def _is_at_last_top(self) -> bool:
        return self._window.top >= self._window.last_top
