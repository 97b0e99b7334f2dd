"""The planted causes that are active now, and the jobs and pipelines they broke."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui_emulator.records import PlantedCause
from platui_emulator.world import causes
from platui_emulator.world.clock import CompanyClock, job_id, moment
from platui_emulator.world.plans import ENDED, Plan
from platui_emulator.world.views import status_at

if TYPE_CHECKING:
    from platui_emulator.world.causes import Incident
    from platui_emulator.world.project_pool import ProjectPool
    from platui_emulator.world.project_simulation import ProjectSimulation


_SLOTS: Final = 30

_LIVELY: Final = 120
"""Minutes between two pipelines of a project that is worth showing, at most."""

_LOOKED_AT: Final = 64
"""Maximum number of projects that are inspected, in a company of any size."""


def choose(estate: ProjectPool, now: float) -> ProjectSimulation:
    """Return a project broken by a missing relation: one that runs at the moment, if any."""
    lanes = islice(_candidates(estate), _LOOKED_AT)
    red = [lane for lane in lanes if _breaks_on_relation(estate.at(lane), now)]
    busy = (lane for lane in red if _is_running(estate.at(lane), now))
    return estate.at(next(busy, red[0] if red else 0))


def _candidates(estate: ProjectPool) -> Iterator[int]:
    for one in estate.blueprints:
        if one.period <= _LIVELY and estate.incidents.renames(one.lane):
            yield one.lane


def _breaks_on_relation(site: ProjectSimulation, now: float) -> bool:
    plan = newest_of_main(site, now, finished=True)
    fate = plan.run.fate if plan else None
    return bool(fate and fate.kind == "red" and fate.cause is causes.RELATION_MISSING)


def _is_running(site: ProjectSimulation, now: float) -> bool:
    plan = newest_of_main(site, now, finished=False)
    return plan is not None and status_at(plan, now) == "running"


def newest_of_main(site: ProjectSimulation, now: float, *, finished: bool) -> Plan | None:
    """Return the newest pipeline of the default branch."""
    main = site.blueprint.record.default_branch
    for plan in site.newest_first(now, _SLOTS):
        own = plan.run.parent_id is None and plan.run.ref == main
        if own and (not finished or status_at(plan, now) in ENDED):
            return plan
    return None


_SLOTS_AFTER: Final = 3
"""Slots for which a project can stay failed after an incident, until its next run."""

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


def truth(estate: ProjectPool, clockwork: CompanyClock, now: float) -> list[PlantedCause]:
    """Return the causes of incidents on default branches now, the widest first."""
    minute = clockwork.minute(now)
    found: dict[str, _Found] = {}
    for blueprint in estate.blueprints:
        incident = estate.incidents.around(blueprint.lane, minute)
        until = incident.end + _SLOTS_AFTER * blueprint.period
        if incident.start <= minute < until:
            _look_at(estate.at(blueprint.lane), incident, now, found)
    causes = [_planted(key, one, clockwork) for key, one in found.items()]
    return sorted(causes, key=lambda one: (-len(one.projects), one.key))


def _look_at(
    site: ProjectSimulation, incident: Incident, now: float, found: dict[str, _Found]
) -> None:
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


def _planted(key: str, found: _Found, clockwork: CompanyClock) -> PlantedCause:
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
