"""The progress of a write task; closing the dialog does not stop the task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, overload

from platui.models.values.write_states import Found, Outcome, Probing, Waiting, WriteState
from platui.present.writes.requests import badge, where
from platui.present.writes.states import (
    candidate_words,
    named,
    outcome_words,
    row_reason,
    row_words,
    state_words,
    tally,
)
from platui.ui.active_keys import bind
from platui.ui.dialogs.text_dialog import TextDialog
from platui.ui.error_display import hint_of_action
from platui.ui.pace import pace_of

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.core.clock import Clock
    from platui.present.chrome import Piece, Pieces
    from platui.service.writes.task import WriteTask


class _Rows(Sequence["Pieces"]):
    """The effect and state of each request of a task, rendered on demand."""

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


class WriteTaskDialog(TextDialog[Outcome | None]):
    """Returns the outcome to open; None if the user only closed the dialog."""

    BINDINGS = [
        bind("escape,q", "course.leave", "Close"),
        bind("enter", "course.open", "Open"),
        bind("c", "course.stop", "Cancel"),
    ]

    def __init__(self, task: WriteTask, clock: Clock, *, utc: bool) -> None:
        production = task.request.production
        title = badge(task.request.profile, production=production)
        super().__init__(title, production=production)
        self.write_task = task
        self._clock = clock
        self._utc = utc
        self._drawing = False
        self._ticking: Timer | None = None
        self._stop_observing: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        self._stop_observing = self.write_task.progress.observe(lambda _: self._draw_soon())
        self._draw()

    def on_unmount(self) -> None:
        self._stop_observing()

    def _draw_soon(self) -> None:
        if not self._drawing and self.is_mounted:
            self._drawing = True
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self._drawing = False
        if not self.is_whole:
            return
        task, now = self.write_task, self._clock.monotonic()
        self.words.show(self._paragraphs(now))
        if len(task.request.intents) > 1:
            self.rows.show_rows(_Rows(task.request.effects, task.progress.value.states))
            self.rows.add_class("-shown")
            if not task.has_ended:
                self.rows.reveal(task.at)
        self.foot.show(self._keys())
        self._tick()

    def _paragraphs(self, now: float) -> list[Piece]:
        task = self.write_task
        progress = task.progress.value
        effect = outcome_words(task.request, progress)[1] if task.is_done else task.request.effect
        project = where(task.request)
        lines: list[Piece] = [(effect, "strong"), ("" if project in effect else project, "muted")]
        lines += [("", "text")] if lines[-1][0] else []
        if len(task.request.intents) > 1:
            lines.append((tally(progress), "text"))
            if isinstance(task.state, Waiting | Probing):
                lines += state_words(task.state, now)
            if progress.stopped is not None:
                lines += [(f"Stopped: {progress.stopped.sentence}", "failed")]
            return lines
        if task.was_stopped:
            return [*lines, ("■ Canceled by you: nothing was sent.", "warning")]
        if progress.stopped is not None and progress.states[0] is None:
            hint = hint_of_action(progress.stopped)
            return [*lines, (progress.stopped.sentence, "failed"), (hint, "muted")]
        lines += state_words(task.state, now)
        if isinstance(task.state, Found):
            for one in task.state.candidates:
                words = candidate_words(one, self._clock.now(), utc=self._utc)
                lines.append((f"  {words}", "text"))
        return lines

    def _keys(self) -> Pieces:
        outcome = self.write_task.outcome
        keys: list[Piece] = []
        if outcome is not None and outcome.id is not None:
            keys += [(" enter", "key"), (f" open {named(outcome)}  ", "muted")]
        if self.write_task.can_stop:
            several = len(self.write_task.request.intents) > 1
            words = " cancel the rest  " if several else " cancel, nothing is sent  "
            keys += [(" c", "key"), (words, "muted")]
        leave = "close" if self.write_task.has_ended else "close; a notification follows"
        return (*keys, (" esc", "key"), (f" {leave}", "muted"))

    def _tick(self) -> None:
        task = self.write_task
        counts = isinstance(task.state, Waiting | Probing) and not task.has_ended
        if counts and self._ticking is None:
            self._ticking = self.set_interval(pace_of(self.app).tick, self._draw)
        elif not counts and self._ticking is not None:
            self._ticking.stop()
            self._ticking = None

    def action_open(self) -> None:
        """Open the outcome of an ended task, or close the dialog."""
        outcome = self.write_task.outcome
        if outcome is not None and outcome.id is not None:
            self.dismiss(outcome)
        elif self.write_task.has_ended:
            self.dismiss(None)

    def action_stop(self) -> None:
        self.write_task.stop()
