"""A schedule as a detail pane."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import describe_cron
from platui.analysis.schedules.due_times import Due, Shift
from platui.analysis.schedules.zones import find_zone
from platui.core.secrets import MASK
from platui.core.text import clean
from platui.models.values.table import Cell
from platui.models.values.writes import PIPELINE_FILE_VARIABLE
from platui.present.details.layout import Details, Line, details, text_cell, yes_no
from platui.present.details.users import user_lines, user_technical
from platui.present.schedules.runs import ScheduleState, file_of, missed, next_runs, ref_of, zone_of
from platui.present.status import status_cell
from platui.present.times import clock, distance, in_zone, zone_letters, zone_name

if TYPE_CHECKING:
    from platui.models.wire import Schedule
    from platui.present.tables.spec import Context

_SHIFTS: Final = {
    Shift.SKIPPED: "the clock change skips this time. The schedule may run an hour later, or "
    "not on that day",
    Shift.TWICE: "this time occurs twice because of the clock change. The schedule may run twice",
}


def schedule_details(standing: ScheduleState, asked_at: datetime, at: Context) -> Details:
    schedule, zone = standing.schedule, find_zone(standing.schedule.cron_timezone)
    return details(
        schedule.description or f"Schedule #{schedule.id}",
        {
            "": _how(standing, asked_at, at),
            "next runs": run_lines(next_runs(schedule, at.now), zone, at),
            "what": _what(schedule, zone),
            "who": user_lines(schedule.owner, at) or _nobody(standing),
            "variables": _variables(schedule),
            "when": [
                ("created", at.stamp(schedule.created_at)),
                ("changed", at.stamp(schedule.updated_at)),
            ],
            "links": [
                ("last run", schedule.last_pipeline.web_url if schedule.last_pipeline else ""),
                ("user", schedule.owner.web_url if schedule.owner else ""),
            ],
            "technical": [("schedule", f"#{schedule.id}"), *user_technical(schedule.owner)],
        },
    )


def _how(standing: ScheduleState, asked_at: datetime, at: Context) -> list[Line]:
    late = missed(standing, asked_at)
    lines: list[Line] = []
    if late is not None:
        lines += [
            ("missing", Cell("✖ did not run", "failed")),
            ("", f"due {at.stamp(late)}"),
        ]
    if standing.is_sent:
        lines.append(("known", Cell("as platui created it; may have changed", "warning")))
    active = standing.schedule.active
    lines.append(("active", Cell(yes_no(active), "text" if active else "warning")))
    last = standing.last
    if last is not None:
        state = status_cell(last.status)
        lines += [
            ("last run", Cell(f"{state.text} · #{last.id}", state.role)),
            ("", at.stamp(last.created_at)),
        ]
    elif standing.knows_last:
        lines.append(("last run", "never"))
    return lines


def _what(schedule: Schedule, zone: tzinfo | None) -> list[Line]:
    name, key = zone_of(schedule), getattr(zone, "key", "")
    known = f"{name} ({key})" if key and key != name else name
    return [
        (
            "when",
            describe_cron(schedule.cron)
            or Cell("platui does not support this cron expression", "warning"),
        ),
        ("cron", " ".join(schedule.cron.split())),
        ("zone", known if zone is not None else text_cell(f"{name}: unknown", "warning")),
        ("ref", ref_of(schedule)),
        ("file", file_of(schedule)),
    ]


def _nobody(standing: ScheduleState) -> list[Line]:
    if standing.is_sent or standing.schedule.created_at is None:
        return []  # such a platform may omit the owner
    return [("owner", Cell("none: take ownership", "warning"))]


def _variables(schedule: Schedule) -> list[Line]:
    """Return variables and inputs; values may be secrets and are masked."""
    others = [one.key for one in schedule.variables if one.key != PIPELINE_FILE_VARIABLE]
    lines: list[Line] = [(clean(key), Cell(MASK, "muted")) for key in others]
    return lines + [(clean(one.name), one.value) for one in schedule.inputs]


def run_lines(
    runs: tuple[Due, ...], zone: tzinfo | None, at: Context, *, wide: bool = False
) -> list[Line]:
    """Return runs in the schedule's and the user's zone; `wide`: on one line."""
    lines: list[Line] = []
    for number, run in enumerate(runs, 1):
        label, role = ("next", "strong") if number == 1 else ("", "text")
        # Without a zone, only a run that the platform announces is known.
        letters = "UTC" if zone is None else zone_letters(run.at.astimezone(zone))
        there = clean(f"{run.wall:%a %d %b %H:%M} {letters}".strip())
        here = _here(run, at, zone)
        away = f" · {distance(run.at, at.now)}"
        if here and wide:
            there, here = f"{there}   {here}", ""
        lines.append((label, Cell(there if here else f"{there}{away}", role)))
        if here:
            lines.append(("", Cell(f"{here}{away}", "muted")))
        if run.shift is not Shift.NONE:
            lines.append(("", Cell(_SHIFTS[run.shift], "warning")))
        if run.by_cron is not None:
            by_cron = clock(run.by_cron, at.now, utc=at.utc)
            lines.append(("", f"sent by the platform; by the cron expression {by_cron}"))
    lines += _change(runs, zone, at.now)
    return lines


def _here(run: Due, at: Context, zone: tzinfo | None) -> str:
    """Return a run in the user's zone; empty if it is the same."""
    here = in_zone(run.at, utc=at.utc)
    if zone is not None and run.at.astimezone(zone).utcoffset() == here.utcoffset():
        return ""
    day = "" if here.date() == run.wall.date() else f"{here:%a %d %b} "
    return f"{day}{here:%H:%M} {zone_name(run.at, utc=at.utc)}"


def _change(runs: tuple[Due, ...], zone: tzinfo | None, now: datetime) -> list[Line]:
    if zone is None:
        return []
    before = now.astimezone(zone)
    for run in runs:
        then = run.at.astimezone(zone)
        change = (then.utcoffset() or timedelta()) - (before.utcoffset() or timedelta())
        if change:
            way = "forward" if change > timedelta() else "back"
            names = f"{before.tzname()} to {then.tzname()}"
            return [("clocks", Cell(f"go {way} before {then:%a %d %b}: {names}", "warning"))]
    return []
