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
    """Keeps the state of the line; a state keeps the moment at which it began.

    Answers overtake each other. What was let in before the platform refused the token does not
    mean that it is good, and what was refused before there was another one not that this is bad.
    """

    def __init__(self, line: Observable[Line], clock: Clock) -> None:
        self._line = line
        self._clock = clock
        self._begun = 0
        """Requests that were begun; the number of the newest."""
        self._begun_at_refusal = 0
        self._begun_with_others = 0
        """The newest that went with a token of before."""

    def begin(self) -> int:
        """Take note of a request that is about to be sent; return its number."""
        self._begun += 1
        return self._begun

    def token_replaced(self) -> None:
        """Take note that what is begun from now on goes with another token."""
        self._begun_with_others = self._begun

    def answered(self, number: int) -> None:
        """Take note of a usable answer."""
        is_refused = self._line.value.state is LineState.UNAUTHORIZED
        if not is_refused or number > self._begun_at_refusal:
            self._enter(LineState.ONLINE, "")

    def failed(self, error: PlatuiError, number: int) -> None:
        """Take note of a failure; what says nothing about the line leaves it alone."""
        match error:
            case UnauthorizedError():
                if number > self._begun_with_others:
                    self._begun_at_refusal = self._begun
                    self._enter(LineState.UNAUTHORIZED, error.sentence)
            case ApiError():
                # A refusal is an answer too: the platform is there.
                self.answered(number)
            case OfflineError():
                self._enter(LineState.OFFLINE, error.sentence)
            case _:
                pass

    def _enter(self, state: LineState, reason: str) -> None:
        """Take a state, keeping `since` where only the reason differs."""
        before = self._line.value
        since = before.since if before.state is state else self._clock.now()
        is_known = state is not LineState.OFFLINE or (
            before.is_known and before.state is not LineState.UNKNOWN
        )
        self._line.set(Line(state, since, reason, is_known))
