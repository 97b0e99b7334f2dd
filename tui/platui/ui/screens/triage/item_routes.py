"""Routes of items of the board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.routes import Route
from platui.models.values.triage_board import BoardItem, LateKind

if TYPE_CHECKING:
    from platui.models.values.triage import Incident
    from platui.present.triage.labels import Names


def view_route(item: BoardItem, names: Names, view: str) -> Route:
    """Return a view of an item's pipeline; for a schedule, the schedules."""
    ran, project = item.pipeline, item.lane.project
    name = names.path(project) or names.label(project)
    if ran is None:
        schedule = item.late.schedule if item.late is not None else None
        return Route("schedules", project, name, schedule=schedule)
    return Route(view, project, name, ran.id)


def item_route(item: BoardItem, names: Names) -> Route:
    """Return the log of a failed or silent job, at its error; else the jobs."""
    route, step, late = view_route(item, names, "jobs"), item.step, item.late
    if item.incident is not None and step is not None and step.has_log:
        line = item.signature.compared_line if item.signature is not None else None
        return replace(route, view="log", job=step.id, job_name=clean(step.name), line=line)
    if item.incident is None and late is not None and late.kind is LateKind.SILENT:
        return replace(route, view="log", job=late.job, job_name=clean(late.what))
    return route


def own_red(incident: Incident, items: Iterable[BoardItem]) -> int:
    """Return its newest failed pipeline, if possible one of no other incident.

    A run by hand belongs to all that is broken on its branch.
    """
    lane = incident.lane
    beside = (one for one in items if one.lane.project == lane.project and one.lane != lane)
    others = {red for one in beside if one.incident for red in one.incident.red_ids}
    return max(incident.red_ids - others, default=incident.newest_red.id)
