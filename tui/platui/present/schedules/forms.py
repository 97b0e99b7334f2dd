"""The schedule form: values, problems and a preview of runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from platui.analysis.schedules import due_times
from platui.analysis.schedules.cron import describe_cron, read_cron
from platui.analysis.schedules.zones import find_zone, zone_names
from platui.core.errors import ApiError, PlatuiError
from platui.core.text import clean
from platui.models.values.writes import NewSchedule, ScheduleChange
from platui.present.details.schedules import run_lines
from platui.present.form_rows import START
from platui.present.schedules.runs import DEFAULT_ZONE, ref_of
from platui.present.tables.spec import Context

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Schedule
    from platui.present.chrome import Piece

    Typed = Mapping[str, str]

# Field and word of a platform's message; the first match counts
_BLAMED: Final = (
    ("zone", "timezone"), ("cron", "cron"), ("ref", "ref"), ("description", "description"),
)  # fmt: skip
YES, NO = "yes", "no"
# Field of a schedule -> option of the command
_OPTIONS: Final = {
    "description": "description", "ref": "ref", "cron": "cron", "cron_timezone": "timezone",
    "active": "active",
}  # fmt: skip

__all__ = [
    "NO", "YES", "blamed", "new_schedule", "preview", "problems", "schedule_change", "typed_of",
    "zone_names", "zone_of",
]  # fmt: skip


def zone_of(machine: str) -> tuple[str, str]:
    """Return the default zone of a schedule, and its origin."""
    if find_zone(machine) is None or not machine:
        return DEFAULT_ZONE, "this machine's zone has no name"
    return machine, "this machine's zone"


def new_schedule(project: ProjectRef, typed: Typed) -> NewSchedule:
    return NewSchedule(
        project,
        typed["description"].strip(),
        typed["ref"].strip(),
        " ".join(typed["cron"].split()),
        typed["zone"].strip(),
        typed["active"] == YES,
    )


def schedule_change(
    project: ProjectRef, schedule: int, typed: Typed, before: Typed
) -> ScheduleChange | None:
    old = new_schedule(project, before)
    new, was = _values(new_schedule(project, typed)), _values(old)
    changed = {name: value for name, value in new.items() if value != was[name]}
    if not changed:
        return None
    was["active"] = str(old.active).lower()
    previous = tuple((_OPTIONS[name], was[name]) for name in changed)
    return ScheduleChange(project, schedule, **changed, name=old.description, before=previous)


def _values(one: NewSchedule) -> dict[str, Any]:
    # Blank means the default, which a change must contain.
    one = replace(one, cron_timezone=one.cron_timezone or DEFAULT_ZONE)
    return {name: getattr(one, name) for name in _OPTIONS}


def typed_of(schedule: Schedule) -> dict[str, str]:
    return {
        "description": clean(schedule.description),
        "ref": ref_of(schedule),
        "cron": " ".join(clean(schedule.cron).split()),
        "zone": clean(schedule.cron_timezone),
        "active": NO if schedule.active is False else YES,
    }


def problems(typed: Typed, refs: Collection[str] | None = None) -> dict[str, str]:
    """Return field -> problem, in the form's order; `refs` None: unknown."""
    ref = due_times.ref_problem(typed["ref"])
    short = typed["ref"].strip().removeprefix("refs/heads/").removeprefix("refs/tags/")
    if not ref and refs is not None and short not in refs:
        ref = f"Branch or tag {clean(short)} not found."
    found = {
        "description": due_times.description_problem(typed["description"]),
        "ref": ref,
        "cron": due_times.cron_problem(typed["cron"]),
        "zone": due_times.zone_problem(typed["zone"]),
    }
    return {field: sentence for field, sentence in found.items() if sentence}


def blamed(error: PlatuiError) -> str:
    said = error.sentence.lower() if isinstance(error, ApiError) else ""
    return next((field for field, word in _BLAMED if word in said), START)


def preview(typed: Typed, now: datetime, *, utc: bool) -> list[Piece]:
    if not typed["cron"].strip():
        return [(_beside("", "such as 0 1 * * 5 (at 01:00 every Friday), or @daily"), "muted")]
    reading, zone = read_cron(typed["cron"]), find_zone(typed["zone"])
    if reading.problem:
        return [(_beside("", reading.problem), "failed")]
    if not reading.cron:
        return [(_beside("", "not supported by platui; the platform may accept it"), "warning")]
    words = (_beside("runs", describe_cron(typed["cron"])), "strong")
    if zone is None:
        return [words, (_beside("", due_times.zone_problem(typed["zone"])), "failed")]
    runs = due_times.upcoming(reading.cron, zone, now)
    said = run_lines(runs, zone, Context(now.astimezone(UTC), utc), wide=True)
    pieces = [words]
    if typed["active"] != YES:
        pieces.append((_beside("", "inactive: runs only manually; when active:"), "warning"))
    if not runs:
        pieces.append((_beside("", "never: no such date"), "failed"))
    for label, value in said:
        text, role = (value, "text") if isinstance(value, str) else (value.text, value.role)
        pieces.append((_beside(label, clean(text)), role))
    return pieces


def _beside(label: str, text: str) -> str:
    return f"{label:8}{text}"
