"""Which project to open first: one where something is broken that reads well."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.emulator.world import causes
from platui.emulator.world.plans import ENDED
from platui.emulator.world.views import status_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.emulator.world.estate import Estate
    from platui.emulator.world.plans import Plan
    from platui.emulator.world.sites import Site

_SLOTS: Final = 30
"""How far back the newest pipeline of a default branch may lie."""

_LIVELY: Final = 120
"""Minutes between two pipelines of a project that is worth showing, at most."""

_LOOKED_AT: Final = 64
"""Projects that are looked at, at most, in a company of any size."""


def choose(estate: Estate, now: float) -> Site:
    """Return a project broken by a missing relation: one that runs at the moment, if any."""
    lanes = islice(_candidates(estate), _LOOKED_AT)
    red = [lane for lane in lanes if _breaks_on_relation(estate.at(lane), now)]
    busy = (lane for lane in red if _is_running(estate.at(lane), now))
    return estate.at(next(busy, red[0] if red else 0))


def _candidates(estate: Estate) -> Iterator[int]:
    """Yield the projects that may be broken so."""
    for one in estate.blueprints:
        if one.period <= _LIVELY and estate.incidents.renames(one.lane):
            yield one.lane


def _breaks_on_relation(site: Site, now: float) -> bool:
    plan = newest_of_main(site, now, finished=True)
    fate = plan.run.fate if plan else None
    return bool(fate and fate.kind == "red" and fate.cause is causes.RELATION_MISSING)


def _is_running(site: Site, now: float) -> bool:
    plan = newest_of_main(site, now, finished=False)
    return plan is not None and status_at(plan, now) == "running"


def newest_of_main(site: Site, now: float, *, finished: bool) -> Plan | None:
    """Return the newest pipeline of the default branch."""
    main = site.blueprint.record.default_branch
    for plan in site.newest_first(now, _SLOTS):
        own = plan.run.parent_id is None and plan.run.ref == main
        if own and (not finished or status_at(plan, now) in ENDED):
            return plan
    return None
