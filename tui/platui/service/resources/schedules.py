"""Pipeline schedules and their last pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.service.resources.pipelines import is_active
from platui.service.resources.resource import Poll, Resource, endpoints, latest_pipelines

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Schedule
    from platui.service.feeds import latest_pipelines as latest_feed
    from platui.service.resources.resource import FeedSource


def schedules(project: ProjectRef) -> Resource[Listing[Schedule]]:
    return Resource(lambda: endpoints.schedules.schedules(project), poll=Poll.SLOW)


def schedule(project: ProjectRef, schedule_id: int) -> Resource[Schedule]:
    return Resource(
        lambda: endpoints.schedules.schedule(project, schedule_id),
        is_active=lambda one: one.last_pipeline is not None and is_active(one.last_pipeline),
    )


def last_runs(project: ProjectRef) -> FeedSource[latest_feed.LatestFeed[Any]]:
    """Return the last pipeline of each schedule passed to `show`."""
    return latest_pipelines(
        lambda schedule_id: endpoints.schedules.schedule(project, schedule_id),
        lambda one: one.last_pipeline,
    )
