"""A schedule that is being typed: what is wrong with it, and when it would run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Final

from platui.analysis.schedules.cron import cron_words, read_cron
from platui.analysis.schedules.dues import (
    cron_problem,
    description_problem,
    ref_problem,
    upcoming,
    zone_problem,
)
from platui.analysis.schedules.zones import find_zone, zone_names
from platui.core.text import clean
from platui.models.values.writes import NewSchedule, ScheduleChange
from platui.present.details.layout import Moment
from platui.present.details.schedules import run_lines
from platui.present.form_rows import START
from platui.present.schedules.runs import DEFAULT_ZONE, Run, ref_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Schedule
    from platui.present.chrome import Piece

_BLAMED: Final = (
    ("zone", "timezone"), ("cron", "cron"), ("ref", "ref"), ("description", "description"),
)  # fmt: skip
"""Words that platforms use of what is in a field: field, word. The first that is there counts."""

_LABEL: Final = 8
"""Cells of what stands before the runs."""

__all__ = [
    "ScheduleDraft", "blamed", "draft_of", "preview", "problems", "zone_names", "zone_of",
]  # fmt: skip


def zone_of(machine: str) -> tuple[str, str]:
    """Return the zone of a schedule of which nobody has said one, and where that comes from."""
    if find_zone(machine) is None or not machine:
        return DEFAULT_ZONE, "the zone of this machine has no name"
    return machine, "the zone of this machine"


@dataclass(frozen=True, slots=True)
class ScheduleDraft:
    """What is typed."""

    description: str = ""
    ref: str = ""
    cron: str = ""
    zone: str = ""
    active: bool = True

    def new(self, project: ProjectRef) -> NewSchedule:
        return NewSchedule(
            project,
            self.description.strip(),
            self.ref.strip(),
            " ".join(self.cron.split()),
            self.zone.strip(),
            self.active,
        )

    def change(
        self, project: ProjectRef, schedule: int, before: ScheduleDraft
    ) -> ScheduleChange | None:
        new, old = self.new(project), before.new(project)
        told = _told(new)
        changed = {name: value for name, value in _told(old).items() if value != told[name]}
        if not changed:
            return None
        return ScheduleChange(
            project,
            schedule,
            description=new.description if "description" in changed else None,
            ref=new.ref if "ref" in changed else None,
            cron=new.cron if "cron" in changed else None,
            # Blank means the default, which a change has to say.
            cron_timezone=(new.cron_timezone or DEFAULT_ZONE) if "timezone" in changed else None,
            active=new.active if "active" in changed else None,
            name=old.description,
            before=tuple(changed.items()),
        )


def _told(one: NewSchedule) -> dict[str, str]:
    return {
        "description": one.description,
        "ref": one.ref,
        "cron": one.cron,
        "timezone": one.cron_timezone or DEFAULT_ZONE,
        "active": str(one.active).lower(),
    }


def draft_of(schedule: Schedule) -> ScheduleDraft:
    return ScheduleDraft(
        clean(schedule.description),
        ref_of(schedule),
        " ".join(clean(schedule.cron).split()),
        clean(schedule.cron_timezone),
        schedule.active is not False,
    )


def problems(draft: ScheduleDraft, refs: Collection[str] | None = None) -> dict[str, str]:
    """Return field -> sentence, in the form's order; `refs` None: the platform lists none."""
    ref = ref_problem(draft.ref)
    short = draft.ref.strip().removeprefix("refs/heads/").removeprefix("refs/tags/")
    if not ref and refs is not None and short not in refs:
        ref = f"There is no branch or tag {clean(short)} here."
    found = {
        "description": description_problem(draft.description),
        "ref": ref,
        "cron": cron_problem(draft.cron),
        "zone": zone_problem(draft.zone),
    }
    return {field: sentence for field, sentence in found.items() if sentence}


def blamed(sentence: str) -> str:
    said = sentence.lower()
    return next((field for field, word in _BLAMED if word in said), START)


def preview(draft: ScheduleDraft, now: datetime, *, utc: bool) -> list[Piece]:
    if not draft.cron.strip():
        return [(_beside("", "such as 0 1 * * 5 (at 01:00 every Friday), or @daily"), "muted")]
    reading, zone = read_cron(draft.cron), find_zone(draft.zone)
    if reading.problem:
        return [(_beside("", reading.problem), "failed")]
    if reading.cron is None:
        return [(_beside("", "platui cannot reckon this line; the platform may"), "warning")]
    words = (_beside("runs", cron_words(draft.cron)), "strong")
    if zone is None:
        return [words, (_beside("", zone_problem(draft.zone)), "failed")]
    dues = upcoming(reading.cron, zone, now)
    runs = tuple(Run(due.at, due.wall, due.shift) for due in dues)
    named = draft.zone.strip() or DEFAULT_ZONE
    said = run_lines(runs, zone, named, Moment(now.astimezone(UTC), utc), wide=True)
    pieces = [words]
    if not draft.active:
        pieces.append((_beside("", "only by hand: it is not active"), "warning"))
    if not runs:
        pieces.append((_beside("", "never: no such day comes"), "failed"))
    for label, value in said:
        text, role = (value, "text") if isinstance(value, str) else (value.text, value.role)
        pieces.append((_beside(label, clean(text)), role))
    return pieces


def _beside(label: str, text: str) -> str:
    return f"{label:{_LABEL}}{text}"
