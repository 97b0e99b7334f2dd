"""Collects events of the board into notifications: together, with their cause, not too often."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Final

from platui.models.values.triage_board import BoardEvent, BoardEventKind

FOR_CAUSE: Final = 8.0  # Seconds that a new incident waits for its cause and for others
GAP: Final = 30.0

NOTIFIED_KINDS: Final = frozenset(
    {BoardEventKind.OPENED, BoardEventKind.SIGNATURE, BoardEventKind.RECOVERED}
)
MUTED_KINDS: Final = frozenset({BoardEventKind.ACKED, BoardEventKind.SNOOZED})


class NotificationBatch:
    """Collects events into notifications. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._gathered: dict[Hashable, BoardEvent] = {}
        self._ready_at = 0.0
        self._notified_at = float("-inf")

    def take(self, news: Iterable[BoardEvent], now: float) -> None:
        for one in news:
            item = one.item if one.was is None else one.was
            key: Hashable = item.lane if item.incident is None else item.incident.key
            waiting = self._gathered.get(key)
            if waiting is not None:
                if (merged := _together(waiting, one)) is None:
                    del self._gathered[key]
                else:
                    self._gathered[key] = merged
            elif one.kind in NOTIFIED_KINDS:
                if not self._gathered:
                    self._ready_at = now + FOR_CAUSE
                self._gathered[key] = one
        if all(
            one.item.signature or one.kind is BoardEventKind.RECOVERED
            for one in self._gathered.values()
        ):
            self._ready_at = min(self._ready_at, now)

    def remaining(self, now: float) -> float | None:
        if not self._gathered:
            return None
        return max(0.0, self._ready_at - now, self._notified_at + GAP - now)

    def hand_out(self, now: float) -> tuple[BoardEvent, ...]:
        """Return the events to notify about now, each once."""
        if self.remaining(now) != 0.0:
            return ()
        found, self._gathered, self._notified_at = tuple(self._gathered.values()), {}, now
        return found


def _together(waiting: BoardEvent, now: BoardEvent) -> BoardEvent | None:
    """Merge two events of one incident into one; None: they cancel out."""
    match waiting.kind, now.kind:
        case (BoardEventKind.OPENED, BoardEventKind.RECOVERED) | (
            BoardEventKind.RECOVERED,
            BoardEventKind.OPENED,
        ):
            # Same state as at the last notification.
            return None
        case (BoardEventKind.OPENED | BoardEventKind.SIGNATURE, kind) if kind in MUTED_KINDS:
            # It belongs to a cause that is acknowledged.
            return None
        case (_, BoardEventKind.CAUSE) | (BoardEventKind.OPENED, BoardEventKind.SIGNATURE):
            return replace(waiting, item=now.item)
        case _:
            return now if now.kind in NOTIFIED_KINDS else waiting
