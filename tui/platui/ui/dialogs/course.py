"""How a write goes: waiting, sent, done, refused, unknown. Leaving it stops nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, overload

from textual.binding import Binding

from platui.models.values.write_states import Found, Looking, Outcome, Waiting
from platui.present.write_courses import (
    candidate_words,
    named,
    outcome_words,
    row_reason,
    row_words,
    state_words,
    tally,
)
from platui.present.write_questions import badge, where
from platui.ui.dialogs.passages import PassageDialog
from platui.ui.pace import pace_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType
    from textual.timer import Timer

    from platui.core.clock import Clock
    from platui.models.values.write_states import WriteState
    from platui.present.chrome import Piece, Pieces
    from platui.ui.course import WriteCourse


class _Rows(Sequence["Pieces"]):
    """What will happen to each, and how that stands; made as far as it is looked at."""

    def __init__(self, effects: Sequence[str], states: Sequence[WriteState | None]) -> None:
        self._effects = effects
        self._states = states

    def __len__(self) -> int:
        return len(self._effects)

    @overload
    def __getitem__(self, index: int) -> Pieces: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Pieces]: ...

    def __getitem__(self, index: int | slice) -> Pieces | Sequence[Pieces]:
        if isinstance(index, slice):
            return _Rows(self._effects[index], self._states[index])
        state = self._states[index]
        word, role = row_words(state)
        reason = (row_reason(state), "muted")
        return ((f"{word:<16}", role), (self._effects[index], "text"), reason)


class CourseDialog(PassageDialog[Outcome | None]):
    """Returns what is to be opened; None where the user only left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave", id="course.leave"),
        Binding("enter", "open", "Open", id="course.open"),
        Binding("c", "stop", "Cancel", id="course.stop"),
    ]

    def __init__(self, course: WriteCourse, clock: Clock, *, utc: bool) -> None:
        plan = course.plan
        super().__init__(
            badge(plan.profile, production=plan.production), production=plan.production
        )
        self.course = course
        self._clock = clock
        self._utc = utc
        self._drawing = False
        self._ticking: Timer | None = None
        self._stop_observing: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        """Follow it."""
        self._stop_observing = self.course.progress.observe(lambda _: self._draw_soon())
        self._draw()

    def on_unmount(self) -> None:
        """Look no more."""
        self._stop_observing()

    def _draw_soon(self) -> None:
        """Draw once for all that happens before the next frame."""
        if not self._drawing and self.is_mounted:
            self._drawing = True
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self._drawing = False
        if not self.is_attached:
            return
        course, now = self.course, self._clock.monotonic()
        self.words.tell(self._paragraphs(now))
        if len(course.plan.intents) > 1:
            self.rows.tell_rows(_Rows(course.plan.effects, course.progress.value.states))
            self.rows.add_class("-shown")
            if not course.has_ended:
                self.rows.reveal(course.at)
        self.foot.show(self._keys())
        self._tick()

    def _paragraphs(self, now: float) -> list[Piece]:
        course = self.course
        progress = course.progress.value
        what = outcome_words(course.plan, progress)[1] if course.is_done else course.plan.effect
        place = where(course.plan)
        told: list[Piece] = [(what, "strong"), ("" if place in what else place, "muted")]
        told += [("", "text")] if told[-1][0] else []
        if len(course.plan.intents) > 1:
            told.append((tally(progress), "text"))
            if isinstance(course.state, Waiting | Looking):
                told += state_words(course.state, now)
            if progress.stopped is not None:
                told += [(f"Stopped: {progress.stopped.sentence}", "failed")]
            return told
        if course.was_stopped:
            return [*told, ("■ Canceled by you: nothing was sent.", "warning")]
        if progress.stopped is not None and progress.states[0] is None:
            return [*told, (progress.stopped.sentence, "failed"), (progress.stopped.hint, "muted")]
        told += state_words(course.state, now)
        if isinstance(course.state, Found):
            moment = self._clock.now()
            told += [
                (f"  {candidate_words(one, moment, utc=self._utc)}", "text")
                for one in course.state.candidates
            ]
        return told

    def _keys(self) -> Pieces:
        outcome = self.course.outcome
        keys: list[Piece] = []
        if outcome is not None and outcome.id is not None:
            keys += [(" enter", "key"), (f" open {named(outcome)}  ", "muted")]
        if self.course.can_stop:
            several = len(self.course.plan.intents) > 1
            words = " cancel the rest  " if several else " cancel, nothing is sent  "
            keys += [(" c", "key"), (words, "muted")]
        leave = "leave" if self.course.has_ended else "leave it to itself: its end will be told"
        return (*keys, (" esc", "key"), (f" {leave}", "muted"))

    def _tick(self) -> None:
        """Count down each second, only while there is something to count down."""
        counts = isinstance(self.course.state, Waiting | Looking) and not self.course.has_ended
        if counts and self._ticking is None:
            self._ticking = self.set_interval(pace_of(self.app).tick, self._draw)
        elif not counts and self._ticking is not None:
            self._ticking.stop()
            self._ticking = None

    def action_leave(self) -> None:
        """Leave; what is under way goes on."""
        self.dismiss(None)

    def action_open(self) -> None:
        """Open what was made; with nothing to open, leave what has ended."""
        outcome = self.course.outcome
        if outcome is not None and outcome.id is not None:
            self.dismiss(outcome)
        elif self.course.has_ended:
            self.dismiss(None)

    def action_stop(self) -> None:
        """Send nothing that is not sent yet."""
        self.course.stop()
