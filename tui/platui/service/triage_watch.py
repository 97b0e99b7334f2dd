"""Which projects the triage board is over, and what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.models.values.queries import ProjectsQuery
from platui.service.cadence import Rhythm
from platui.service.pacer import Pacer

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.models import Project
    from platui.models.values.connection import Urgency
    from platui.models.values.triage_memory import Watched
    from platui.service.subjects import Subjects
    from platui.service.surroundings import Surroundings

_SELDOM: Final = Rhythm(3600.0, 3600.0)
"""A default branch hardly ever is another one."""
_OFTEN: Final = Rhythm(600.0, 600.0)
"""A project may join a group that is watched."""


class WatchedProjects:
    """Holds what the list of projects says of those that are watched."""

    def __init__(
        self, subjects: Subjects, surroundings: Surroundings, ask: Callable[[], Urgency]
    ) -> None:
        """Know of none yet.

        Args:
            subjects: what is asked.
            surroundings: when to look up.
            ask: is called for each request, and tells who waits for it.
        """
        self._subject = subjects.all_projects(ProjectsQuery())
        self._around = surroundings
        self._pacer = Pacer(surroundings)
        self._ask = ask
        self._watched: Watched | None = None
        self._listing: object = None
        self._known: dict[int, Project] = {}
        self._is_due = False
        self.ids: tuple[int, ...] = ()
        """Of all that are watched, in their order: those that were chosen, then those of groups."""
        self.is_known = False
        """Whether the whole list was there once."""

    def branch(self, project: int) -> str:
        """Return a project's default branch; empty while it is not known."""
        found = self._known.get(project)
        return "" if found is None else found.default_branch

    @property
    def branches(self) -> dict[int, str]:
        """Return the default branches of those that are known."""
        return {one: self._known[one].default_branch for one in self.ids if one in self._known}

    @property
    def names(self) -> tuple[tuple[int, str], ...]:
        """Return ids and full paths of those that are known; names where there are no paths."""
        known = ((one, self._known.get(one)) for one in self.ids)
        return tuple(
            (one, project.path_with_namespace or project.name) for one, project in known if project
        )

    async def recall(self, watched: Watched) -> None:
        """Take what a cache has of the list of projects."""
        await self._subject.recall()
        if self._subject.fetched_at is not None:
            self._pacer.known_since(self._subject.fetched_at)
        self.choose(watched)

    def choose(self, watched: Watched) -> None:
        """Take what is watched from now on."""
        listing = self._subject.value
        if watched == self._watched and listing is self._listing:
            return
        self._watched, self._listing = watched, listing
        projects = () if listing is None else listing.items
        self.is_known = self.is_known or (listing is not None and listing.complete)
        self._known = {one.id: one for one in projects}
        groups = tuple(f"{group}/" for group in watched.groups)
        inside = [
            one.id
            for one in projects
            if groups and one.path_with_namespace.startswith(groups) and not one.archived
        ]
        self.ids = tuple(dict.fromkeys((*watched.projects, *inside)))

    def remaining(self) -> float | None:
        """Return the seconds until the list is due; None: not before something rings."""
        watched = self._watched
        if watched is None or not (watched.projects or watched.groups):
            return None
        if self._is_due and not self._around.unauthorized:
            return self._around.pause
        rhythm = _OFTEN if watched.groups else _SELDOM
        return self._pacer.remaining(rhythm, running=False, settled=False, transfer=0.0)

    def renew_soon(self) -> None:
        """Ask for the list now: there may be others that may be seen."""
        self._is_due = True

    async def renew(self) -> PlatuiError | None:
        """Ask for the list; return why it could not be had."""
        self._is_due = False
        try:
            await self._subject.renew(self._ask())
            while self._subject.more:
                await self._subject.extend(self._ask())
        except PlatuiError as error:
            self._pacer.failed(error)
            return error
        self._pacer.succeeded()
        return None
