"""What every feed of a service looks at when it decides: eyes, line, quota, token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.observers import Observers
from platui.models.values.connection import ConnectionState

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.core.clock import Clock
    from platui.core.observers import Observable
    from platui.models.values.connection import BudgetState, Connection


class PollConditions:
    """Tells feeds when to look up; it decides nothing itself."""

    def __init__(
        self, clock: Clock, line: Observable[Connection], budget: Observable[BudgetState]
    ) -> None:
        self.clock = clock
        self.line = line
        self.budget = budget
        self.focused = True
        self.closed = False
        self.token_number = 0
        """Grows when the token is replaced: what failed before may succeed now."""
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
        """Call `listener` whenever a feed should decide anew; returns what ends that."""
        return self._listeners.observe(lambda _: listener())

    def focus(self, focused: bool) -> None:  # noqa: FBT001  (a switch)
        if focused != self.focused:
            self.focused = focused
            self.tell()

    def token_replaced(self) -> None:
        self.token_number += 1
        self.tell()

    def close(self) -> None:
        self.closed = True
        self.tell()

    def _line_changed(self, line: Connection) -> None:
        """Tell of a new state; a new reason alone wakes nobody."""
        if line.state is not self._state:
            self._state = line.state
            self.tell()

    def tell(self) -> None:
        """Let every feed decide anew: one learned what others thought could not change any more."""
        self._listeners.notify(None)
