"""Whether the platform answers, told from how requests end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import ApiError, OfflineError, UnauthorizedError
from platui.models.values.connection import Line, LineState

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.core.errors import PlatuiError
    from platui.core.observers import Observable


class LineWatch:
    """Keeps the state of the line; a state keeps the moment at which it began."""

    def __init__(self, line: Observable[Line], clock: Clock) -> None:
        self._line = line
        self._clock = clock

    def answered(self) -> None:
        """Take note of a usable answer."""
        self._enter(LineState.ONLINE, "")

    def failed(self, error: PlatuiError) -> None:
        """Take note of a failure; what says nothing about the line leaves it alone."""
        match error:
            case UnauthorizedError():
                self._enter(LineState.UNAUTHORIZED, error.sentence)
            case ApiError():
                # A refusal is an answer too: the platform is there.
                self._enter(LineState.ONLINE, "")
            case OfflineError():
                self._enter(LineState.OFFLINE, error.sentence)
            case _:
                pass

    def _enter(self, state: LineState, reason: str) -> None:
        """Take a state, keeping `since` where only the reason differs."""
        before = self._line.value
        since = before.since if before.state is state else self._clock.now()
        self._line.set(Line(state, since, reason))
