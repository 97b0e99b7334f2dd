"""The schedules that the company has set up, and when each of them fires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from platui_emulator.world.catalogue import DEFAULT_FILE
from platui_emulator.world.clock import CompanyClock, SeededRandom, moment
from platui_emulator.world.cron import Cron, zone
from platui_emulator.world.organization import BLOCKED

if TYPE_CHECKING:
    from platui_emulator.records import Person
    from platui_emulator.world.blueprints import Blueprint

FIRST_SCHEDULE: Final = 3001

_ZONES: Final = (("UTC", 1), ("UTC", 2), ("Europe/Paris", 3), ("America/New_York", 21))
"""Zone and hour of nightly runs: always between 1 and 4 in the morning, UTC."""

_HOURS_BETWEEN: Final = {2: 1, 30: 1, 40: 1, 60: 2, 90: 3, 120: 4, 240: 4}
"""Hours between refreshes, by the project's period: never two in one slot; others have none."""

STALL_CYCLE: Final = 7 * 1440
STALL_FROM: Final = 2160
"""A schedule that stalls works for a day and a half, is stuck, and is noticed after a week."""


@dataclass(frozen=True, slots=True)
class CompanySchedule:
    """A schedule that the company has."""

    id: int
    lane: int
    description: str
    ref: str
    line: str
    cron: Cron
    zone_name: str
    zone: tzinfo
    active: bool
    owner: Person | None
    file: str
    stall: int | None = None
    """Where in its cycle of stalling it is at the origin; None when it never stalls."""

    def due_in(self, clockwork: CompanyClock, start: int, end: int) -> int | None:
        """Return the first minute from start up to end in which it is due and fires."""
        if not self.active:
            return None
        due = _next_due(self.line, self.zone_name, clockwork.seconds(start) - 1)
        if due is None:
            return None
        minute = clockwork.minute(due)
        return minute if minute < end and not self.stalled(minute) else None

    def stalled(self, minute: int) -> bool:
        """Return whether it is due but does not fire in that minute, although it is active."""
        return self.stall is not None and (minute + self.stall) % STALL_CYCLE >= STALL_FROM

    def stalled_since(self, minute: int) -> int:
        """Return the minute in which the stall around this minute began."""
        return minute - ((minute + (self.stall or 0)) % STALL_CYCLE - STALL_FROM)

    def next_after(self, moment_: datetime) -> datetime | None:
        return self.cron.next_after(moment_, self.zone)


@lru_cache(maxsize=512)
def _parsed(line: str) -> Cron:
    return Cron.parse(line)


@lru_cache(maxsize=4096)
def _next_due(line: str, zone_name: str, seconds: int) -> float | None:
    """Return when a line is due next, in seconds since 1970: many projects share a few lines."""
    due = _parsed(line).next_after(moment(seconds), _zone(zone_name))
    return due.timestamp() if due else None


def _zone(name: str) -> tzinfo:
    try:
        return zone(name)
    except ValueError:
        return UTC  # a machine without a zone database still gets the whole company


class ProjectSchedules:
    """The standing schedules of one project, and since when changed ones do not count."""

    def __init__(self, standings: Sequence[CompanySchedule], retired: dict[int, int]) -> None:
        """Take the schedules, and the minute since which each number is retired."""
        self.all = tuple(standings)
        self._retired = retired

    def retire(self, standing: CompanySchedule, minute: int) -> None:
        """Retire a schedule from that minute on."""
        self._retired.setdefault(standing.id, minute)

    def holds(self, standing: CompanySchedule) -> bool:
        return standing.id not in self._retired

    def standing(self) -> list[CompanySchedule]:
        """Return the schedules that still stand, in id order."""
        return [one for one in self.all if self.holds(one)]

    def first_due(
        self, clockwork: CompanyClock, start: int, end: int
    ) -> tuple[int, CompanySchedule] | None:
        """Return the first minute from start up to end in which one fires, and which."""
        return min(self._due(clockwork, start, end, gone=False), key=_minute, default=None)

    def last_missed(self, clockwork: CompanyClock, start: int, end: int) -> int | None:
        """Return the last minute in which one would have fired, had it not been retired."""
        missed = max(self._due(clockwork, start, end, gone=True), key=_minute, default=None)
        return missed[0] if missed else None

    def retired_in(self, start: int, end: int) -> int | None:
        """Return the last minute from start up to end in which a schedule was retired."""
        found = (self._retired.get(one.id, -1) for one in self.all)
        return max((minute for minute in found if start <= minute < end), default=None)

    def _due(
        self, clockwork: CompanyClock, start: int, end: int, *, gone: bool
    ) -> Iterator[tuple[int, CompanySchedule]]:
        for one in self.all:
            minute = one.due_in(clockwork, start, end)
            if minute is not None:
                until = self._retired.get(one.id)
                if (until is not None and minute >= until) is gone:
                    yield minute, one


def _minute(due: tuple[int, CompanySchedule]) -> int:
    return due[0]


class Timetable(Protocol):
    """All schedules of the company, by project."""

    def of(self, blueprint: Blueprint) -> tuple[CompanySchedule, ...]:
        """Return the schedules of a project, in id order."""


class UsualTimetable:
    """A nightly run for each project, refreshes for most, and a few odd schedules."""

    def __init__(self, chance: SeededRandom, count: int, everybody: Sequence[Person]) -> None:
        """Choose the projects with odd schedules; the rest is drawn on demand."""
        self._chance = chance
        self._humans = [one for one in everybody if not one.bot and one.state == "active"]
        self._leaver = next(one for one in everybody if one.username == BLOCKED)
        lanes = sorted(range(count), key=lambda lane: chance.number("odd schedules", lane))
        # Two stall half a cycle apart, so that one of them is stuck at every moment.
        self._stalls = {lanes[0]: 0, lanes[1]: STALL_CYCLE // 2}
        self._orphan, self._left, self._berlin = lanes[2], lanes[3], lanes[4]

    def of(self, blueprint: Blueprint) -> tuple[CompanySchedule, ...]:
        """Return the schedules of a project, in id order."""
        return tuple(self._set_up(blueprint))

    def _set_up(self, blueprint: Blueprint) -> list[CompanySchedule]:
        lane = blueprint.lane
        dice = self._chance.dice("schedules", lane)
        owner = None if lane == self._orphan else dice.choice(self._humans)
        zone_name, hour = dice.choice(_ZONES)
        if lane == self._berlin:
            zone_name, hour = "Berlin", 4
        minute = dice.randrange(0, 60, 5)
        found = [
            company_schedule(
                blueprint, 0, "Nightly full run", f"{minute} {hour} * * *", zone_name,
                owner, DEFAULT_FILE, stall=self._stalls.get(lane),
            )
        ]  # fmt: skip
        if blueprint.period not in _HOURS_BETWEEN:
            return found
        minute = dice.randrange(0, 60, 5)
        hours = f"7-19/{_HOURS_BETWEEN[blueprint.period]}"
        found.append(
            company_schedule(
                blueprint, 1, "Refresh during business hours", f"{minute} {hours} * * 1-5", "UTC",
                owner, "refresh-ci.yml",
            )
        )  # fmt: skip
        if "weekly-ci.yml" in blueprint.files:
            found.append(
                company_schedule(
                    blueprint, 2, "Weekly rebuild", f"{minute} 5 * * 0", "UTC", owner,
                    "weekly-ci.yml",
                )
            )  # fmt: skip
        if lane == self._left:
            found.append(
                company_schedule(
                    blueprint, 3, "Month-end extract for the auditors", "30 5 1 * *",
                    "Europe/Lisbon", self._leaver, DEFAULT_FILE, active=False,
                )
            )  # fmt: skip
        return found


def company_schedule(  # noqa: PLR0913  (a record is written down field by field)
    blueprint: Blueprint,
    number: int,
    description: str,
    line: str,
    zone_name: str,
    owner: Person | None,
    file: str,
    *,
    active: bool = True,
    stall: int | None = None,
) -> CompanySchedule:
    """Return a schedule of the company: the first, second, ... of a project, by number."""
    return CompanySchedule(
        id=FIRST_SCHEDULE + blueprint.lane * 4 + number,
        lane=blueprint.lane,
        description=description,
        ref=blueprint.record.default_branch,
        line=line,
        cron=_parsed(line),
        zone_name=zone_name,
        zone=_zone(zone_name),
        active=active,
        owner=owner,
        file=file,
        stall=stall,
    )
