"""A write on its way, from the yes to the end: it goes on when nobody looks."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from platui.core.observers import Observable
from platui.models.values.write_states import (
    LAST_STATES,
    Done,
    Found,
    Looking,
    NotFound,
    Unknown,
    Waiting,
    WriteProgress,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.models.values.write_states import Outcome, WriteState
    from platui.models.values.writes import Confirmation, PlannedRequest, WritePlan
    from platui.service.writes.desk import WriteDesk


class WriteTask:
    """One confirmed write, or several one after the other."""

    def __init__(self, plan: WritePlan, confirmed: Confirmation, began: float) -> None:
        self.plan = plan
        self._confirmed = confirmed
        self.began = began
        self.progress = Observable(WriteProgress((None,) * len(plan.intents)))
        """How it goes, to be observed; `has_ended` is true before its last change is told."""
        self.has_ended = False
        self.was_stopped = False  # Whether the user stopped it before all of it was sent
        self.interrupt: Callable[[], object] | None = None
        self.at = 0  # Which of them is on its way, or was the last

    @property
    def state(self) -> WriteState | None:
        """Return how the one stands that is on its way, or was the last."""
        return self.progress.value.states[self.at]

    @property
    def can_stop(self) -> bool:
        """Return whether something is still to be sent, so that it can be left unsent."""
        if self.has_ended or self.was_stopped:
            return False
        if self.state is None or isinstance(self.state, Waiting):
            return True
        # After an outcome that nobody knows, nothing more is sent anyway.
        lost = isinstance(self.state, Unknown | Looking)
        return not lost and self.at < len(self.plan.intents) - 1

    @property
    def open(self) -> frozenset[PlannedRequest]:
        """Return what is to be sent, or was sent and is not known to have ended."""
        if self.has_ended:
            return frozenset()
        return frozenset(
            request
            for request, state in zip(self.plan.requests, self.progress.value.states, strict=True)
            if not isinstance(state, LAST_STATES) and not (state is None and self.was_stopped)
        )

    @property
    def lost(self) -> dict[PlannedRequest, WriteState | None]:
        """Return what was sent without an answer, each with the last that is known of it."""
        return {
            request: state
            for request, state in zip(self.plan.requests, self.progress.value.states, strict=True)
            if isinstance(state, Unknown | Looking | Found | NotFound)
        }

    @property
    def outcome(self) -> Outcome | None:
        """Return what there is to be opened: what the one write made, or the likeliest."""
        state = self.progress.value.states[0]
        if len(self.plan.intents) > 1 or not self.has_ended:
            return None
        if isinstance(state, Found):
            return state.candidates[0]
        return state.outcome if isinstance(state, Done) else None

    @property
    def is_done(self) -> bool:
        """Return whether all of it was done, and nothing is left to be told."""
        return all(isinstance(state, Done) for state in self.progress.value.states)

    async def follow(self, desk: WriteDesk) -> None:
        """Have it sent, and take note of what becomes of it."""
        last = self.progress.value
        try:
            states = desk.perform(self.plan.intents, self._confirmed)
            async with aclosing(states) as following:
                async for last in following:
                    self.at = _on_its_way(last, self.at)
                    if self.was_stopped and isinstance(last.states[self.at], LAST_STATES):
                        break
                    self.progress.set(last)
        except asyncio.CancelledError:
            if not self.was_stopped:
                raise  # not the user's wish, but the end of the dashboard
        finally:
            self._end(last)

    def _end(self, last: WriteProgress) -> None:
        self.has_ended = True
        if last == self.progress.value:
            self.progress.tell()  # nothing is new but that
        else:
            self.progress.set(last)

    def stop(self) -> None:
        """Leave unsent what is not sent yet; what is under way comes to its end."""
        if not self.can_stop:
            return
        self.was_stopped = True
        if (self.state is None or isinstance(self.state, Waiting)) and self.interrupt is not None:
            self.interrupt()


def _on_its_way(progress: WriteProgress, at: int) -> int:
    states = progress.states
    while at + 1 < len(states) and states[at + 1] is not None:
        at += 1
    return at


_DOUBTS: Final = 50  # Writes of unknown outcome that are kept in mind


class WriteTaskList:
    """Knows of each whether it, or a part of it, is the same as another."""

    def __init__(self) -> None:
        self._all: list[WriteTask] = []

    def begin(self, task: WriteTask) -> None:
        """Take note of one that begins; those that ended well are forgotten."""
        doubtful = [one for one in self._all if one.has_ended and one.lost]
        kept = {id(one) for one in doubtful[-_DOUBTS:]}
        self._all = [one for one in self._all if not one.has_ended or id(one) in kept]
        self._all.append(task)

    def ended(self, task: WriteTask) -> None:
        """Take note of an end: where all was done, nothing is in doubt any more about the same."""
        if task.is_done:
            done = frozenset(task.plan.requests)
            self._all = [
                one
                for one in self._all
                if not one.has_ended or one is task or done.isdisjoint(one.lost)
            ]

    @property
    def under_way(self) -> list[WriteTask]:
        """Return those that have not ended, the oldest first."""
        return [one for one in self._all if not one.has_ended]

    @property
    def last(self) -> WriteTask | None:
        """Return the one that began last."""
        return self._all[-1] if self._all else None

    def same_under_way(self, plan: WritePlan) -> WriteTask | None:
        """Return one that is to send, or has sent, a request of this plan; its answer may come."""
        wanted = frozenset(plan.requests)
        return next((one for one in self.under_way if not wanted.isdisjoint(one.open)), None)

    def same_in_doubt(self, plan: WritePlan) -> list[tuple[WriteTask, WriteState | None]]:
        """Return the writes of unknown outcome with a request of this plan, and its state."""
        found = []
        for task in self._all:
            lost = task.lost
            request = next((one for one in plan.requests if one in lost), None)
            if request is not None:
                found.append((task, lost[request]))
        return found
