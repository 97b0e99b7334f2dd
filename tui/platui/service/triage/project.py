"""One watched project of the triage board: its newest pipelines and the state of its lanes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime, timedelta
from math import inf
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.incidents import LaneState, Listed, decided_pipelines, ran, states_of
from platui.analysis.triage.lanes import branch_of, is_on_branch
from platui.analysis.triage.tracking import Look, Moved, Over, track_incidents
from platui.core.errors import HIDDEN, PlatuiError
from platui.models.values.statuses import ACTIVE
from platui.models.values.stored_triage import PastIncident
from platui.models.values.triage import Incident, PipelineRun
from platui.service.feeds.poll_timer import PollTimer

if TYPE_CHECKING:
    from platui.models.values.connection import Urgency
    from platui.models.values.feeds import Listing
    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage_board import Mark
    from platui.models.wire import Pipeline
    from platui.service.feeds.poll_conditions import PollConditions
    from platui.service.feeds.poll_interval import PollInterval
    from platui.service.feeds.reading import Reading
    from platui.service.triage.causes import Causes

ENDED: Final = 20  # finished pipelines to keep, for boards that poll every few seconds
OLDER: Final = 300  # pipelines of one branch to keep from its own list
_FETCHED: Final = 10  # running pipelines beyond the newest page that are fetched
_KEPT: Final = 100  # pipelines whose state is kept when they leave the newest page

# age of a recovery that may be from today: the longest day has 25 hours
NEWS: Final = timedelta(hours=26)


class WatchedProject:
    """The known state of one project, and when to poll it again."""

    def __init__(
        self,
        project: int,
        reading: Reading[Listing[Pipeline]],
        conditions: PollConditions,
        remembered: Iterable[PastIncident],
    ) -> None:
        self.id = project
        self.look: Look | None = None  # None: unknown
        self.incidents: tuple[Incident, ...] = ()  # open incidents
        # those whose newest failed pipeline is not listed
        self.unlisted: AbstractSet[IncidentKey] = frozenset()
        self.moving: tuple[LaneState, ...] = ()  # lanes whose newest pipeline is running
        # running pipelines beyond the newest page, which are fetched singly
        self.older_running: tuple[int, ...] = ()
        # pipelines that run, or ended beyond the newest page; None: deleted
        self._followed: dict[int, Pipeline | None] = {}
        # pipelines that ended while watched, the last one last
        self.ended: tuple[PipelineRun, ...] = ()
        self.deleted: tuple[IncidentKey, ...] = ()  # the last incidents that were deleted
        self.refused = False
        self.is_live = False  # whether the platform has responded since the creation
        self.asked = False  # whether the user is waiting
        self.asked_at = -inf  # monotonic second of the last request, or of the cached response
        self._reading = reading
        self._conditions = conditions
        self._poll_timer = PollTimer(conditions)
        known = tuple(remembered)
        self._before = tuple(one.incident for one in known if one.recovered_at is None)
        self._healed = tuple(
            Over(one.incident, one.recovered_at) for one in known if one.recovered_at is not None
        )
        self._over: tuple[Over, ...] = ()
        self.moved: tuple[Moved, ...] = ()  # incidents with a new key that is not saved yet
        # past incidents never seen open that were returned by `past`
        self._returned: set[IncidentKey] = set()
        self._taken: tuple[object, str] = (None, "")
        self._taking = asyncio.Lock()
        self._ended: frozenset[int] = frozenset()
        self.gaps = 0  # times at which the list had moved on by more than a page
        # branches of which pipelines between their own list and the newest page are unknown
        self.outdated: AbstractSet[str] = frozenset()
        self._listed: AbstractSet[int] = frozenset()  # the last list
        # own lists of branches, and whether each is complete
        self._older: dict[str, tuple[tuple[Pipeline, ...], bool]] = {}
        # listed pipelines that once succeeded or failed, as they were then
        self._decided: dict[int, Pipeline] = {}

    @property
    def fetched_at(self) -> datetime | None:
        # Of a rejected project nothing is shown: its last response does not age the board.
        return None if self.refused else self._reading.fetched_at

    @property
    def was_broken(self) -> bool:
        return bool(self._before)

    @property
    def has_unreported(self) -> bool:
        """Return whether `past` or `moves` have results that were not returned yet."""
        return bool(self._over or self.moved)

    def remaining(self, interval: PollInterval) -> float | None:
        """Return the seconds until it is due; None: not until an event."""
        if self.asked:
            return self._conditions.pause
        return self._poll_timer.remaining(interval)

    async def recall(self, main: str) -> None:
        await self._reading.recall()
        if self._reading.fetched_at is not None:
            self.asked_at = self._poll_timer.set_fetched_at(self._reading.fetched_at)
            await self.take(main)

    async def renew(self, main: str, urgency: Urgency) -> PlatuiError | None:
        """Fetch the list; return the error, except for a rejection."""
        self.asked, self.asked_at = False, self._conditions.clock.monotonic()
        try:
            await self._reading.renew(urgency)
        except HIDDEN as error:
            self._poll_timer.failed(error)
            async with self._taking:
                self.refused, self.is_live, self._taken = True, True, (None, "")
                self.older_running = ()
                self._see(None)
            return None
        except PlatuiError as error:
            self._poll_timer.failed(error)
            return error
        self._poll_timer.succeeded()
        await self.take(main, is_fetched=True)
        self.refused, self.is_live = False, True
        return None

    async def take(self, main: str, *, is_fetched: bool = False) -> bool:
        """Update the state by the list; return whether it changed. An older list may be ignored."""
        # Sequentially: each update continues from the one before.
        async with self._taking:
            listing = self._reading.value
            known, was = self._taken
            is_same = listing is known and main == was
            if listing is None or is_same or (self.refused and not is_fetched):
                return False
            await self._look(listing, main)
            # Only now: a cancelled update has not happened.
            self._taken = (listing, main)
        return True

    async def learn(self, branch: str, listing: Listing[Pipeline]) -> None:
        self._older[branch] = (listing.items, listing.complete)
        self.outdated -= {branch}
        await self._take_again()

    async def update(self, number: int, pipeline: Pipeline | None) -> None:
        """Take a pipeline of `older_running` that was fetched; None: it was deleted."""
        self._followed[number] = pipeline
        await self._take_again()

    async def _take_again(self) -> None:
        async with self._taking:  # a look that has begun does not know the change
            known, main = self._taken
            self._taken = (None, main)
        if known is not None:
            await self.take(main)

    def _with_older(self, listed: Sequence[Pipeline]) -> Sequence[Pipeline]:
        """Return a list with known older pipelines of branches, newest first."""
        if not self._older:
            return listed
        found = {one.id: one for older, _ in self._older.values() for one in older}
        found |= {one.id: one for one in listed}
        for branch, (_, is_whole) in list(self._older.items()):
            # Pipelines that leave the list are kept here.
            same = [one for one in found.values() if branch_of(one.ref) == branch]
            same.sort(key=lambda one: one.id, reverse=True)
            self._older[branch] = (tuple(same[:OLDER]), is_whole and len(same) <= OLDER)
        return sorted(found.values(), key=lambda one: one.id, reverse=True)

    def _current(self, listing: Listing[Pipeline]) -> tuple[Sequence[Pipeline], AbstractSet[int]]:
        """Return the known pipelines, newest first, and which of them ran and left the list."""
        items = listing.items
        newest = {one.id for one in items[: self._reading.page_size]}
        known: dict[int, Pipeline | None] = {one.id: one for one in self._with_older(items)}
        followed = {key: one for key, one in self._followed.items() if key not in newest}
        if listing.complete:  # what it lacks was deleted; it may be outdated beyond the newest page
            followed = {key: one for key, one in followed.items() if key in known}
        beyond = followed.keys() - known.keys()
        known |= followed
        found = [one for _, one in sorted(known.items(), reverse=True) if one is not None]
        running = [one for one in found if one.status in ACTIVE and is_on_branch(one)]
        older = [one.id for one in running if one.id not in newest]
        self.older_running = tuple(older[:_FETCHED])
        # The newest page tells the state of others.
        self._followed = followed | {one.id: one for one in running}
        for number in sorted(self._followed)[:-_KEPT]:
            del self._followed[number]
        return found, beyond

    async def _look(self, listing: Listing[Pipeline], main: str) -> None:
        ids = {one.id for one in listing.items}
        if self._listed and not listing.complete and self._listed.isdisjoint(ids):
            self.outdated = frozenset(self._older)
            self.gaps += 1
        self._listed = ids
        (pipelines, beyond), ended = self._current(listing), self._ended
        decided = decided_pipelines(pipelines, self._decided)
        whole = frozenset(branch for branch, (_, is_whole) in self._older.items() if is_whole)
        listed = Listed(self.id, pipelines, listing.complete, main, decided, whole, beyond)
        now = self._conditions.clock.now()
        # In a thread: a busy project has hundreds of pipelines on dozens of branches.
        healed = tuple(one for one in self._healed if now - one.at <= NEWS)
        look = await asyncio.to_thread(
            lambda: track_incidents(self._before, states_of(listed, now), now, ended, healed)
        )
        running = {state.newest.id for state in self.moving}
        over = [one for one in pipelines if one.id in running and one.status not in ACTIVE]
        newly_ended = map(ran, sorted(over, key=lambda one: one.id))
        # The last end of a retried pipeline counts.
        self.ended = tuple({one.id: one for one in (*self.ended, *newly_ended)}.values())[-ENDED:]
        self._see(look)
        self._decided = decided
        self._before, self._healed = self.incidents, (*healed, *look.over)
        self._over, self.moved = (*self._over, *look.over), (*self.moved, *look.moved)
        deleted = (one.incident.key for one in look.over if one.is_deleted)
        is_open = {one.key for one in self.incidents}
        gone = [key for key in (*self.deleted, *deleted) if key not in is_open]
        self.deleted = tuple(gone[-ENDED:])
        self._ended = frozenset(
            one.id for one in pipelines if one.id in ended or one.status not in ACTIVE
        )

    def _see(self, look: Look | None) -> None:
        self.look = look
        self.incidents = () if look is None else look.incidents
        states = () if look is None else look.states
        self.unlisted = {
            incident.key
            for one in states
            if (incident := one.incident) and incident.newest_red.id not in one.listed
        }
        self.moving = tuple(one for one in states if one.is_moving)

    def past(
        self,
        history: Mapping[IncidentKey, PastIncident],
        causes: Causes,
        now: datetime,
    ) -> Sequence[PastIncident]:
        """Return the incidents to save: the open ones, and each recovered one once."""
        if self.look is None:
            return ()
        moved: dict[IncidentKey, IncidentKey] = {}
        for one in self.moved:
            moved[one.now.key] = moved.pop(one.before.key, one.before.key)
        over, self._over = self._over, ()
        found = [*self._unseen(history, now)]
        for incident, at, _ in over:
            known = history.get(incident.key)
            opened_at = now if known is None else known.opened_at
            found.append(PastIncident(_bare(incident), opened_at, at))
        # Last, because it overrides an earlier recovery.
        for incident in self.incidents:
            known = history.get(moved.get(incident.key, incident.key))
            cause = causes.known(incident.newest_red)
            signature = None if cause is None else cause.signature
            found.append(
                PastIncident(
                    _bare(incident),
                    now if known is None else known.opened_at,
                    None,
                    "" if signature is None else signature.key,
                    "" if signature is None else signature.shared,
                )
            )
        return found

    def _unseen(
        self, history: Mapping[IncidentKey, PastIncident], now: datetime
    ) -> Iterator[PastIncident]:
        """Yield incidents that recovered before they were seen open."""
        # Incidents that were seen to end are saved elsewhere.
        known = {*history, *self._returned, *(one.incident.key for one in self._healed)}
        recoveries = (one.recovery for one in self.look.states) if self.look is not None else ()
        for one in recoveries:
            at = one.green.at if one is not None else None
            if one is None or at is None or now - at > NEWS or one.key in known:
                continue
            self._returned.add(one.key)
            seen = Incident(
                one.lane, one.first_red, one.newest_red or one.first_red, one.streak,
                is_at_least=one.is_at_least, is_main=one.is_main,
            )  # fmt: skip
            yield PastIncident(seen, now, at)

    def moves(self) -> Iterator[Moved]:
        """Yield incidents with a new key; each counts as saved when the next is requested."""
        while self.moved:
            first = self.moved[0]
            yield first
            # Until it is saved, the old key counts too.
            self.moved = tuple(one for one in self.moved if one is not first)


def current_marks(
    marks: Mapping[IncidentKey, Mark], projects: Iterable[WatchedProject]
) -> Mapping[IncidentKey, Mark]:
    """Return the marks by the current keys of incidents, before the move is saved."""
    known = dict(marks)
    for before, now in (one for project in projects for one in project.moved):
        if before.key in known:
            known.setdefault(now.key, known[before.key])
    return known


def _bare(incident: Incident) -> Incident:
    return replace(incident, reds=(), on_top=None, commit=None)
