"""Which pipelines the company's own schedules have started: found once, then only added to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from platui.emulator.world.clockwork import moment

if TYPE_CHECKING:
    from platui.emulator.world.clockwork import Clockwork
    from platui.emulator.world.sites import Site
    from platui.emulator.world.timetable import Standing


class _Found(NamedTuple):
    """The due minutes of one schedule within a stretch of minutes, its end left out."""

    since: int
    until: int
    minutes: list[int]


class Firings:
    """The minutes in which each schedule started something, as far as somebody looked."""

    def __init__(self, clockwork: Clockwork) -> None:
        self._clockwork = clockwork
        self._found: dict[int, _Found] = {}

    def pipelines(self, site: Site, standing: Standing, now: float) -> list[int]:
        """Return the numbers of the pipelines a schedule started and that exist, oldest first."""
        since = site.diary.oldest(now) * site.blueprint.period
        until = self._clockwork.minute(now)
        known = self._found.get(standing.id)
        if known is None or not known.since <= since <= known.until:
            known = _Found(since, since, [])
        if known.until < until:
            # Only minutes that are over: what is due in this one can still be called off.
            known.minutes.extend(self._between(site, standing, known.until, until))
            known = _Found(known.since, until, known.minutes)
        self._found[standing.id] = known
        minutes = known.minutes[bisect_left(known.minutes, since) :]
        minutes += self._between(site, standing, max(until, known.until), until + 1)
        lane = site.blueprint.lane * 2
        numbering = self._clockwork.numbering
        numbers = [numbering.pipeline_id(minute, lane) for minute in minutes]
        return numbers[: bisect_right(numbers, self._newest(site, now))]

    def _newest(self, site: Site, now: float) -> int:
        """Return a number that no pipeline that exists is above."""
        minute = self._clockwork.minute(now)
        over = self._clockwork.created(minute, site.blueprint.lane * 2) <= now
        numbering = self._clockwork.numbering
        return numbering.pipeline_id(minute if over else minute - 1, numbering.lanes - 1)

    def _between(self, site: Site, standing: Standing, since: int, until: int) -> list[int]:
        """Return the minutes from one up to, not including, another in which it fired."""
        found: list[int] = []
        due = standing.next_after(moment(self._clockwork.seconds(since) - 1))
        while due is not None and (minute := self._clockwork.minute(due.timestamp())) < until:
            slot = site.diary.slot_at(minute)
            starter = site.diary.due(slot)
            if slot > 0 and starter and starter[0] == minute and starter[1].id == standing.id:
                found.append(minute)
            due = standing.next_after(due)
        return found
