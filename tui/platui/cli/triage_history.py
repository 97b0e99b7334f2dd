"""Incidents that are over, from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.list_options import Asked
from platui.cli.list_printing import Sheet, look_of, printing
from platui.cli.patience import narrate
from platui.cli.triage_asking import path_in
from platui.cli.triage_shape import past_object
from platui.core.text import clean, shorten
from platui.models.values.triage_items import Mark
from platui.present.times import dated, duration
from platui.present.triage_names import Names, incident_name
from platui.present.triage_words import lane_ref, reds

if TYPE_CHECKING:
    from platui.cli.connecting import Platform
    from platui.config.settings import Options
    from platui.models.values.triage_memory import PastIncident

    Over = tuple[PastIncident, Mark]

HEADS: Final = ("INCIDENT", "REF", "RED", "RECOVERED", "LASTED", "CAUSE")
CSV_HEADS: Final = (
    "incident", "project", "ref", "name", "since", "recovered_at", "red", "cause", "owner", "note",
)  # fmt: skip
_SPARE: Final = (
    (5, 24), (1, 8), (0, 30), (1, 0), (0, 24), (5, 16), (0, 18), (5, 0),
)  # fmt: skip
_NO_MARK: Final = Mark()


def show_history(platform: Platform, options: Options, form: str, limit: int) -> int:
    """Print incidents that are over, the one that ended last first; returns the exit code.

    Nothing is asked of the platform.

    Args:
        platform: whose.
        options: whether times are told in UTC.
        form: `json`, `csv`, or empty: for people.
        limit: how many at the most.
    """
    service = platform.service
    memory = service.triage_book.memory.value
    over = [one for one in memory.history.values() if one.recovered_at is not None]
    over.sort(key=lambda one: one.recovered_at or one.opened_at, reverse=True)
    some = over[:limit]
    base = service.profile.url
    names = Names(
        (int(one.incident.lane.project), path)
        for one in some
        if (path := path_in((one.incident.first_red, one.incident.newest_red), base))
    )
    printed = [(one, memory.marks.get(one.key, _NO_MARK)) for one in some]
    sheet: Sheet[Over] = Sheet(
        HEADS,
        lambda one: _row(one[0], names, utc=options.utc),
        lambda one: past_object(*one, names),
        CSV_HEADS,
        right={2, 4},
        spare=_SPARE,
    )
    with printing(
        "incidents", Asked(limit, form), lambda: sheet, look_of(platform, options)
    ) as out:
        out.take(printed)
    if not over:
        narrate("No incident that is over is remembered yet.")
    elif len(over) > limit:
        narrate(f"{len(over) - limit} older ones: --limit N prints so many.")
    return 0


def _row(one: PastIncident, names: Names, *, utc: bool) -> tuple[str, ...]:
    incident = one.incident
    since, until = incident.since, one.recovered_at
    lasted = (until - since).total_seconds() if since is not None and until is not None else None
    return (
        clean(incident_name(incident.lane.project, incident.first_red.id, names)),
        shorten(lane_ref(incident.lane, incident.newest_red), 60),
        reds(incident.streak, more=incident.is_at_least).removesuffix(" red"),
        dated(until, utc=utc),
        duration(lasted) + "+" * incident.is_at_least,
        shorten(one.cause, 200) or "-",
    )
