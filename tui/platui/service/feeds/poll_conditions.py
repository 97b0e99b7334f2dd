"""Conditions that all feeds of a service poll by: focus, connection, quota, token."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from platui.core.observers import Observable, Observers
from platui.models.values.connection import BudgetState, Connection, ConnectionState, RequestRecord

if TYPE_CHECKING:
    from platui.core.clock import Clock


class PollConditions:
    def __init__(
        self, clock: Clock, line: Observable[Connection], budget: Observable[BudgetState]
    ) -> None:
        self.clock = clock
        self.line = line
        self.budget = budget
        self.focused = True
        self.closed = False
        self.token_number = 0  # grows with each new token, after which errors may be gone
        self.written_at = datetime.min.replace(tzinfo=UTC)  # responses before may be outdated
        self._listeners = Observers[None]()
        self._state = line.value.state
        line.observe(self._line_changed)

    @property
    def unauthorized(self) -> bool:
        return self.line.value.state is ConnectionState.UNAUTHORIZED

    @property
    def pause(self) -> float:
        until = self.budget.value.paused_until
        return 0.0 if until is None else max(0.0, until - self.clock.monotonic())

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when feeds have to decide again; return the function that ends it."""
        return self._listeners.observe(lambda _: listener())

    def focus(self, focused: bool) -> None:  # noqa: FBT001  (a switch)
        if focused != self.focused:
            self.focused = focused
            self.notify()

    def token_replaced(self) -> None:
        self.token_number += 1
        self.notify()

    def note_request(self, record: RequestRecord) -> None:
        if record.method != "GET":
            self.written_at = self.clock.now()

    def close(self) -> None:
        self.closed = True
        self.notify()

    def _line_changed(self, line: Connection) -> None:
        """Notify of a new state; a new reason alone is ignored."""
        if line.state is not self._state:
            self._state = line.state
            self.notify()

    def notify(self) -> None:
        self._listeners.notify(None)
