"""Which news are told, and when: never a flood, and what broke with its cause if that is near."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.models.values.triage_news import NewsKind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from platui.models.values.triage_items import BoardItem
    from platui.models.values.triage_news import News

FOR_CAUSE: Final = 8.0
"""Seconds that what broke waits for its cause to be read; and for others of the same cause."""
GAP: Final = 30.0
"""Seconds between two tellings."""

_TOLD: Final = frozenset({NewsKind.OPENED, NewsKind.SIGNATURE, NewsKind.RECOVERED})


class NewsDesk:
    """Gathers news, and hands out those that are to be told together. Seconds are monotonic."""

    def __init__(self) -> None:
        self._gathered: dict[Hashable, News] = {}
        self._ready_at = 0.0
        self._told_at = float("-inf")

    def take(self, news: Iterable[News], now: float) -> None:
        """Take what has happened."""
        for one in news:
            key = _key(one.item if one.was is None else one.was)
            waiting = self._gathered.get(key)
            if waiting is not None:
                told = _together(waiting, one)
                if told is None:
                    del self._gathered[key]
                else:
                    self._gathered[key] = told
            elif one.kind in _TOLD:
                if not self._gathered:
                    self._ready_at = now + FOR_CAUSE
                self._gathered[key] = one
        if all(one.item.signature or one.kind is NewsKind.RECOVERED for one in self._all):
            self._ready_at = min(self._ready_at, now)

    def remaining(self, now: float) -> float | None:
        """Return the seconds until something is to be told; None: there is nothing."""
        if not self._gathered:
            return None
        return max(0.0, self._ready_at - now, self._told_at + GAP - now)

    def hand_out(self, now: float) -> tuple[News, ...]:
        """Return what is to be told now, each thing once."""
        if self.remaining(now) != 0.0:
            return ()
        found, self._gathered, self._told_at = tuple(self._all), {}, now
        return found

    @property
    def _all(self) -> Iterable[News]:
        return self._gathered.values()


def _together(waiting: News, now: News) -> News | None:
    """Return what is told of two things that happened to one incident; None: nothing."""
    match waiting.kind, now.kind:
        case (NewsKind.OPENED, NewsKind.RECOVERED) | (NewsKind.RECOVERED, NewsKind.OPENED):
            # It stands as it stood when somebody was told last: nobody needs to know.
            return None
        case (_, NewsKind.CAUSE) | (NewsKind.OPENED, NewsKind.SIGNATURE):
            return replace(waiting, item=now.item)
        case _:
            return now if now.kind in _TOLD else waiting


def _key(item: BoardItem) -> Hashable:
    return item.lane if item.incident is None else item.incident.key
