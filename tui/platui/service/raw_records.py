"""Raw records: the bytes of the platform, from the cache or with one request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints import jobs, pipelines, projects, schedules
from platui.api.endpoints.actions import RECORDS
from platui.core.errors import NotFoundError, PlatuiError
from platui.models.values.queries import (
    JobsQuery,
    PipelinesQuery,
    ProjectsQuery,
    RawRecord,
    RecordKind,
)
from platui.service.resources.jobs import is_final
from platui.service.resources.resource import never

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint, ListEndpoint
    from platui.models.values.queries import RecordRef
    from platui.service.reader import Reader

_PAGES: Final = 1000  # maximum pages of one list

_ANY: Final = json.JSONDecoder()


async def read_raw(reader: Reader, ref: RecordRef, *, refresh: bool) -> RawRecord:
    """Return a record: cached, else fetched, else from a cached list."""
    endpoint = _endpoint_of(ref)
    if endpoint is None:
        listed = await _listed(reader, ref)
        if listed is None:
            raise NotFoundError("This record is in no cached list.", status=404)
        return listed
    if not refresh and (stored := await reader.stored(endpoint)) is not None:
        # A finished pipeline may be retried; only a job is final.
        settled = stored.settled and ref.kind is RecordKind.JOB
        return RawRecord(
            stored.body, endpoint.target, stored.fetched_at, is_cached=True, is_final=settled
        )
    try:
        settles = is_final if ref.kind is RecordKind.JOB else never
        answer = await reader.fetch_bytes(endpoint, settles)
    except PlatuiError:
        # The endpoint of a single project is optional; offline, a cached list is better than
        # nothing.
        listed = None if refresh else await _listed(reader, ref)
        if listed is None:
            raise
        return listed
    return RawRecord(answer.body, endpoint.target, answer.at)


async def _listed(reader: Reader, ref: RecordRef) -> RawRecord | None:
    for listed in _lists_of(ref):
        for number in range(1, _PAGES + 1):
            endpoint = listed.page(number)
            stored = await reader.stored(endpoint)
            if stored is None:
                break
            part = item_of(stored.body.decode("utf-8", errors="surrogateescape"), ref.id)
            if part:
                return RawRecord(
                    part.encode("utf-8", errors="surrogateescape"),
                    endpoint.target,
                    stored.fetched_at,
                    is_cached=True,
                    is_from_list=True,
                )
    return None


def _endpoint_of(ref: RecordRef) -> Endpoint[Any] | None:
    match ref.kind:
        case RecordKind.PROJECT:
            return projects.project(ref.id)
        case RecordKind.NAMESPACE:
            return projects.namespace(ref.id)
        case RecordKind.PIPELINE | RecordKind.JOB | RecordKind.SCHEDULE if ref.project is not None:
            return RECORDS[ref.kind](ref.project, ref.id)
    return None


def _lists_of(ref: RecordRef) -> Iterator[ListEndpoint[Any]]:
    project, pipeline = ref.project, ref.pipeline
    match ref.kind:
        case RecordKind.PROJECT:
            yield projects.projects(ProjectsQuery(ref.search))
        case RecordKind.NAMESPACE:
            yield projects.namespaces()
        case RecordKind.PIPELINE if project is not None:
            yield pipelines.pipelines(PipelinesQuery(project))
        case RecordKind.JOB if project is not None:
            if pipeline is not None:
                yield jobs.jobs(JobsQuery(project, pipeline, with_retried=True))
            yield jobs.jobs(JobsQuery(project))
        case RecordKind.SCHEDULE if project is not None:
            yield schedules.schedules(project)
        case RecordKind.BRIDGE if project is not None and pipeline is not None:
            yield pipelines.bridges(project, pipeline)


def item_of(text: str, wanted: int) -> str:
    at = _skip(text, 0, "[")
    while at < len(text):
        try:
            item, end = _ANY.raw_decode(text, at)
        except (ValueError, RecursionError):
            return ""
        if isinstance(item, dict) and item.get("id") == wanted:
            return text[at:end]
        at = _skip(text, end, ",")
    return ""


def _skip(text: str, at: int, sign: str) -> int:
    while at < len(text) and text[at] in f" \t\r\n\ufeff{sign}":
        at += 1
    return at
