"""A log from its feed, and which part of it has been drawn."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.models.values.log import LogDocument, LogState, LogUpdate
from platui.present.chrome import Age, Freshness, Piece, Pieces
from platui.present.counts import counted, lines_in_sight
from platui.present.logs.status import LogFacts
from platui.present.status import FAILED
from platui.present.times import span
from platui.ui.screens.logs.navigation import InitialPosition, NavigateErrors
from platui.ui.widgets import log_canvas
from platui.ui.widgets import log_scrollbar as log_edge
from platui.ui.widgets.log_position import FollowState

if TYPE_CHECKING:
    from platui.ui.screens.logs.command import CommandBody
    from platui.ui.screens.logs.log import LogBody
    from platui.ui.screens.logs.log_file import LogFileBody
    from platui.ui.screens.logs.many_logs import ManyLogsBody

LOG_SIGNS: Final = (
    *log_canvas.ERROR_SIGNS, *log_edge.ERROR_SIGNS, *log_canvas.SECTION_SIGNS,
    *log_canvas.SIGNS, *log_edge.SIGNS,
)  # fmt: skip
_SILENT_AFTER: Final = 20.0  # Seconds without output before the silence is shown
_FOLDED: Final = frozenset({"running", "success"})  # Job statuses whose finished sections fold


class GrowingLog:
    """The last update of a log, and the state drawn last."""

    def __init__(self, body: LogBody | LogFileBody | ManyLogsBody | CommandBody) -> None:
        self.update: LogUpdate | None = None
        self.was_current = False  # Whether the log was once loaded up to its end
        self.has_undrawn_update = False  # While the reader is scrolled back
        self.errors = body.host.controller(NavigateErrors)
        self._body = body
        self._opening = InitialPosition(body)
        self._resets = 0
        self._shown: tuple[object, ...] = ()  # The state drawn last, except growth
        self._shown_more = False  # Whether the counter of new lines was drawn
        self._failed_facts: tuple[LogDocument, int, LogFacts] | None = None  # With its bytes

    @property
    def document(self) -> LogDocument | None:
        return self.update.document if self.update is not None else None

    @property
    def is_tail(self) -> bool:
        """Return whether only the end is loaded, with its own line numbers."""
        return self.update is not None and self.update.is_tail

    @property
    def has_ended(self) -> bool:
        return self.update is not None and self.update.state is LogState.ENDED

    def forget(self) -> None:
        self.update, self._resets, self._failed_facts = None, 0, None
        self.errors.forget()
        self._opening.forget()

    def visit(self) -> None:
        """Go to the target of another route."""
        self._opening.visit()

    def take(self, update: LogUpdate) -> None:
        self._opening.prepare()
        self.update, body = update, self._body
        self._resets += update.reset
        body.error = update.error
        self._update_age(update)
        if body.is_whole:
            self._show(update)
        if names := update.document.disabled_rules:
            # The user's patterns that were disabled as too slow, once.
            from platui.service.logs.errors import slow_patterns  # noqa: PLC0415  (with own patterns only)

            if (problem := slow_patterns(names)) is not None:
                body.host.show_error(problem, once=True)
        self._opening.take(update)

    def _update_age(self, update: LogUpdate) -> None:
        body, now = self._body, self._body.service.clock.now()
        if update.state is LogState.ENDED:
            body.age = Age(Freshness.SETTLED, update.fetched_at)
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
        finished = update.job_status in _FOLDED
        view.content.set_folding(finished=finished, stays_open=self.was_current)
        self.was_current = self.was_current or update.is_current
        view.has_numbers = not update.is_tail
        view.show(update.document, ended=update.state is LogState.ENDED, shift=update.shift or None)
        if not self.is_scrolled_back:
            body.host.update_header()
            body.draw()
            return
        self.has_undrawn_update = True
        body.search_new_lines()
        if not self.needs_no_draw:
            body.show_where()  # only the counter of new lines changed

    @property
    def needs_no_draw(self) -> bool:
        """Return whether the reader is scrolled back, and sees that there is more."""
        return self.is_scrolled_back and self._shown_more == (
            self._body.view.position.follow.new_lines > 0
        )

    @property
    def is_scrolled_back(self) -> bool:
        """Return whether the reader has left the end, and only growth has happened since."""
        return (
            self._body.is_whole
            and self._body.view.position.follow.state is FollowState.PAUSED
            and self._shown == self._state
        )

    @property
    def _state(self) -> tuple[object, ...]:
        """Return the state to draw, except the parts that change by growth alone."""
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
        """Draw the next update in any case."""
        self._shown = ()

    def on_moved(self) -> None:
        """Find all errors, for the edge, once the reader has left the end."""
        self.errors.find_where_paused()

    def mark_drawn(self) -> None:
        self._shown, self._shown_more = self._state, self._body.view.position.follow.new_lines > 0

    def facts(self) -> LogFacts:
        """Return the counts of a log; of a failed job, also where it ended."""
        update = self.update
        if update is None or update.is_tail or not update.document.line_count:
            return LogFacts()
        document = update.document
        counts = LogFacts(
            document.line_count, document.error_count, more_errors=not document.has_all_errors
        )
        if not self.has_ended or update.job_status != FAILED:
            return counts
        known, size = self._failed_facts, document.size
        if known is None or known[:2] != (document, size):
            known = self._failed_facts = (document, size, _failure_facts(document))
        return known[2]._replace(lines=counts.lines, errors=counts.errors)

    def position(self) -> Pieces:
        return (*self._lines(), *self.errors.position())

    def _lines(self) -> Pieces:
        update, view = self.update, self._body.view
        # The view's own count: it is updated less often than the log.
        total = view.content.lines
        if update is None or total == 0:
            return ()
        if update.is_tail:
            read = f" · {update.progress:.0%} loaded" if update.progress < 1 else ""
            return ((" end of the log", "muted"), (read, "muted"))
        first, last = view.position.lines
        if not last:
            lines = " no visible line"
        else:
            lines = f" {lines_in_sight(first, last, total)}"
            folded = last - first - len(view.position.lines_in_sight)
            if view.folds.can_fold and folded > 0:
                # The range includes them.
                lines += f", {folded:,} folded"
        pieces = [(lines, "muted"), ("  ", "text"), *self._follow_state(update)]
        if self._resets:
            pieces.append(("  the log was rewritten", "warning"))
        return tuple(pieces)

    def _follow_state(self, update: LogUpdate) -> list[Piece]:
        pieces: list[Piece] = []
        follow = self._body.view.position.follow
        if update.state is LogState.ENDED:
            pieces += self._body.ended(update)
        elif follow.is_following:
            reads = self._body.SHOWS_READING and update.error is None and not self.was_current
            pieces.append(("reading", "running") if reads else ("following", "success"))
        elif follow.new_lines:
            # The number is updated at the next key only.
            words = f"at least {counted(follow.new_lines, 'new line')} below"
            pieces += [(words, "accent"), ("  G", "key"), (" resumes", "muted")]
        else:
            pieces += [("paused", "warning"), ("  G", "key"), (" resumes", "muted")]
        if update.last_growth is not None and update.state is LogState.FOLLOWING:
            pieces += self._silence(update, update.last_growth)
        return pieces

    def _silence(self, update: LogUpdate, last_growth: datetime) -> list[Piece]:
        """Return the time since the last output, or until the next poll."""
        now = self._body.service.clock.now()
        quiet = (now - last_growth).total_seconds()
        if quiet < _SILENT_AFTER:
            return []
        if update.next_poll is None or self._body.feeds.held:
            return [(f"  last bytes {span(quiet)} ago", "warning")]
        left = (update.next_poll - now).total_seconds()
        if left < -_SILENT_AFTER:
            return [(f"  last bytes {span(quiet)} ago", "warning")]
        words = f"  next poll in {span(left)}" if left > 0 else "  polling"
        return [(words, "muted")]


def _failure_facts(document: LogDocument) -> LogFacts:
    from platui.service.logs.errors import exit_code, failure_in  # noqa: PLC0415  (for a failure)

    sections = failure_in(document).sections
    if not sections:
        return LogFacts(exit_code=exit_code(document))
    section = document.sections[sections[-1]]
    return LogFacts(exit_code=exit_code(document), section=section.name, seconds=section.seconds)
