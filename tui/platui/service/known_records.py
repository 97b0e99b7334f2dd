"""Objects that are known from cached responses, and those that the platform finds."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from heapq import nsmallest
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from platui.api.decoding import PageDecoder, RecordDecoder
from platui.core.errors import HIDDEN, MISSING, InvalidResponseError
from platui.core.text import clean
from platui.models.values.connection import Urgency
from platui.models.values.known import PLACES, Kind, Known, known
from platui.models.values.queries import ProjectRef, ProjectsQuery
from platui.models.wire import Job, Namespace, Pipeline, Project, Record, Schedule
from platui.service import resources

if TYPE_CHECKING:
    from platui.service.live import Live
    from platui.service.resources.resource import Resource

_PARTS: Final = (("projects?", 1000), ("namespaces?", 100), ("projects/", 500))
"""Beginnings of the targets that are read, in this order, and how many of each."""

_TARGET: Final = re.compile(
    r"(?P<top>projects|namespaces)"
    r"(?:/(?P<project>[^/?]+)(?:/(?P<list>pipelines|jobs|pipeline_schedules)(?:/\d+(?P<jobs>/jobs)?)?)?)?"
    r"(?:\?.*)?"
)
_KINDS: Final[dict[str, tuple[Kind, type[Record]]]] = {
    "projects": (Kind.PROJECT, Project),
    "namespaces": (Kind.GROUP, Namespace),
    "pipelines": (Kind.PIPELINE, Pipeline),
    "jobs": (Kind.JOB, Job),
    "/jobs": (Kind.JOB, Job),
    "pipeline_schedules": (Kind.SCHEDULE, Schedule),
}
_AT_ONCE: Final = 2  # Responses read before the first objects are returned
_MOST: Final = 1_000  # Newest objects of a kind that are remembered, of those below projects
_SPARE: Final = 250  # New objects after which the oldest ones are dropped


class KnownRecords:
    """Remembers what was seen: all projects and groups, the newest 1,000 of each other kind."""

    def __init__(self, started: Callable[[], Awaitable[Live]]) -> None:
        self._started = started
        self._owner = ""
        self._seen: dict[str, int] = {}  # Hashes of the responses read so far, by target
        self._found: dict[tuple[Kind, int | str], Known] = {}
        self._kept = 0  # Objects after the last drop

    async def load(self) -> AsyncGenerator[list[Known]]:
        """Read new cached responses, projects first; yield all objects known so far."""
        live = await self._started()
        cache = live.context.reader.cache
        if cache.owner != self._owner:  # another token may see other objects
            self._owner, self._seen, self._found, self._kept = cache.owner, {}, {}, 0
        for prefix, limit in _PARTS:
            pages = cache.newest(prefix, limit, self._seen)
            while await asyncio.to_thread(self._read, islice(pages, _AT_ONCE)):
                yield self.all()
        yield self.all()

    def all(self) -> list[Known]:
        return list(self._found.values())

    async def search(self, words: str, urgency: Urgency) -> bool:
        """Search the platform for projects and groups; return whether these are all.

        Raises PlatuiError: no response.
        """
        context = (await self._started()).context
        projects = context.reading(resources.projects.projects(ProjectsQuery(words)))
        groups = context.reading(resources.projects.namespaces(words))
        await asyncio.gather(projects.renew(urgency), groups.renew(urgency))
        for kind, reading in ((Kind.PROJECT, projects), (Kind.GROUP, groups)):
            if reading.value is not None:
                self._add(self._object(kind, item, 0) for item in reading.value.items)
        return not (projects.more or groups.more)

    async def look_up(self, number: int, project: ProjectRef) -> Known | None:
        """Request a pipeline, then a job of a project. Raises PlatuiError: no response."""
        context = (await self._started()).context
        resources_of: tuple[tuple[Kind, Resource[Any]], ...] = (
            (Kind.PIPELINE, resources.pipelines.pipeline(project, number)),
            (Kind.JOB, resources.jobs.job(project, number)),
        )
        for kind, resource in resources_of:
            reading = context.reading(resource)
            with suppress(*HIDDEN, *MISSING):
                await reading.renew(Urgency.USER)
                found = self._object(kind, reading.value, project)
                self._add((found,))
                return found
        return None

    def _read(self, pages: Iterator[tuple[str, bytes]]) -> int:
        count = 0
        for target, body in pages:
            count += 1
            if (parts := _TARGET.fullmatch(target)) is not None:
                with suppress(InvalidResponseError):
                    self._add(self._objects(parts, body))
        return count

    def _objects(self, parts: re.Match[str], body: bytes) -> Iterator[Known]:
        """Yield the objects of a response, a record or a page of a list."""
        name = parts["jobs"] or parts["list"] or parts["top"]
        kind, model = _KINDS[name]
        items: Iterable[Any]
        if body.lstrip()[:1] == b"[":
            items = PageDecoder(model, 1, 1)(body, {}).items
        else:
            items = (RecordDecoder(model)(body, {}),)
        project = unquote(parts["project"] or "")
        for item in items:
            yield self._object(kind, item, int(project) if project.isdecimal() else project)

    def _object(self, kind: Kind, item: Any, project: ProjectRef) -> Known:
        if kind is Kind.PROJECT:
            path = clean(item.path_with_namespace)
            name = clean(item.path or item.name)
            return known(kind, item.id, name, path, project=item.id, other=clean(item.name))
        if kind is Kind.GROUP:
            name = clean(item.path or item.name)
            return known(kind, item.id, name, clean(item.full_path), other=clean(item.name))
        path = clean(project) if isinstance(project, str) else ""
        if (of := self._found.get((Kind.PROJECT, project))) is not None:
            path = of.path
        if kind is Kind.SCHEDULE:
            name = clean(item.description) or clean(item.cron)
            return known(kind, item.id, name, path, project=project)
        status, name = clean(item.status), clean(item.name)
        if kind is Kind.PIPELINE:
            number = f"#{item.id}"
            return known(kind, item.id, number, path, project=project, status=status, other=name)
        within = item.pipeline.id if item.pipeline is not None else None
        return known(kind, item.id, name, path, project=project, pipeline=within, status=status)

    def _add(self, found: Iterable[Known]) -> None:
        self._found.update((one.key, one) for one in found)
        if len(self._found) - self._kept > _SPARE:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        found = self._found
        for kind in {kind for kind, _ in _KINDS.values()}.difference(PLACES):
            keys = [key for key in list(found) if key[0] is kind]
            for key in nsmallest(len(keys) - _MOST, keys, key=lambda key: int(key[1])):
                found.pop(key, None)  # Another thread may do the same
        self._kept = len(found)
