"""Pipelines and their child pipelines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from platui.models.values.queries import PipelinesQuery, ProjectRef
from platui.models.values.statuses import ACTIVE, ENDED
from platui.service.resources.resource import Poll, Resource, endpoints

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing
    from platui.models.wire import Bridge, Job, Pipeline


def pipelines(query: PipelinesQuery) -> Resource[Listing[Pipeline]]:
    return Resource(
        lambda: endpoints.pipelines.pipelines(query),
        poll=Poll.NEWEST_FIRST,
        is_active=any_active,
        pipelines=lambda items: items,
    )


def newest(project: ProjectRef) -> Resource[Listing[Pipeline]]:
    """Return the pipelines of a project, newest first, one per page."""
    query = PipelinesQuery(project)
    return Resource(
        lambda: replace(endpoints.pipelines.pipelines(query), per_page=1),
        poll=Poll.NEWEST_FIRST,
        pipelines=lambda items: items,
    )


def pipeline(
    project: ProjectRef, pipeline_id: int, *, poll: Poll = Poll.WHILE_ACTIVE
) -> Resource[Pipeline]:
    """Return one pipeline; a finished one is final until a list shows a retry."""
    return Resource(
        lambda: endpoints.pipelines.pipeline(project, pipeline_id),
        poll=poll,
        is_active=is_active,
        is_final=has_ended,
        pipelines=lambda one: (one,),
        depends_on=lambda one: (one.id, one.updated_at),
    )


def ending(project: ProjectRef, pipeline_id: int) -> Resource[Pipeline]:
    """Return one pipeline, polled less often because only its end matters."""
    return pipeline(project, pipeline_id, poll=Poll.NEWEST_FIRST)


def bridges(project: ProjectRef, pipeline_id: int) -> Resource[Listing[Bridge]]:
    return Resource(
        lambda: endpoints.pipelines.bridges(project, pipeline_id),
        poll=Poll.WHILE_ACTIVE,
        is_active=any_active,
        is_final=all_ended,
        depends_on=lambda items: (pipeline_id, last_change(items)),
        whole=True,
    )


def is_active(record: Pipeline | Job | Bridge) -> bool:
    return record.status in ACTIVE


def any_active(records: Iterable[Pipeline | Job | Bridge]) -> bool:
    return any(map(is_active, records))


def has_ended(record: Pipeline | Job | Bridge) -> bool:
    return record.status in ENDED


def all_ended(records: tuple[Job, ...] | tuple[Bridge, ...]) -> bool:
    return bool(records) and all(map(has_ended, records))


def last_change(records: tuple[Job, ...] | tuple[Bridge, ...]) -> datetime | None:
    """Return the latest `updated_at` of the pipeline in these records."""
    changes = [one.pipeline.updated_at for one in records if one.pipeline is not None]
    return max(filter(None, changes), default=None)
