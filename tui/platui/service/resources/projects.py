"""Projects and namespaces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from platui.models.values.queries import PipelinesQuery, ProjectRef, ProjectsQuery
from platui.service.resources.resource import Poll, Resource, endpoints, latest_pipelines

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint
    from platui.models.values.feeds import Listing, Page
    from platui.models.wire import Namespace, Pipeline, Project
    from platui.service.feeds import latest_pipelines as latest_feed
    from platui.service.resources.resource import FeedSource


def namespaces(search: str = "") -> Resource[Listing[Namespace]]:
    return Resource(lambda: endpoints.projects.namespaces(search), poll=Poll.SLOW)


def projects(query: ProjectsQuery, *, whole: bool = False) -> Resource[Listing[Project]]:
    return Resource(lambda: endpoints.projects.projects(query), poll=Poll.SLOW, whole=whole)


def project(ref: ProjectRef) -> Resource[Project]:
    return Resource(lambda: endpoints.projects.project(ref), poll=Poll.SLOW)


def latest() -> FeedSource[latest_feed.LatestFeed[Any]]:
    """Return the newest pipeline of each project passed to `show`."""

    def newest(ref: int) -> Endpoint[Page[Pipeline]]:
        return replace(endpoints.pipelines.pipelines(PipelinesQuery(ref)), per_page=1).page()

    return latest_pipelines(newest, lambda page: page.items[0] if page.items else None)
