"""The index of known objects: caches, visited routes, saved reports, and searches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.connection import ConnectionState, Urgency
from platui.models.values.known import PLACES, Kind, Known, known
from platui.present.jump import NEAR, Index, indexed
from platui.present.times import stamp
from platui.ui.jump import Hit, route_of, searched_words
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.present.chrome import Pieces
    from platui.ui.app import PlatuiApp

_EVERY: Final = 0.1  # Seconds between two changes while the cache is read
_REST: Final = 0.25  # Seconds without a key before the platform is searched
_LETTERS: Final = 2  # Least letters of a search
_ENOUGH: Final = 5  # Projects and groups with which the platform is not searched
_SEARCH: Final = "jump-search"


class KnownIndex:
    """Is empty until loaded; `value` is replaced, never changed."""

    def __init__(self, app: PlatuiApp) -> None:
        self.value = Index()
        self._app = app
        self._service = app.service
        self._visited_before: list[Route] | None = None
        self._reports: list[Known] = []
        self._searched: set[str] = set()  # Words whose results are all known
        self._resting: Timer | None = None
        self._basis: tuple[object, ...] = ()  # What the index was made of

    async def load(self, changed: Callable[[], None]) -> None:
        """Read what the cache and this machine know, and call `changed` with each part of it."""
        service = self._service
        # What cannot be reached is not known either.
        with suppress(PlatuiError):
            await service.start()
            await service.triage_state.ready()
            if self._visited_before is None:
                before = await asyncio.to_thread(service.local_state.visited)
                self._visited_before = before
            updated_at = service.clock.monotonic() - _EVERY
            async for found in service.directory.records.load():
                if service.clock.monotonic() - updated_at >= _EVERY:
                    await self._update(found)
                    changed()
                    updated_at = service.clock.monotonic()
            await self._load_reports()
            await self._update(service.directory.records.all())
            changed()

    async def _load_reports(self) -> None:
        now, utc = self._service.clock.now(), self._app.times.utc
        reports = await (await self._service.access_reports.open_saved()).saved()
        self._reports = [
            known(Kind.REPORT, one.id, f"Access report {stamp(one.fetched_at, now, utc=utc)}")
            for one in reports
        ]

    def stop(self) -> None:
        """Cancel the search for an earlier text."""
        if self._resting is not None:
            self._resting.stop()
        self._app.workers.cancel_group(self._app, _SEARCH)

    def search_soon(
        self,
        typed: str,
        hits: Sequence[Hit],
        show_status: Callable[[Pieces], None],
        changed: Callable[[], None],
    ) -> None:
        """After a pause, search the platform, unless enough projects or groups are known."""
        self.stop()
        words = searched_words(typed)
        is_enough = sum(hit.kind in PLACES for hit in hits) >= _ENOUGH
        is_command = bool(hits) and hits[0].kind == "command"
        is_known = any(word in words for word in self._searched)
        if len(words) < _LETTERS or is_enough or is_command or is_known:
            show_status(self._part())
        elif self._service.line.value.state is ConnectionState.OFFLINE:
            show_status((("offline: cached names only", "warning"),))
        else:

            async def find() -> None:
                await self.search(words, Urgency.BACKGROUND, show_status)
                changed()

            start = partial(self._app.run_worker, work(find), group=_SEARCH, exclusive=True)
            self._resting = self._app.set_timer(_REST, lambda: start() and None)

    async def search(
        self, words: str, urgency: Urgency, show_status: Callable[[Pieces], None]
    ) -> str:
        """Search the platform for projects and groups; return why it failed, one sentence."""
        show_status((("searching …", "muted"),))
        try:
            is_whole = await self._service.directory.records.search(words, urgency)
        except PlatuiError as error:
            show_status((("search failed: cached names only", "warning"),))
            return clean(error.sentence)
        if is_whole:
            self._searched.add(words)
        await self._update(self._service.directory.records.all())
        show_status(self._part())
        return ""

    def _part(self) -> Pieces:
        """Return that abbreviations are searched in a part of the index, if so."""
        count = len(self.value.entries)
        if count <= NEAR:
            return ()
        return ((f"abbreviations match {NEAR:,} of {count:,} names", "muted"),)

    async def look_up(self, number: int, projects: list[ProjectRef]) -> Route | None:
        """Look up a pipeline or job in projects, one after the other. Raises PlatuiError."""
        for project in projects:
            one = await self._service.directory.records.look_up(number, project)
            if one is not None:
                return route_of(one)
        return None

    def visited(self) -> list[Route]:
        """Return the routes of this session and of earlier ones, newest first."""
        return [*self._app.navigation.history.visited, *(self._visited_before or ())]

    async def _update(self, found: list[Known]) -> None:
        visited, watched = self.visited(), self._service.triage_state.memory.value.watched
        reports = self._reports
        basis = found, visited, watched, reports
        if basis == self._basis:
            return
        self._basis = basis

        def is_watched(one: Known) -> bool:
            if one.kind is Kind.PROJECT:
                return watched.holds(one.id, one.path)
            return one.kind is Kind.GROUP and one.path in watched.groups

        def index() -> Index:
            keys = {one.key for one in found}
            keys |= {(Kind.PROJECT, one.path) for one in found if one.kind is Kind.PROJECT}
            seen = {one.key: one for one in reversed(visited_objects(visited))}
            others = (
                one for key, one in seen.items() if keys.isdisjoint({key, (one.kind, one.path)})
            )
            return indexed([*found, *others, *reports], uses_of(visited), is_watched)

        self.value = await asyncio.to_thread(index)


def uses_of(visited: Iterable[Route]) -> dict[Any, int]:
    """Return the rank of each visited object by kind and id or path, the newest lowest."""
    uses: dict[Any, int] = {}
    for rank, route in enumerate(visited):
        for kind, id_ in (
            (Kind.PROJECT, route.project),
            (Kind.PROJECT, route.project_name),
            (Kind.GROUP, route.group),
            (Kind.PIPELINE, route.pipeline),
            (Kind.JOB, route.job),
            (Kind.SCHEDULE, route.schedule),
            (Kind.REPORT, route.report),
        ):
            if id_:
                uses.setdefault((kind, id_), rank)
    return uses


def visited_objects(visited: Iterable[Route]) -> list[Known]:
    """Return the projects, pipelines and jobs of visited routes, which may not be cached."""
    found = []
    for route in visited:
        project, name = route.project, clean(route.project_name)
        if project is None:
            continue
        path = name if "/" in name else project if isinstance(project, str) else ""
        last = (path or name or str(project)).rpartition("/")[2]
        found.append(known(Kind.PROJECT, project, last, path, project=project))
        if (number := route.pipeline) is not None:
            found.append(known(Kind.PIPELINE, number, f"#{number}", path, project=project))
        if (number := route.job) is not None:
            job = clean(route.job_name) or "job"
            found.append(
                known(Kind.JOB, number, job, path, project=project, pipeline=route.pipeline)
            )
    return found
