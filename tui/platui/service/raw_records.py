"""Records as the platform's own bytes: from what is kept, or with one request."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import NotFoundError, PlatuiError
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectsQuery
from platui.models.values.raw import RawRecord, RecordKind
from platui.service.statuses import ENDED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from platui.api.operations import Operation
    from platui.api.project_api import ProjectApi
    from platui.models.values.raw import RecordRef
    from platui.service.reader import Reader
    from platui.store.pages import StoredPage

    Pages = Callable[[int], Operation[Any]]
    """From the number of a page to what asks for it."""

_PAGES: Final = 1000
"""Pages of one list that are looked through; more are not loaded either."""

_ANY: Final = json.JSONDecoder()


class RawRecords:
    """Finds the bytes of one record, the most telling ones first."""

    def __init__(self, reader: Reader, api: ProjectApi) -> None:
        self._reader = reader
        self._api = api

    async def read(self, ref: RecordRef, *, anew: bool) -> RawRecord:
        """Return a record: as kept, else as the platform says now, else as a list had it.

        Raises:
            PlatuiError: nothing is kept of it, and asking failed.
        """
        operation = self._operation(ref)
        if operation is None:
            listed = await self._listed(ref)
            if listed is None:
                raise NotFoundError("No list that is kept holds this record.", status=404)
            return listed
        if not anew and (stored := await self._reader.stored(operation)) is not None:
            # A pipeline that has ended may be retried: only a list would tell, and not to us.
            settled = stored.settled and ref.kind is RecordKind.JOB
            return RawRecord(
                stored.body, operation.target, stored.fetched_at, kept=True, settled=settled
            )
        try:
            answer = await self._reader.fetch_bytes(operation, lambda value: _ends(ref, value))
        except PlatuiError:
            # To ask for a project by its id is a neighbour; and offline a list is better than none.
            listed = None if anew else await self._listed(ref)
            if listed is None:
                raise
            return listed
        return RawRecord(answer.body, operation.target, answer.at)

    def _operation(self, ref: RecordRef) -> Operation[Any] | None:
        """Return what asks for the record itself; None where nothing does."""
        match ref.kind:
            case RecordKind.PROJECT:
                return self._api.project(ref.id)
            case RecordKind.NAMESPACE:
                return self._api.namespace(ref.id)
            case RecordKind.PIPELINE if ref.project is not None:
                return self._api.pipeline(ref.project, ref.id)
            case RecordKind.JOB if ref.project is not None:
                return self._api.job(ref.project, ref.id)
            case RecordKind.SCHEDULE if ref.project is not None:
                return self._api.schedule(ref.project, ref.id)
        return None

    def _lists(self, ref: RecordRef) -> Iterator[Pages]:
        """Yield the lists that the views show it in."""
        api, project, pipeline = self._api, ref.project, ref.pipeline
        match ref.kind:
            case RecordKind.PROJECT:
                yield lambda page: api.projects(ProjectsQuery(ref.search), page)
            case RecordKind.NAMESPACE:
                yield api.namespaces
            case RecordKind.PIPELINE if project is not None:
                yield lambda page: api.pipelines(PipelinesQuery(project), page)
            case RecordKind.JOB if project is not None:
                if pipeline is not None:
                    query = JobsQuery(project, pipeline, with_retried=True)
                    yield lambda page: api.jobs(query, page)
                yield lambda page: api.jobs(JobsQuery(project), page)
            case RecordKind.SCHEDULE if project is not None:
                yield lambda page: api.schedules(project, page)
            case RecordKind.BRIDGE if project is not None and pipeline is not None:
                yield lambda page: api.bridges(project, pipeline, page)

    async def _listed(self, ref: RecordRef) -> RawRecord | None:
        """Return the record's own part of a list that is kept."""
        for pages in self._lists(ref):
            async for operation, stored in self._kept_pages(pages):
                text = stored.body.decode("utf-8", errors="surrogateescape")
                part = item_of(text, ref.id)
                if part:
                    return RawRecord(
                        part.encode("utf-8", errors="surrogateescape"),
                        operation.target,
                        stored.fetched_at,
                        kept=True,
                        listed=True,
                    )
        return None

    async def _kept_pages(self, pages: Pages) -> AsyncIterator[tuple[Operation[Any], StoredPage]]:
        for number in count(1):
            operation = pages(number)
            stored = await self._reader.stored(operation) if number <= _PAGES else None
            if stored is None:
                return
            yield operation, stored


def item_of(text: str, wanted: int) -> str:
    """Return the text of the item with this id in a JSON list; empty where it has none."""
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
    """Return where the next item begins: behind blanks, the sign, and blanks again."""
    while at < len(text) and text[at] in f" \t\r\n\ufeff{sign}":
        at += 1
    return at


def _ends(ref: RecordRef, value: Any) -> bool:
    """Return whether a record is one for good: a pipeline may be retried, a job may not."""
    return ref.kind is RecordKind.JOB and getattr(value, "status", "") in ENDED
