"""Schedules as rows: when each runs next, in words, how its last run went, what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import read_cron
from platui.analysis.schedules.dues import due_at, upcoming
from platui.analysis.schedules.firing import LATE, Facts, missed_at
from platui.analysis.schedules.words import cron_words
from platui.analysis.schedules.zones import find_zone
from platui.core.text import clean
from platui.models.values.schedules import Shift
from platui.models.values.table import Cell, Column, Row
from platui.models.values.writes import PIPELINE_FILE_VARIABLE
from platui.present.counts import counted
from platui.present.kept_rows import KeptRows
from platui.present.status import severity, status_cell
from platui.present.times import age, age_holds, clock, distance, in_zone, zone_letters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from platui.models import Pipeline, Schedule
    from platui.models.values.sent import SentSchedule

SCHEDULE_COLUMNS: Final = (
    Column("next", "NEXT RUN", 14, fits=True),
    Column("what", "SCHEDULE", 20, minimum=17, flexible=True, fits=True),
    Column("when", "WHEN", 24, minimum=18, priority=1, fits=True),
    Column("last", "LAST RUN", 14, fits=True),
    Column("ref", "REF", 12, minimum=11, priority=2, fits=True),
    Column("zone", "ZONE", 16, minimum=10, priority=3, fits=True),
    Column("owner", "OWNER", 12, minimum=8, priority=4, optional=True, fits=True),
)

DEFAULT_ZONE: Final = "UTC"
"""Spec §4.3: what a schedule without a zone runs in."""

_SOON: Final = timedelta(hours=24)
_SAME: Final = timedelta(seconds=59)
"""By which a moment that the platform announces may differ from the cron line's."""
_MISSED, _WAITING, _INACTIVE = range(3)
"""How urgent a row is; the first part of its sort key."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A schedule, and what is known of its last run."""

    schedule: Schedule
    last: Pipeline | None = None
    knows_last: bool = False
    """Whether `last` is known, also where it is None: it never ran."""
    is_sent: bool = False
    """Whether it is what platui created, as it was then: the platform lists none."""

    @property
    def is_active(self) -> bool:
        """Return whether it runs by itself; the platform need not say so (spec §4.3)."""
        return self.schedule.active is not False


@dataclass(frozen=True, slots=True)
class Run:
    """One of the next runs of a schedule."""

    at: datetime
    wall: datetime
    """As the wall shows it in the schedule's zone; in UTC where that zone is not known."""
    shift: Shift = Shift.NONE
    is_announced: bool = False
    """Whether the platform says so itself."""
    by_cron: datetime | None = None
    """When the cron line would have it, where the platform says otherwise."""


def sent_records(sent: Iterable[SentSchedule]) -> tuple[Schedule, ...]:
    """Return schedules that platui created as records: as they were then.

    One whose id the platform did not tell has a negative one.
    """
    from platui.models import Schedule  # noqa: PLC0415  (pydantic: only where it is needed)

    return tuple(
        Schedule(
            id=one.schedule if one.schedule is not None else -number,
            description=one.new.description,
            ref=one.new.ref,
            cron=one.new.cron,
            cron_timezone=one.new.cron_timezone,
            active=one.new.active,
            created_at=one.at,
        )
        for number, one in enumerate(sent, 1)
    )


def zone_of(schedule: Schedule) -> str:
    """Return the zone that a schedule names, or the one that it has without a name."""
    return clean(schedule.cron_timezone).strip() or DEFAULT_ZONE


def ref_of(schedule: Schedule) -> str:
    """Return the branch or tag by its short name."""
    return clean(schedule.ref).removeprefix("refs/heads/").removeprefix("refs/tags/")


def file_of(schedule: Schedule) -> str:
    """Return the pipeline file that a schedule chooses; empty where it is not known."""
    files = (one.value for one in schedule.variables if one.key == PIPELINE_FILE_VARIABLE)
    return next(files, None) or ""


def next_runs(schedule: Schedule, now: datetime, count: int = 3) -> tuple[Run, ...]:
    """Return the next runs: what the platform announces, then what the cron line says."""
    if schedule.active is False:
        return ()
    cron, zone = read_cron(schedule.cron).cron, find_zone(schedule.cron_timezone)
    runs = []
    if cron is not None and zone is not None:
        runs = [Run(due.at, due.wall, due.shift) for due in upcoming(cron, zone, now, count)]
    said = schedule.next_run_at
    if said is None or said <= now:
        return tuple(runs)
    shown = said.astimezone(zone).replace(tzinfo=None)
    announced = Run(said, shown, due_at(shown, zone).shift if zone else Shift.NONE, True)
    if runs and abs(runs[0].at - said) <= _SAME:
        runs[0] = Run(said, runs[0].wall, runs[0].shift, True)
        return tuple(runs)
    by_cron = runs[0].at if runs else None
    later = [run for run in runs if run.at > said]
    first = Run(announced.at, announced.wall, announced.shift, True, by_cron)
    return (first, *later)[:count]


def missed(standing: Standing, asked_at: datetime) -> datetime | None:
    """Return when a schedule was due and did not fire; None where nothing is missing."""
    schedule = standing.schedule
    return missed_at(
        Facts(
            active=standing.is_active,
            asked_at=asked_at,
            next_run_at=schedule.next_run_at,
            created_at=schedule.created_at,
            updated_at=schedule.updated_at,
            knows_last=standing.knows_last,
            last_run_at=standing.last.created_at if standing.last else None,
            cron=read_cron(schedule.cron).cron,
            zone=find_zone(schedule.cron_timezone),
        )
    )


class ScheduleRows:
    """The rows of a project's schedules, each made once for as long as it stays true."""

    def __init__(self) -> None:
        self.asked_at: datetime | None = None
        """When the platform said what is shown; None: now."""
        self.utc = False
        """Whether times are shown in UTC."""
        self._standings: dict[int, Standing] = {}
        self._rows: KeptRows[Standing] = self._new()

    def show_times(self, *, utc: bool) -> None:
        """Show times in UTC, or in this machine's zone."""
        self.utc = utc
        self._rows = self._new()

    def rows(self, standings: Iterable[Standing], now: datetime) -> list[Row]:
        """Return a row a schedule, in the order given."""
        before = self._standings
        self._standings = {}
        for one in standings:
            kept = before.get(one.schedule.id)
            same = kept is not None and (kept.schedule is one.schedule and kept.last is one.last)
            if kept is None or not same or kept.knows_last is not one.knows_last:
                kept = one
            self._standings[one.schedule.id] = kept
        return self._rows.rows(self._standings.values(), now)

    def _new(self) -> KeptRows[Standing]:
        return KeptRows(self._row, _holds)

    def _row(self, standing: Standing, now: datetime) -> Row:
        return schedule_row(standing, now, self.asked_at or now, utc=self.utc)


def _holds(standing: Standing, now: datetime) -> float:
    """Return for how many seconds a row stays true."""
    ages = 60.0 if standing.last is None else age_holds(standing.last.created_at, now)
    due = standing.schedule.next_run_at
    if due is None:
        return min(60.0, max(5.0, ages))
    left = (due - now).total_seconds()
    if left <= 0:
        return max(5.0, min(60.0, left + LATE.total_seconds()))
    return max(1.0, min(60.0, left, max(5.0, ages)))


def schedule_row(standing: Standing, now: datetime, asked_at: datetime, *, utc: bool) -> Row:
    """Return the row of a schedule.

    Args:
        standing: the schedule and its last run.
        now: from when one looks.
        asked_at: when the platform said so; what is old is not late.
        utc: whether times are shown in UTC, or in this machine's zone.
    """
    schedule, last = standing.schedule, standing.last
    late = missed(standing, asked_at)
    runs = next_runs(schedule, now, 1)
    due = runs[0].at if runs else None
    words = cron_words(schedule.cron)
    line = " ".join(clean(schedule.cron).split())
    cells = (
        _next_cell(standing, late, due, now, utc=utc),
        Cell(clean(schedule.description) or f"schedule {schedule.id}"),
        _when_cell(schedule, now, utc=utc) if words else Cell(line, "warning"),
        _last_cell(standing, now),
        Cell(ref_of(schedule), "muted"),
        Cell(zone_of(schedule), "muted"),
        Cell(clean(owner_name(schedule)), "muted"),
    )
    urgency = _INACTIVE if not standing.is_active else _WAITING if late is None else _MISSED
    moment = late or due
    state = {_MISSED: "failed did not fire", _INACTIVE: "inactive"}.get(urgency, "active")
    return Row(
        key=str(schedule.id),
        cells=cells,
        sort=(
            (urgency, moment.timestamp() if moment else float("inf")),
            cells[1].text.lower(),
            cells[2].text,
            (severity(last.status), last.id) if last else None,
            cells[4].text.lower(),
            cells[5].text.lower(),
            cells[6].text.lower() or None,
        ),
        search=" ".join(
            (state, f"#{schedule.id}", last.status if last else "", line,
             *(cell.text for cell in cells[1:]))
        ).lower(),
        muted=urgency == _INACTIVE,
    )  # fmt: skip


def owner_name(schedule: Schedule) -> str:
    """Return whom a schedule belongs to; empty where the platform names nobody."""
    owner = schedule.owner
    return "" if owner is None else owner.username or owner.name


def _when_cell(schedule: Schedule, now: datetime, *, utc: bool) -> Cell:
    """Return the cron line in words, with the zone where that is not the reader's."""
    words, zone = cron_words(schedule.cron), find_zone(schedule.cron_timezone)
    there = now.astimezone(zone)
    if zone is None or there.utcoffset() == in_zone(now, utc=utc).utcoffset():
        return Cell(words)
    named = f" {zone_letters(there)}"
    return Cell(f"{words}{named}", "text", ((words, "text"), (named, "muted")))


def _next_cell(
    standing: Standing, late: datetime | None, due: datetime | None, now: datetime, *, utc: bool
) -> Cell:
    if not standing.is_active:
        return Cell("■ inactive", "muted")
    if late is not None:
        return Cell("✖ did not fire", "failed")
    if due is None:
        return Cell("? not known", "warning")
    at = clock(due, now, utc=utc)
    if due - now >= _SOON:
        return Cell(at)
    away = distance(due, now)
    at = at[-len("00:00") :]
    return Cell(f"{at} {away}", "text", ((at, "text"), (f" {away}", "muted")))


def _last_cell(standing: Standing, now: datetime) -> Cell:
    last = standing.last
    if last is None:
        return Cell("never ran" if standing.knows_last else "", "muted")
    state, ago = status_cell(last.status), age(last.created_at, now)
    return Cell(f"{state.text} {ago}", state.role, ((state.text, state.role), (f" {ago}", "muted")))


def schedules_summary(
    rows: Sequence[Row], total: int | None, *, complete: bool
) -> list[tuple[str, str]]:
    """Return how the schedules stand, the worst first."""
    urgencies = [row.sort[0][0] for row in rows]
    missing, still = urgencies.count(_MISSED), urgencies.count(_INACTIVE)
    failed = sum(row.sort[3] is not None and row.sort[3][0] == severity("failed") for row in rows)
    loaded = counted(len(rows), "schedule")
    if not complete:
        of = f" of {total}" if total is not None else ""
        loaded = f"{loaded}{of} loaded"
    pieces = [(loaded, "text")]
    if missing:
        pieces.insert(0, (f"{missing} did not fire", "failed"))
    if failed:
        pieces.append((f"{failed} failed last time", "failed"))
    if still:
        pieces.append((f"{still} inactive", "muted"))
    return pieces
