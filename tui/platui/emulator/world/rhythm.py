"""When the pipelines of one project start: the part of its diary that needs nothing else.

A project's time is cut into slots of equal length, and each slot holds one pipeline. So the
number of pipelines up to a moment is a division, and any of them is found without the others.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.emulator.world.blueprints import Blueprint
    from platui.emulator.world.chance import Chance
    from platui.emulator.world.clockwork import Clockwork
    from platui.emulator.world.timetable import Roster, Standing


class Rhythm:
    """The slots of one project."""

    def __init__(
        self,
        chance: Chance,
        clockwork: Clockwork,
        blueprint: Blueprint,
        roster: Roster,
    ) -> None:
        self._chance = chance
        self._clockwork = clockwork
        self._id = blueprint.id
        self._lane = blueprint.lane
        self._roster = roster
        self.period = blueprint.period
        self.due = lru_cache(maxsize=256)(self._due)

    def slot_at(self, minute: int) -> int:
        """Return the slot that a minute falls into."""
        return minute // self.period

    def draw(self, slot: int) -> bytes:
        """Return the draws about a slot in which no schedule is due."""
        return self._chance.digest("slot", self._id, slot)

    def free_minute(self, slot: int, draw: bytes) -> int:
        """Return the minute of a slot in which no schedule is due, from its draws."""
        minute = slot * self.period + draw[0] * self.period * 7 // (256 * 10)
        return self._not_in_the_past(slot, minute)

    def forget(self) -> None:
        """Ask anew what is due: the schedules have changed."""
        self.due.cache_clear()

    def first_free(self, slot: int) -> int:
        """Return the first slot from this one on in which no schedule is due."""
        while self.due(slot) is not None:
            slot += 1
        return slot

    def created(self, slot: int) -> float:
        """Return when a slot's pipeline is created, in seconds since 1970."""
        due = self.due(slot)
        minute = due[0] if due else self.free_minute(slot, self.draw(slot))
        return self._clockwork.created(minute, self._lane * 2)

    def newest(self, now: float) -> int:
        """Return the newest slot whose pipeline exists; 0 when there is none."""
        slot = max(0, self.slot_at(self._clockwork.minute(now)))
        return slot - 1 if slot and self.created(slot) > now else slot

    def oldest(self, now: float) -> int:
        """Return the oldest slot that has not been cleared away."""
        return max(1, self.slot_at(self._clockwork.minute(now) - self._clockwork.retention))

    def _due(self, slot: int) -> tuple[int, Standing] | None:
        """Return the minute in which a schedule starts a slot's pipeline, and which one does."""
        return self._roster.first_due(self._clockwork, *self._minutes(slot))

    def _minutes(self, slot: int) -> tuple[int, int]:
        """Return the minute in which a slot begins, and that in which the next one does."""
        start = slot * self.period
        return start, start + self.period

    def _not_in_the_past(self, slot: int, minute: int) -> int:
        """Return a later minute where a schedule was called off in this slot after that one."""
        retired = self._roster.retired_in(*self._minutes(slot))
        if retired is None or minute >= retired:
            return minute
        missed = self._roster.last_missed(self._clockwork, *self._minutes(slot))
        return minute if missed is None else missed
