"""Which project to open first: one where something is broken that reads well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.world import causes
from platui.emulator.world.plans import ENDED
from platui.emulator.world.views import status_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.emulator.world.plans import Plan
    from platui.emulator.world.sites import Site

_SLOTS: Final = 30
"""How far back the newest pipeline of a default branch may lie."""


def choose(sites: Sequence[Site], now: float) -> Site:
    """Return a project broken by a missing relation: one that runs at the moment, if any."""
    red = [site for site in sites if _breaks_on_relation(site, now)]
    busy = [site for site in red if _is_running(site, now)]
    return (busy or red or list(sites))[0]


def _breaks_on_relation(site: Site, now: float) -> bool:
    plan = _newest(site, now, finished=True)
    fate = plan.run.fate if plan else None
    return bool(fate and fate.kind == "red" and fate.cause is causes.RELATION_MISSING)


def _is_running(site: Site, now: float) -> bool:
    plan = _newest(site, now, finished=False)
    return plan is not None and status_at(plan, now) == "running"


def _newest(site: Site, now: float, *, finished: bool) -> Plan | None:
    """Return the newest pipeline of the default branch."""
    main = site.blueprint.record.default_branch
    for plan in site.newest_first(now, _SLOTS):
        own = plan.run.parent_id is None and plan.run.ref == main
        if own and (not finished or status_at(plan, now) in ENDED):
            return plan
    return None
