"""What is really wrong in the company: the planted causes, and what each of them has broken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from platui.emulator.records import PlantedCause
from platui.emulator.world.clockwork import moment
from platui.emulator.world.ids import job_id
from platui.emulator.world.showcase import newest_of_main
from platui.emulator.world.views import status_at

if TYPE_CHECKING:
    from platui.emulator.world.causes import Incident
    from platui.emulator.world.clockwork import Clockwork
    from platui.emulator.world.estate import Estate
    from platui.emulator.world.sites import Site

_SLOTS_AFTER: Final = 3
"""Slots for which a project may stay red after its incident: its newest run is of before."""

WORDS: Final = {
    "token_expired": "The token of a source has expired.",
    "relation_missing": "A staging model was renamed, and models still read the old name.",
    "warehouse_suspended": "The warehouse is suspended: its monthly quota is used up.",
    "test_failed": "Tests of the data find rows that should not be there.",
    "key_error": "The loader reads a field that the source does not send.",
    "connection_error": "A source refuses connections.",
    "out_of_memory": "A job needs more memory than its machine has.",
    "sql_syntax": "A model holds SQL that the warehouse does not understand.",
    "runner_failure": "The runners find no machine for their jobs.",
    "timeout": "A job takes longer than it may.",
    "warehouse_login": "The password of the warehouse's service user has expired.",
    "upstream_renamed": "A staging model that many projects read was renamed in one of them.",
    "network_outage": "The runners cannot reach the registries: their network is down.",
}


@dataclass(slots=True)
class _Found:
    """A cause while what it broke is being collected."""

    since: int
    projects: list[int] = field(default_factory=list)
    pipelines: list[int] = field(default_factory=list)
    jobs: list[int] = field(default_factory=list)
    commit: tuple[int, str] | None = None


def truth(estate: Estate, clockwork: Clockwork, now: float) -> list[PlantedCause]:
    """Return the causes behind what is red on default branches now, the widest first.

    Only incidents count: a pipeline that failed once by chance has no planted cause.
    """
    minute = clockwork.minute(now)
    found: dict[str, _Found] = {}
    for blueprint in estate.blueprints:
        incident = estate.incidents.around(blueprint.lane, minute)
        until = incident.end + _SLOTS_AFTER * blueprint.period
        if incident.start <= minute < until:
            _look_at(estate.at(blueprint.lane), incident, now, found)
    causes = [_planted(key, one, clockwork) for key, one in found.items()]
    return sorted(causes, key=lambda one: (-len(one.projects), one.key))


def _look_at(site: Site, incident: Incident, now: float, found: dict[str, _Found]) -> None:
    plan = newest_of_main(site, now, finished=True)
    if plan is None or status_at(plan, now) != "failed":
        return
    key = incident.cause.key
    broken = [
        one
        for one in plan.latest_at(now)
        if one.status_at(now) == "failed" and one.cause is not None and one.cause.key == key
    ]
    if not broken:
        return
    cause = found.setdefault(key, _Found(incident.start))
    cause.since = min(cause.since, incident.start)
    cause.projects.append(site.blueprint.id)
    cause.pipelines.append(plan.run.id)
    cause.jobs += [job_id(plan.run.id, one.index) for one in broken]
    if incident.cause.by_commit:
        commit = site.history.commit(site.history.main_of(site.diary.breaking_slot(incident)))
        cause.commit = cause.commit or (site.blueprint.id, commit.sha)


def _planted(key: str, found: _Found, clockwork: Clockwork) -> PlantedCause:
    return PlantedCause(
        key=key,
        words=WORDS[key],
        since=moment(clockwork.seconds(found.since)),
        projects=tuple(found.projects),
        pipelines=tuple(found.pipelines),
        jobs=tuple(found.jobs),
        first_broken_project=found.commit[0] if found.commit else None,
        first_broken_commit=found.commit[1] if found.commit else None,
    )
