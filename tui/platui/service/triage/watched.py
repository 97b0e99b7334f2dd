"""The watched projects: names, default branches and schedules."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from datetime import datetime
from math import inf
from typing import TYPE_CHECKING, Final

from platui.api.endpoints import schedules
from platui.core.dataclass import dataclass
from platui.core.errors import HIDDEN, UNAVAILABLE, PlatuiError
from platui.core.named_tuple import NamedTuple
from platui.models.values.connection import Urgency
from platui.models.values.queries import ProjectsQuery
from platui.service import resources
from platui.service.feeds.poll_interval import PollInterval
from platui.service.feeds.poll_timer import PollTimer
from platui.service.triage.tasks import first_due

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing
    from platui.models.values.stored_triage import WatchSelection
    from platui.models.wire import Project, Schedule
    from platui.service.feeds.read_context import ReadContext
    from platui.service.feeds.reading import Reading
    from platui.service.triage.scheduling import TriageBudget


EVERY: Final = 600.0  # seconds between two polls of the schedules of one project
AT_ONCE: Final = 2  # concurrent lists of schedules, if supported

_INTERVAL: Final = PollInterval(EVERY, EVERY)


class ProjectSchedules(NamedTuple):
    project: int
    schedules: tuple[Schedule, ...]
    asked_at: datetime


@dataclass
class _Known:
    """The schedules of one project."""

    reading: Reading[Listing[Schedule]]
    poll_timer: PollTimer
    asked_at: float = -inf
    kept_at: float = -inf  # monotonic second of the cached response
    is_recalled: bool = False
    is_tried: bool = False  # whether a request was sent since the creation
    is_live: bool = False
    is_gone: bool = False  # whether the token may not see them any more


class WatchedSchedules:
    """Loads the schedules of watched projects, one request per project in ten minutes."""

    def __init__(self, context: ReadContext, budget: TriageBudget) -> None:
        self._context = context
        self._conditions = context.conditions
        self._budget = budget
        self._known: dict[int, _Known] = {}
        self._next_at = 0.0

    @property
    def keys(self) -> Iterable[int]:
        return self._known

    @property
    def live(self) -> tuple[int, ...]:
        return tuple(project for project, known in self._known.items() if known.is_live)

    def set_projects(self, projects: Iterable[int]) -> None:
        before = self._known
        self._known = {
            one: before.get(one)
            or _Known(
                self._context.reading(resources.schedules.schedules(one)),
                PollTimer(self._conditions),
            )
            for one in projects
        }

    def _is_offered(self, project: int) -> bool:
        return not self._context.optional.is_absent(schedules.schedules(project))

    async def recall(self) -> None:
        for known in list(self._known.values()):
            if known.is_recalled:
                continue
            known.is_recalled = True
            await known.reading.recall()
            if known.reading.fetched_at is not None:
                known.kept_at = known.poll_timer.set_fetched_at(known.reading.fetched_at)
                known.asked_at = known.kept_at

    @property
    def is_recalled(self) -> bool:
        return all(known.is_recalled for known in self._known.values())

    @property
    def at_once(self) -> int:
        listings = [known.reading.value for known in self._known.values() if known.is_live]
        return AT_ONCE if any(one is not None and one.is_supported for one in listings) else 1

    @property
    def unknown(self) -> int:
        """Return the number of projects whose schedules are still to be fetched."""
        return sum(
            not known.is_tried
            and self._conditions.clock.monotonic() - known.kept_at > EVERY
            and self._is_offered(project)
            for project, known in self._known.items()
        )

    def due(self, under_way: Container[object]) -> tuple[int | None, float | None]:
        turn = self._next_at - self._conditions.clock.monotonic()
        if turn > 0.0:
            return None, turn
        return first_due(
            (project, known.poll_timer.remaining(_INTERVAL))
            for project, known in sorted(self._known.items(), key=lambda one: one[1].asked_at)
            if project not in under_way and self._is_offered(project)
        )

    async def renew(self, project: int) -> None:
        known = self._known[project]
        now = self._conditions.clock.monotonic()
        # Known lists are spread over the round, unknown ones are limited by the budget only.
        self._next_at = now if known.asked_at == -inf else now + EVERY / len(self._known)
        known.asked_at = now
        self._budget.count()
        try:
            await known.reading.renew(Urgency.BACKGROUND)
        except PlatuiError as error:
            known.poll_timer.failed(error)
            known.is_gone = known.is_gone or isinstance(error, HIDDEN)
        else:
            known.poll_timer.succeeded()
            known.is_live, known.is_gone = True, False
        known.is_tried = True

    def planned(self) -> list[ProjectSchedules]:
        return [
            # Only the first page is polled; what a new schedule pushed off it is older.
            ProjectSchedules(
                project,
                known.reading.value.items[: known.reading.value.page_size],
                known.reading.fetched_at,
            )
            for project, known in self._known.items()
            if known.reading.value is not None
            and known.reading.fetched_at is not None
            and not known.is_gone
        ]


_SELDOM: Final = PollInterval(3600.0, 3600.0)  # default branches hardly ever change
_OFTEN: Final = PollInterval(600.0, 600.0)  # projects may join a watched group


class WatchedProjects:
    def __init__(self, context: ReadContext, ask: Callable[[], Urgency]) -> None:
        self._context = context
        self._listed = context.reading(resources.projects.projects(ProjectsQuery(), whole=True))
        self._conditions = context.conditions
        self._poll_timer = PollTimer(context.conditions)
        self._ask = ask
        self._watched: WatchSelection | None = None
        self._listing: object = None
        self._known: dict[int, Project] = {}
        # Chosen projects without membership: the list lacks them.
        self._unlisted: dict[int, Reading[Project]] = {}
        self._read: set[int] = set()  # Those that were requested after the list
        self.is_due = False  # whether to renew it at once
        self.ids: tuple[int, ...] = ()  # chosen projects, then those of groups
        self.is_known = False
        self.empty_groups: tuple[str, ...] = ()  # chosen groups without a visible project
        self.is_fetched = False

    def branch(self, project: int) -> str:
        found = self._known.get(project)
        return "" if found is None else found.default_branch

    @property
    def branches(self) -> dict[int, str]:
        return {one: self._known[one].default_branch for one in self.ids if one in self._known}

    @property
    def names(self) -> tuple[tuple[int, str], ...]:
        known = ((one, self._known.get(one)) for one in self.ids)
        return tuple(
            (one, project.path_with_namespace or project.name) for one, project in known if project
        )

    async def recall(self, watched: WatchSelection) -> None:
        await self._listed.recall()
        if self._listed.fetched_at is not None:
            self._poll_timer.set_fetched_at(self._listed.fetched_at)
        self.choose(watched)
        for project, reading in self._unlisted.items():
            await reading.recall()
            self._take(project, reading)

    def choose(self, watched: WatchSelection) -> None:
        listing = self._listed.value
        if watched == self._watched and listing is self._listing:
            return
        self._watched, self._listing = watched, listing
        projects = () if listing is None else listing.items
        self.is_known = self.is_known or (listing is not None and listing.complete)
        before, self._known = self._known, {one.id: one for one in projects}
        groups = tuple(f"{group}/" for group in watched.groups)
        inside = [
            one.id
            for one in projects
            if groups and one.path_with_namespace.startswith(groups) and not one.archived
        ]
        self.ids = tuple(dict.fromkeys((*watched.projects, *inside)))
        is_whole = listing is not None and listing.complete
        self._unlisted = {
            one: self._unlisted.get(one) or self._context.reading(resources.projects.project(one))
            for one in (watched.projects if is_whole else ())
            if one not in self._known
        }
        self._known |= {one: before[one] for one in self._unlisted if one in before}
        self._read &= self._unlisted.keys()
        self.empty_groups = tuple(
            group
            for group in (groups if is_whole else ())
            if not any(one.path_with_namespace.startswith(group) for one in projects)
        )

    def remaining(self) -> float | None:
        """Return the seconds until the list is due; None: not until an event."""
        watched = self._watched
        if watched is None or watched.is_empty:
            return None
        if self.is_due and not self._conditions.unauthorized:
            return self._conditions.pause
        if self._unread and self._poll_timer.error is None and not self._conditions.unauthorized:
            return self._conditions.pause
        interval = _OFTEN if watched.groups else _SELDOM
        return self._poll_timer.remaining(interval)

    @property
    def _unread(self) -> dict[int, Reading[Project]]:
        return {one: each for one, each in self._unlisted.items() if one not in self._read}

    def _take(self, project: int, reading: Reading[Project]) -> None:
        if reading.value is not None:
            self._known[project] = reading.value

    async def renew(self) -> PlatuiError | None:
        """Read the projects that the list lacks, else the list."""
        unread = self._unread
        self.is_due = self.is_due and bool(unread)
        try:
            for project, reading in unread.items():
                with suppress(*UNAVAILABLE):
                    await reading.renew(self._ask())
                self._take(project, reading)
                self._read.add(project)
            if not unread:
                await self._listed.renew(self._ask())
                while self._listed.more:
                    await self._listed.extend(self._ask())
                self._read.clear()
        except PlatuiError as error:
            self._poll_timer.failed(error)
            return error
        self._poll_timer.succeeded(a_try=not unread)
        self.is_fetched = True
        return None
