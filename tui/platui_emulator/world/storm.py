"""A bad night: most projects fail within minutes of the start, for a few causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui_emulator.world import causes
from platui_emulator.world.catalogue import DBT_KINDS, DEFAULT_FILE
from platui_emulator.world.causes import Cause, Incident, UsualIncidents
from platui_emulator.world.setups import Setup
from platui_emulator.world.timetable import (
    STALL_CYCLE,
    STALL_FROM,
    UsualTimetable,
    company_schedule,
)

if TYPE_CHECKING:
    from platui_emulator.records import Person, Project
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.clock import SeededRandom
    from platui_emulator.world.company import Company
    from platui_emulator.world.timetable import CompanySchedule, Timetable

_SHARES: Final = (
    (causes.UPSTREAM_RENAMED, 9),
    (causes.WAREHOUSE_LOGIN, 16),
    (causes.LOADER_LOGIN, 6),
    (causes.NETWORK_OUTAGE, 6),
    (causes.PACKAGES_OUT_OF_REACH, 4),
    (causes.TOKEN_EXPIRED, 1),
    (causes.TEST_FAILED, 1),
    (causes.OUT_OF_MEMORY, 1),
)
"""Projects that each cause hits, the choosiest first; the last ones are everyday trouble."""

_UPSTREAM: Final = 0

_LATE: Final = 3
"""Projects whose schedule has been due in vain for hours."""

# Minutes before the storm breaks, from here on.
_CAUSED: Final = 45
_RENAMED: Final = 7 * 60
_NIGHTLY: Final = (16, 26)
_SOON_RED: Final = (12, 20)
"""When the nightly pipelines start, and those that fail in their first stage."""
_OVERDUE: Final = 170
_STALLED: Final = 200

_LASTS: Final = 6 * 60


@dataclass(slots=True)
class _StormStart:
    """When the storm breaks, in minutes since the origin; None before anybody has asked."""

    minute: int | None = None


class _StormIncidents:
    """Calm, and then all at once."""

    def __init__(
        self, chance: SeededRandom, blueprints: Sequence[Blueprint], outbreak: _StormStart
    ) -> None:
        self._usual = UsualIncidents(chance, blueprints)
        self._outbreak = outbreak
        self._hit = _hit(chance, blueprints)

    def around(self, lane: int, minute: int) -> Incident:
        """Return the night's incident of a project, or one of no length."""
        cause, broke = self._hit.get(lane), self._outbreak.minute
        if cause is None or broke is None:
            return Incident(0, causes.CONNECTION_ERROR, minute, minute)
        ago = _RENAMED if cause.key == causes.UPSTREAM_RENAMED.key else _CAUSED
        return Incident(1, cause, broke - ago, broke + _LASTS)

    def renames(self, lane: int) -> bool:
        """Return whether the usual incidents of a project are renamed relations."""
        return self._usual.renames(lane)


class _StormTimetable:
    """Every project has a nightly run, and the night is now."""

    def __init__(
        self,
        chance: SeededRandom,
        usual: Timetable,
        blueprints: Sequence[Blueprint],
        outbreak: _StormStart,
    ) -> None:
        self._chance = chance
        self._usual = usual
        self._hit = _hit(chance, blueprints)
        self._outbreak = outbreak
        calm = [one.lane for one in blueprints if one.lane not in self._hit]
        self._late = frozenset(calm[:_LATE])

    def of(self, blueprint: Blueprint) -> tuple[CompanySchedule, ...]:
        broke, lane = self._outbreak.minute, blueprint.lane
        usual = self._usual.of(blueprint)
        if broke is None:
            return usual
        cause = self._hit.get(lane)
        first, last = _SOON_RED if cause in _EARLY else _NIGHTLY
        ago = first + self._chance.below(last - first, "storm nightly", lane)
        stall = None
        if lane in self._late:
            ago, stall = _OVERDUE, (STALL_FROM + _STALLED - broke) % STALL_CYCLE
        hour, minute = divmod((broke - ago) % 1440, 60)
        nightly = company_schedule(
            blueprint, 0, "Nightly full run", f"{minute} {hour} * * *", "UTC", usual[0].owner,
            DEFAULT_FILE, stall=stall,
        )  # fmt: skip
        return (nightly,)


_EARLY: Final = frozenset({causes.NETWORK_OUTAGE, causes.PACKAGES_OUT_OF_REACH})


class Storm(Setup):
    """The company of the default scenario in its worst night."""

    def __init__(self) -> None:
        """Wait for the first call of `showcase`, which starts the storm."""
        self._outbreak = _StormStart()

    def showcase(self, company: Company, now: datetime) -> Project:
        """Return the project whose commit broke many others; the first call brings the storm."""
        if self._outbreak.minute is None:
            self._outbreak.minute = company.clockwork.minute(now.timestamp())
        return company.projects()[_UPSTREAM]

    def incidents(self, chance: SeededRandom, blueprints: Sequence[Blueprint]) -> _StormIncidents:
        return _StormIncidents(chance, blueprints, self._outbreak)

    def timetable(
        self, chance: SeededRandom, blueprints: Sequence[Blueprint], people: Sequence[Person]
    ) -> _StormTimetable:
        """Return the usual schedules, and the nightly ones once the storm has broken."""
        usual = UsualTimetable(chance, len(blueprints), people)
        return _StormTimetable(chance, usual, blueprints, self._outbreak)


def _hit(chance: SeededRandom, blueprints: Sequence[Blueprint]) -> dict[int, Cause]:
    shuffled = sorted(blueprints, key=lambda one: chance.number("storm", one.lane))
    found = {_UPSTREAM: causes.MODEL_RENAMED}
    for cause, count in _SHARES:
        fitting = [
            one.lane
            for one in shuffled
            if one.lane not in found
            and (cause is not causes.UPSTREAM_RENAMED or one.kind in DBT_KINDS)
        ]
        found.update(dict.fromkeys(fitting[:count], cause))
    return found
