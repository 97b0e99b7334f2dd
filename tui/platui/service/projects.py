"""Look up the project or group of a typed or pasted path."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.core.errors import NotFoundError
from platui.models.values.connection import Urgency
from platui.models.values.queries import ProjectRef, ProjectsQuery
from platui.service import resources

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing
    from platui.models.wire import Project
    from platui.service.feeds.read_context import ReadContext
    from platui.service.feeds.reading import Reading
    from platui.service.known_records import KnownRecords
    from platui.service.live import Live

T = TypeVar("T")

_SLIPS: Final = 3  # maximum difference in length of a mistyped path
_ALIKE: Final = 0.8  # minimum similarity, 0 to 1


class ProjectLookup:
    def __init__(self, started: Callable[[], Awaitable[Live]]) -> None:
        self._started = started
        self._found: dict[ProjectRef, Project] = {}

    @cached_property
    def records(self) -> KnownRecords:
        from platui.service.known_records import KnownRecords  # noqa: PLC0415  (not for a first frame)

        return KnownRecords(self._started)

    def known(self, project: ProjectRef | None) -> Project | None:
        return None if project is None else self._found.get(project)

    async def project(self, project: ProjectRef) -> Project | None:
        """Return a project; None if not found. Raises PlatuiError: the request failed."""
        if (known := self._found.get(project)) is not None:
            return known
        context = (await self._started()).context
        found = await _record(context, project) or await _listed(context, project)
        if found is not None:
            self._found[project] = found
        return found

    async def has_group(self, path: str) -> bool:
        context = (await self._started()).context
        groups = context.reading(resources.projects.namespaces())
        return await _find(groups, lambda one: one.full_path == path) is not None

    async def nearest(self, path: str) -> str | None:
        """Return the path of the most similar project or group, cached or of one page."""
        context = (await self._started()).context
        projects = context.reading(resources.projects.projects(ProjectsQuery()))
        groups = context.reading(resources.projects.namespaces())
        await _load(projects)
        paths = [one.path_with_namespace for one in _items(projects)]
        paths += [one.full_path for one in _items(groups)]
        return await asyncio.to_thread(_near, path, [one for one in paths if one])


def _items(reading: Reading[Listing[T]]) -> Sequence[T]:
    return () if reading.value is None else reading.value.items


def _near(path: str, paths: Sequence[str]) -> str | None:
    """Return a path with the same last part, else a similar path."""
    name = path.rpartition("/")[2].casefold()
    same = [one for one in paths if one.rpartition("/")[2].casefold() == name]
    # Comparing thousands of long paths takes a second, so filter by length first.
    alike = [one for one in paths if abs(len(one) - len(path)) <= _SLIPS]
    near = difflib.get_close_matches(path, same or alike, n=1, cutoff=0.0 if same else _ALIKE)
    return near[0] if near else None


async def _record(context: ReadContext, project: ProjectRef) -> Project | None:
    reading = context.reading(resources.projects.project(project))
    with suppress(NotFoundError):
        await _load(reading)
    return reading.value


async def _listed(context: ReadContext, project: ProjectRef) -> Project | None:
    if isinstance(project, int):
        return None
    found = context.reading(resources.projects.projects(ProjectsQuery(project.rpartition("/")[2])))
    return await _find(found, lambda one: one.path_with_namespace == project)


async def _find(reading: Reading[Listing[T]], is_wanted: Callable[[T], bool]) -> T | None:
    await _load(reading)
    while True:
        found = next(filter(is_wanted, _items(reading)), None)
        if found is not None or not reading.more:
            return found
        await reading.extend(Urgency.USER)


async def _load(reading: Reading[Any]) -> None:
    await reading.recall()
    if reading.value is None:
        await reading.renew(Urgency.USER)
