"""A log from its feed: it grows, is replaced, and ends; and which part has been shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.log import LogState
from platui.present.chrome import Age, Freshness
from platui.present.counts import counted, lines_in_sight
from platui.present.times import span
from platui.ui.screens.logs.error_navigation import ErrorNavigation
from platui.ui.widgets import log_canvas
from platui.ui.widgets import log_scrollbar as log_edge
from platui.ui.widgets.follow import FollowState

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.models.values.log import LogDocument, LogUpdate
    from platui.present.chrome import Piece, Pieces
    from platui.ui.screens.logs.text_body import TextBody

LOG_SIGNS: Final = (
    *log_canvas.ERROR_SIGNS, *log_edge.ERROR_SIGNS, *log_canvas.SECTION_SIGNS,
    *log_canvas.SIGNS, *log_edge.SIGNS,
)  # fmt: skip
"""The signs that the help of a log explains."""

_SILENT_AFTER: Final = 20.0
"""Seconds without a byte after which the line below shows how long the log is silent."""

_GREEN: Final = frozenset({"running", "success"})
"""Statuses of jobs whose finished sections are folded: the job succeeded, or runs."""


def _ended(update: LogUpdate) -> Pieces:
    """Return the state of a log to which nothing is added."""
    del update
    return (("ended", "muted"),)


class GrowingLog:
    """The last update of a log, and the state that the reader has been shown."""

    def __init__(
        self,
        body: TextBody,
        *,
        called: str = "this log",
        ended: Callable[[LogUpdate], Pieces] = _ended,
        shows_reading: bool = False,
    ) -> None:
        """Begin without an update.

        Args:
            body: The view of the log.
            called: How messages name the log.
            ended: Returns the state of a log to which nothing is added.
            shows_reading: Whether a log that is loaded for the first time shows `reading`
                instead of `following`.
        """
        self.update: LogUpdate | None = None
        self.was_current = False  # Whether the text on show has been there up to its end
        self.has_undrawn_update = False  # Whether an update was not drawn because the reader rests
        self.errors = ErrorNavigation(body, self, called)
        self._body = body
        self._ended = ended
        self._says_reading = shows_reading
        self._resets = 0
        self._shown: tuple[object, ...] = ()  # The state that was drawn last, except growth
        self._shown_more = False  # Whether the counter of new lines was drawn

    @property
    def document(self) -> LogDocument | None:
        return self.update.document if self.update is not None else None

    @property
    def is_tail(self) -> bool:
        return self.update is not None and self.update.is_tail

    @property
    def has_ended(self) -> bool:
        """Return whether nothing is added to it."""
        return self.update is not None and self.update.state is LogState.ENDED

    def forget(self) -> None:
        self.update, self._resets = None, 0
        self.errors.forget()

    def take(self, update: LogUpdate) -> None:
        self.update, body = update, self._body
        self._resets += update.reset
        body.error = update.error
        self._update_age(update)
        if body.is_whole:
            self._show(update)
        if names := update.document.disabled_rules:
            self.errors.report_slow_patterns(names)

    def _update_age(self, update: LogUpdate) -> None:
        body, now = self._body, self._body.service.clock.now()
        if update.state is LogState.ENDED:
            body.age = Age(Freshness.SETTLED, now)
        elif update.error is None and update.state is LogState.FOLLOWING:
            body.age = Age(Freshness.LIVE, now)
        elif update.error is not None and body.age.fetched_at is not None:
            body.age = Age(Freshness.STALE, body.age.fetched_at)
        elif update.error is not None:
            body.age = Age(Freshness.FAILED)

    def _show(self, update: LogUpdate) -> None:
        body, view = self._body, self._body.view
        if update.document is not view.document:
            self.was_current = False
        finished = update.job_status in _GREEN
        view.content.set_folding(finished=finished, stays_open=self.was_current)
        self.was_current = self.was_current or update.is_current
        view.has_numbers = not update.is_tail
        view.show(update.document, ended=update.state is LogState.ENDED, shift=update.shift or None)
        if not self.is_scrolled_back:
            body.host.update_header()
            body.draw()
            return
        self.has_undrawn_update = True
        body.searches.search_new_lines()
        if not self.needs_no_draw:
            body.show_where()  # nothing but the counter of new lines

    @property
    def needs_no_draw(self) -> bool:
        return self.is_scrolled_back and self._shown_more == (
            self._body.view.position.follow.new_lines > 0
        )

    @property
    def is_scrolled_back(self) -> bool:
        return (
            self._body.is_whole
            and self._body.view.position.follow.state is FollowState.PAUSED
            and self._shown == self._state
        )

    @property
    def _state(self) -> tuple[object, ...]:
        """Return the state to draw, without the parts that growth alone changes."""
        update, body = self.update, self._body
        service, follow = body.service, body.view.position.follow
        known = () if update is None else (
            update.state, update.job_status, update.error, update.is_tail
        )  # fmt: skip
        return (
            *known, self._resets, follow.state, body.view.view_state,
            body.route, body.host.size, body.feeds.held, service.line.value.state,
            service.budget.value.paused_until, service.writes_open_until.value,
        )  # fmt: skip

    def invalidate(self) -> None:
        self._shown = ()

    def on_moved(self) -> None:
        """Find all errors once the reader has left the end: the edge shows their positions."""
        self.errors.find_where_paused()

    def mark_drawn(self) -> None:
        self._shown, self._shown_more = self._state, self._body.view.position.follow.new_lines > 0

    def position(self) -> Pieces:
        """Return which lines are in sight, at which error one is, and whether one follows."""
        return (*self._lines(), *self.errors.position())

    def _lines(self) -> Pieces:
        update, view = self.update, self._body.view
        # The view's own count: of a log that grows fast it paints a few times a second.
        total = view.content.lines
        if update is None or total == 0:
            return ()
        if update.is_tail:
            read = f" {update.progress:.0%} of it is read" if update.progress < 1 else ""
            return ((" the end of the log", "muted"), (read, "muted"))
        first, last = view.position.lines
        if not last:
            lines = " no line is shown"
        else:
            lines = f" {lines_in_sight(first, last, total)}"
            folded = last - first - len(view.position.lines_in_sight)
            if view.folds.can_fold and folded > 0:
                # The range alone would count them as seen.
                lines += f", {folded:,} folded"
        pieces = [(lines, "muted"), ("  ", "text"), *self._follow_state(update)]
        if self._resets:
            pieces.append(("  the log was written anew", "warning"))
        return tuple(pieces)

    def _follow_state(self, update: LogUpdate) -> list[Piece]:
        """Return whether the end is followed, and whether anything comes."""
        pieces: list[Piece] = []
        follow = self._body.view.position.follow
        if update.state is LogState.ENDED:
            pieces += self._ended(update)
        elif follow.is_following:
            # The first load has not reached the end yet.
            reads = self._says_reading and update.error is None and not self.was_current
            pieces.append(("reading", "running") if reads else ("following", "success"))
        elif follow.new_lines:
            # More may have come since: the number is updated when the reader does something.
            words = f"at least {counted(follow.new_lines, 'new line')} below"
            pieces += [(words, "accent"), ("  G", "key"), (" resumes", "muted")]
        else:
            pieces += [("paused", "warning"), ("  G", "key"), (" resumes", "muted")]
        if update.last_growth is not None and update.state is LogState.FOLLOWING:
            pieces += self._silence(update, update.last_growth)
        return pieces

    def _silence(self, update: LogUpdate, last_growth: datetime) -> list[Piece]:
        """Return how long the log has been silent, or when it is polled next."""
        now = self._body.service.clock.now()
        quiet = (now - last_growth).total_seconds()
        if quiet < _SILENT_AFTER:
            return []
        if update.next_poll is None or self._body.feeds.held:
            return [(f"  last bytes {span(quiet)} ago", "warning")]
        left = (update.next_poll - now).total_seconds()
        if left < -_SILENT_AFTER:
            return [(f"  last bytes {span(quiet)} ago", "warning")]
        words = f"  looks again in {span(left)}" if left > 0 else "  looks again"
        return [(words, "muted")]
