"""One watched project of the triage board: its newest pipelines, and how its lanes stand."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from math import inf
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.going_on import Look, Over, look_on
from platui.analysis.triage.incidents import Listed, states_of
from platui.core.errors import ForbiddenError, NotFoundError, PlatuiError
from platui.models.values.triage_memory import PastIncident
from platui.service.pacer import Pacer
from platui.service.statuses import MOVING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from platui.analysis.triage.incidents import LaneState
    from platui.models import Pipeline
    from platui.models.values.connection import Urgency
    from platui.models.values.pages import Listing
    from platui.models.values.triage import Incident
    from platui.models.values.triage_memory import IncidentKey
    from platui.service.cadence import Rhythm
    from platui.service.subject import Subject
    from platui.service.surroundings import Surroundings
    from platui.service.triage_causes import Causes

NEWS: Final = timedelta(hours=26)
"""For which a recovery may be of today: a day in which clocks are put back has 25 hours."""


class WatchedProject:
    """What is known of one project, and when it is worth another look."""

    def __init__(
        self,
        project: int,
        subject: Subject[Listing[Pipeline]],
        surroundings: Surroundings,
        remembered: Iterable[PastIncident],
    ) -> None:
        """Take what is asked.

        Args:
            project: its id.
            subject: the list of its pipelines.
            surroundings: when to look up.
            remembered: what was open in it when anybody looked last, and what was over.
        """
        self.id = project
        self.look: Look | None = None
        """How it stands; None while that is not known."""
        self.moving: tuple[LaneState, ...] = ()
        """Its lanes whose newest pipeline goes on."""
        self.refused = False
        self.is_live = False
        """Whether the platform was asked since this was made, and has answered."""
        self.asked = False
        """Whether somebody wants to know now."""
        self.asked_at = -inf
        """Monotonic second at which it was asked for last, or what a cache has was."""
        self._subject = subject
        self._around = surroundings
        self._pacer = Pacer(surroundings)
        known = tuple(remembered)
        self._before = tuple(one.incident for one in known if one.recovered_at is None)
        self._healed = tuple(
            Over(one.incident, one.recovered_at) for one in known if one.recovered_at is not None
        )
        """What was seen to be over in the last days."""
        self._taken: tuple[object, str] = (None, "")
        self._ended: frozenset[int] = frozenset()
        """Pipelines in the list that were seen to be over."""

    @property
    def fetched_at(self) -> datetime | None:
        """Return when the platform said so."""
        return self._subject.fetched_at

    @property
    def was_broken(self) -> bool:
        """Return whether anything was open in it when it was looked at last."""
        return bool(self._before)

    @property
    def incidents(self) -> tuple[Incident, ...]:
        """Return what is broken in it."""
        return () if self.look is None else self.look.incidents

    def remaining(self, rhythm: Rhythm) -> float | None:
        """Return the seconds until it is due; None: not before something rings."""
        if self.asked and not self._around.unauthorized:
            return self._around.pause
        return self._pacer.remaining(rhythm, running=False, settled=False, transfer=0.0)

    async def recall(self, main: str) -> None:
        """Take what a cache has."""
        await self._subject.recall()
        if self._subject.fetched_at is not None:
            self._pacer.known_since(self._subject.fetched_at)
            clock = self._around.clock
            age = (clock.now() - self._subject.fetched_at).total_seconds()
            self.asked_at = clock.monotonic() - max(0.0, age)
            await self.take(main)

    async def renew(self, main: str, urgency: Urgency) -> PlatuiError | None:
        """Ask the platform once; return why it did not say, a refusal apart.

        Args:
            main: its default branch; empty where that is not known.
            urgency: who waits for it.
        """
        self.asked, self.asked_at = False, self._around.clock.monotonic()
        try:
            await self._subject.renew(urgency)
        except (ForbiddenError, NotFoundError) as error:
            self._pacer.failed(error)
            self.refused, self.is_live, self.look = True, True, None
            self._taken, self.moving = (None, ""), ()
            return None
        except PlatuiError as error:
            self._pacer.failed(error)
            return error
        self._pacer.succeeded()
        await self.take(main)
        self.refused, self.is_live = False, True
        return None

    async def take(self, main: str) -> None:
        """Find out how it stands, unless nothing is another than before.

        Args:
            main: its default branch; empty where that is not known.
        """
        listing = self._subject.value
        known, was = self._taken
        if listing is None or (listing is known and main == was):
            return
        self._taken = (listing, main)
        listed = Listed(self.id, listing.items, is_whole=listing.complete, main=main)
        now = self._around.clock.now()
        # A busy project has hundreds of pipelines on dozens of branches.
        ended = self._ended
        healed = tuple(one for one in self._healed if now - one.at <= NEWS)
        self.look = await asyncio.to_thread(_looked, self._before, listed, now, ended, healed)
        self._before, self._healed = self.look.incidents, (*healed, *self.look.over)
        self._ended = frozenset(
            one.id for one in listing.items if one.id in ended or one.status not in MOVING
        )
        self.moving = tuple(state for state in self.look.states if state.is_moving)

    def past(
        self,
        history: Mapping[IncidentKey, PastIncident],
        causes: Causes,
        now: datetime,
    ) -> Sequence[PastIncident]:
        """Return what is to be remembered of it: what is open, and what is over now."""
        if self.look is None:
            return ()
        moved = {one.now.key: one.before.key for one in self.look.moved}
        found = []
        for incident in self.look.incidents:
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
        for incident, at in self.look.over:
            known = history.get(incident.key)
            opened_at = now if known is None else known.opened_at
            found.append(PastIncident(_bare(incident), opened_at, at))
        return found


def _looked(
    before: Iterable[Incident],
    listed: Listed,
    now: datetime,
    ended: frozenset[int],
    healed: tuple[Over, ...],
) -> Look:
    return look_on(before, states_of(listed, now), now, ended, healed)


def _bare(incident: Incident) -> Incident:
    return replace(incident, reds=(), on_top=None, commit=None)
