"""A text that comes through a log feed: it grows, is held against its end, and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.models.values.log import LogState
from platui.present.chrome import Age, Freshness
from platui.present.counts import counted, lines_in_sight
from platui.present.times import span
from platui.ui.messages import Told
from platui.ui.screens.searching import SearchedText
from platui.ui.widgets.follow import FollowState

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.log import LogDocument, LogUpdate
    from platui.present.chrome import Piece, Pieces
    from platui.ui.screens.hunting import Hunt

ONLY_THE_END: Final = "Only the end of the log is there yet: a moment."

_SILENT_AFTER = 20.0  # Seconds without a byte after which the silence of what should grow is said

_GREEN = frozenset({"running", "success"})
"""Statuses of jobs whose finished sections are of little interest: what went well, or goes on."""


class GrowingText(SearchedText):
    """Follows one log feed; a subclass says which, and what stands around the text."""

    TEXT = "log"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._update: LogUpdate | None = None
        self._resets = 0
        self.was_current = False  # Whether the text on show has been there up to its end
        self._told: tuple[object, ...] = ()  # What was shown last, except growth
        self._told_more = False  # Whether they were told that lines came
        self._is_behind = False  # Whether something was not told because the reader rests

    def forget(self) -> None:
        """Drop the text of the place of before."""
        super().forget()
        self._update, self._resets = None, 0
        if self.is_whole:
            self.view.clear()

    @property
    def is_tail(self) -> bool:
        """Return whether only the end of the text is there yet, with numbers of its own."""
        return self._update is not None and self._update.is_tail

    def go_to_number(self, number: int) -> bool:
        """Show a line, counted from 1; not before all of them can be counted."""
        if self.is_tail:
            self.post_message(Told(ONLY_THE_END))
            return True
        return super().go_to_number(number)

    def _show(self, item: LogUpdate) -> None:
        self._update = update = item
        self._resets += update.reset
        self.error = update.error
        now = self.service.clock.now()
        if update.state is LogState.ENDED:
            self.age = Age(Freshness.SETTLED, now)
        elif update.error is None and update.state is LogState.FOLLOWING:
            self.age = Age(Freshness.LIVE, now)
        elif update.error is not None and self.age.fetched_at is not None:
            self.age = Age(Freshness.STALE, self.age.fetched_at)
        elif update.error is not None:
            self.age = Age(Freshness.FAILED)
        if not self.is_whole:
            return
        if update.document is not self.view.document:
            self.was_current = False
        finished = update.job_status in _GREEN
        self.view.content.set_folding(finished=finished, stays_open=self.was_current)
        self.was_current = self.was_current or update.is_current
        self.view.has_numbers = not update.is_tail
        self.view.show(
            update.document, ended=update.state is LogState.ENDED, shift=update.shift or None
        )
        if not self._reads_elsewhere:
            self.tell_header()
            self.draw()
            return
        self._is_behind = True
        self.look_further()
        if not self.rests:
            self.show_where()  # and no more than that lines have come

    @property
    def rests(self) -> bool:
        """Return whether the reader is elsewhere in what grows, and knows it.

        Then nothing is sent to the terminal before they do something, or something else than
        growth happens: neither counters nor times move.
        """
        return self._reads_elsewhere and self._told_more == (self.view.follow.new_lines > 0)

    @property
    def _reads_elsewhere(self) -> bool:
        """Return whether the reader is elsewhere, and nothing but growth has happened."""
        return (
            self.is_whole
            and self.view.follow.state is FollowState.PAUSED
            and self._told == self._telling
        )

    @property
    def _telling(self) -> tuple[object, ...]:
        """Return what there is to tell, but for what growth alone changes."""
        update, service = self._update, self.service
        known = () if update is None else (
            update.state, update.job_status, update.error, update.is_tail
        )  # fmt: skip
        follow = self.view.follow
        return (
            *known, self._resets, follow.state, self.view.outlook,
            self.place, self.size, self.feeds.held, service.line.value.state,
            service.budget.value.paused_until, service.writes_open_until.value,
        )  # fmt: skip

    def moved(self) -> None:
        """Show where one has come to, with what was not told before; no growth alone."""
        if not self._reads_elsewhere:
            self.catch_up()
        elif not self.rests:
            self.show_where()

    def catch_up(self) -> None:
        """Tell a reader who does something where they are, and what was not told before."""
        if self._is_behind and self.is_whole:
            self.tell_header()
            self.draw()
        else:
            super().catch_up()

    def move_ages(self) -> None:
        """Show times that have passed, unless one rests."""
        if not self.rests:
            super().move_ages()

    def tell_header(self) -> None:
        """Show freshness and budget, unless one rests and nothing counts down."""
        if self.header_line.counts_down or not self.rests:
            super().tell_header()

    def action_refresh(self) -> None:
        """Fetch again, and tell what came."""
        self._told = ()
        super().action_refresh()

    def tell_found(self, hunt: Hunt) -> None:
        """Say how far it has come; not that more of it has come while one rests."""
        if not (hunt.was_whole and self.rests):
            super().tell_found(hunt)

    def show_where(self) -> None:
        """Show the line below the text."""
        super().show_where()
        self._told, self._told_more = self._telling, self.view.follow.new_lines > 0

    def draw(self) -> None:
        """Show all there is to tell."""
        self._is_behind = False
        super().draw()

    def document(self) -> LogDocument | None:
        """Return the text as far as it came."""
        return self._update.document if self._update is not None else None

    def ended(self, update: LogUpdate) -> Pieces:
        """Return what is said of a text to which nothing is added."""
        del update
        return (("ended", "muted"),)

    def is_on_its_way(self, update: LogUpdate) -> bool:
        """Return whether much that was there before is still to come: the end is not the end."""
        del update
        return False

    def position(self) -> Pieces:
        """Return which lines are in sight, and whether the end is followed."""
        update = self._update
        # The view's own count: of a log that grows fast it paints a few times a second.
        total = self.view.line_count
        if update is None or total == 0:
            return ()
        if update.is_tail:
            read = f" {update.progress:.0%} of it is read" if update.progress < 1 else ""
            return ((" the end of the log", "muted"), (read, "muted"))
        first, last = self.view.window
        if not last:
            lines = " no line is shown"
        else:
            lines = f" {lines_in_sight(first, last, total)}"
            folded = last - first - len(self.view.lines_in_sight)
            if self.view.folds.can_fold and folded > 0:
                # The range alone would count them as seen.
                lines += f", {folded:,} folded"
        pieces = [(lines, "muted"), ("  ", "text"), *self._manner(update)]
        if self._resets:
            pieces.append(("  the log was written anew", "warning"))
        return tuple(pieces)

    def _manner(self, update: LogUpdate) -> list[Piece]:
        """Return whether the end is followed, and whether anything comes."""
        pieces: list[Piece] = []
        new = self.view.follow.new_lines
        if update.state is LogState.ENDED:
            pieces += self.ended(update)
        elif self.view.follow.sticks:
            reads = self.is_on_its_way(update)
            pieces.append(("reading", "running") if reads else ("following", "success"))
        elif new:
            # More may have come since: that is told when the reader does something.
            pieces += [(f"at least {counted(new, 'new line')} below", "accent"), ("  G", "key"),
                       (" resumes", "muted")]  # fmt: skip
        else:
            pieces += [("paused", "warning"), ("  G", "key"), (" resumes", "muted")]
        if update.last_growth is not None and update.state is LogState.FOLLOWING:
            pieces += self._silence(update, update.last_growth)
        return pieces

    def _silence(self, update: LogUpdate, last_growth: datetime) -> list[Piece]:
        """Return that nothing comes any more, or when it is looked whether something does."""
        now = self.service.clock.now()
        quiet = (now - last_growth).total_seconds()
        if quiet < _SILENT_AFTER:
            return []
        if update.next_look is None or self.feeds.held:
            return [(f"  last bytes {span(quiet)} ago", "warning")]
        left = (update.next_look - now).total_seconds()
        if left < -_SILENT_AFTER:
            return [(f"  last bytes {span(quiet)} ago", "warning")]
        words = f"  looks again in {span(left)}" if left > 0 else "  looks again"
        return [(words, "muted")]
