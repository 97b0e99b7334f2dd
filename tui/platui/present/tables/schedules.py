"""The table of schedules: next run, interval, last run and missed runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import describe_cron
from platui.analysis.schedules.due_times import LATE
from platui.analysis.schedules.zones import find_zone
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, Row, cell_of
from platui.present import times
from platui.present.counts import counted
from platui.present.schedules.runs import (
    ScheduleState,
    missed,
    next_runs,
    owner_name,
    ref_of,
    zone_of,
)
from platui.present.status import severity, status_cell
from platui.present.tables.spec import ColumnSpec, Context, RowCache, TableSpec

if TYPE_CHECKING:
    from platui.models.wire import Schedule

_SOON: Final = timedelta(hours=24)
_MISSED, _WAITING, _INACTIVE = range(3)  # Sort order
_STATES: Final = {_MISSED: "failed did not run", _INACTIVE: "inactive", _WAITING: "active"}


class ScheduleLine(NamedTuple):
    standing: ScheduleState
    late: datetime | None
    due: datetime | None

    @property
    def schedule(self) -> Schedule:
        return self.standing.schedule

    @property
    def urgency(self) -> int:
        if not self.standing.is_active:
            return _INACTIVE
        return _WAITING if self.late is None else _MISSED


def schedule_line(standing: ScheduleState, now: datetime, asked_at: datetime) -> ScheduleLine:
    """`asked_at` is the time of the data: old data does not make a schedule late."""
    runs = next_runs(standing.schedule, now, 1)
    return ScheduleLine(standing, missed(standing, asked_at), runs[0].at if runs else None)


def _next_sort(line: ScheduleLine, _at: Context) -> tuple[int, float]:
    moment = line.late or line.due
    return line.urgency, moment.timestamp() if moment else float("inf")


def _next_cell(line: ScheduleLine, at: Context) -> Cell:
    due = line.due
    if not line.standing.is_active:
        return Cell("■ inactive", "muted")
    if line.late is not None:
        return Cell("✖ did not run", "failed")
    if due is None:
        return Cell("? unknown", "warning")
    time = times.clock(due, at.now, utc=at.utc)
    if due - at.now >= _SOON:
        return Cell(time)
    away = times.distance(due, at.now)
    return cell_of([(time[-len("00:00") :], "text"), (f" {away}", "muted")])


def _cron_line(line: ScheduleLine) -> str:
    return " ".join(clean(line.schedule.cron).split())


def _when_cell(line: ScheduleLine, at: Context) -> Cell:
    words, zone = describe_cron(line.schedule.cron), find_zone(line.schedule.cron_timezone)
    if not words:
        return Cell(_cron_line(line), "warning")
    there = at.now.astimezone(zone)
    if zone is None or there.utcoffset() == times.in_zone(at.now, utc=at.utc).utcoffset():
        return Cell(words)
    return cell_of([(words, "text"), (f" {times.zone_letters(there)}", "muted")])


def _last_cell(line: ScheduleLine, at: Context) -> Cell:
    last = line.standing.last
    if last is None:
        return Cell("never ran", "muted") if line.standing.knows_last else BLANK
    state, ago = status_cell(last.status), times.age(last.created_at, at.now)
    return cell_of([(state.text, state.role), (f" {ago}", "muted")], state.role)


def _searched(line: ScheduleLine) -> tuple[str, ...]:
    last = line.standing.last
    status = last.status if last else ""
    return _STATES[line.urgency], f"#{line.schedule.id}", status, _cron_line(line)


SCHEDULES: Final[TableSpec[ScheduleLine]] = TableSpec(
    key=lambda line: str(line.schedule.id),
    search=_searched,
    muted=lambda line: line.urgency == _INACTIVE,
    screen=("next", "what", "when", "last", "ref", "zone", "owner"),
    cli=("id", "active", "cron", "zone", "next", "ref", "owner", "what"),
    columns=(
        ColumnSpec(
            "id",
            "ID",
            value=lambda line, _: line.schedule.id if line.schedule.id > 0 else None,
            cli_text=lambda line, _: str(line.schedule.id) if line.schedule.id > 0 else "?",
            right=True,
        ),
        ColumnSpec(
            "what",
            "SCHEDULE",
            name="description",
            value=lambda line, _: line.schedule.description,
            cell=lambda line, _: line.schedule.description or f"schedule {line.schedule.id}",
            cli_text=lambda line, _: line.schedule.description,
            width=20,
            minimum=17,
            flexible=True,
            fits=True,
            middle=True,
            cli_minimum=16,
        ),
        ColumnSpec(
            "ref",
            "REF",
            value=lambda line, _: ref_of(line.schedule),
            role="muted",
            width=12,
            minimum=11,
            priority=2,
            fits=True,
            middle=True,
        ),
        ColumnSpec("cron", "CRON", value=lambda line, _: line.schedule.cron, cli_minimum=6),
        ColumnSpec(
            "zone",
            "ZONE",
            name="cron_timezone",
            value=lambda line, _: zone_of(line.schedule),
            role="muted",
            width=16,
            minimum=10,
            priority=3,
            fits=True,
            ends=True,
            cli_minimum=6,
        ),
        ColumnSpec(
            "active",
            "ON",
            cli_priority=1,
            value=lambda line, _: line.standing.is_active,
            cli_text=lambda line, _: "yes" if line.standing.is_active else "no",
        ),
        ColumnSpec("next_run_at", value=lambda line, _: line.standing.schedule.next_run_at),
        ColumnSpec("missed_at", value=lambda line, _: line.late),
        ColumnSpec(
            "next",
            "NEXT RUN",
            name="due_at",
            value=lambda line, _: line.due,
            cell=_next_cell,
            cli_text=lambda line, at: (
                times.dated(line.due, utc=at.utc) if line.late is None else "did not run"
            ),
            sort=_next_sort,
            searched=False,
            width=14,
            fits=True,
        ),
        ColumnSpec(
            "when",
            "WHEN",
            name=None,
            in_cli=False,
            cell=_when_cell,
            width=24,
            minimum=18,
            priority=1,
            fits=True,
        ),
        ColumnSpec(
            "last",
            "LAST RUN",
            name=None,
            in_cli=False,
            cell=_last_cell,
            sort=lambda line, _: (
                (severity(last.status), last.id) if (last := line.standing.last) else None
            ),
            width=14,
            fits=True,
            whole=True,
        ),
        ColumnSpec(
            "owner",
            "OWNER",
            value=lambda line, _: owner_name(line.schedule) or None,
            role="muted",
            width=12,
            minimum=8,
            priority=4,
            fits=True,
            optional=True,
            cli_minimum=5,
        ),
    ),
)


class ScheduleRows:
    """The rows of a project's schedules, cached while they are valid."""

    def __init__(self, *, utc: bool = False) -> None:
        # When a schedule was fetched; None: now
        self.asked_at: Callable[[Schedule], datetime | None] = lambda _: None
        self.utc = utc
        self._rows = RowCache(self._row, _holds, lambda standing: standing.schedule.id)

    def rows(self, standings: Iterable[ScheduleState], now: datetime) -> list[Row]:
        return self._rows.rows(standings, now)

    def _row(self, standing: ScheduleState, now: datetime) -> Row:
        line = schedule_line(standing, now, self.asked_at(standing.schedule) or now)
        return SCHEDULES.row(line, Context(now, self.utc))


def _holds(standing: ScheduleState, now: datetime) -> float:
    ages = 60.0 if standing.last is None else times.age_valid_seconds(standing.last.created_at, now)
    due = standing.schedule.next_run_at
    if due is None:
        return min(60.0, max(5.0, ages))
    left = (due - now).total_seconds()
    if left <= 0:
        return max(5.0, min(60.0, left + LATE.total_seconds()))
    return max(1.0, min(60.0, left, max(5.0, ages)))


def schedules_summary(
    rows: Sequence[Row], total: int | None, *, complete: bool
) -> list[tuple[str, str]]:
    places = {column.key: at for at, column in enumerate(SCHEDULES.screen_columns)}
    urgencies = [row.sort[places["next"]][0] for row in rows]
    lasts = [row.sort[places["last"]] for row in rows]
    missing, still = urgencies.count(_MISSED), urgencies.count(_INACTIVE)
    failed = sum(last is not None and last[0] == severity("failed") for last in lasts)
    loaded = counted(len(rows), "schedule")
    if not complete:
        of = f" of {total}" if total is not None else ""
        loaded = f"{loaded}{of} loaded"
    pieces = (
        (missing, f"{missing} did not run", "failed"),
        (True, loaded, "text"),
        (failed, f"{failed} failed last time", "failed"),
        (still, f"{still} inactive", "muted"),
    )
    return [(text, role) for count, text, role in pieces if count]
