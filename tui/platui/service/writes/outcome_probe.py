"""Looking for what a write may have done whose answer was lost. Never certain, and says so.

New things are told from old ones by their ids: the list is asked for before anything is sent.
Where that failed, the platform's own clock (its `Date` header) stands in, never ours.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints import pipelines, session
from platui.core.errors import NotFoundError, PlatuiError, RateLimitedError
from platui.models.values.connection import Urgency
from platui.models.values.write_states import Found, NotFound, Probing
from platui.service.writes.outcomes import outcome_of
from platui.service.writes.probe_targets import NewRecord, probe_target

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable
    from datetime import datetime

    from platui.api.api_client import ApiClient
    from platui.core.clock import Clock
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import Intent
    from platui.service.writes.probe_targets import ChangedRecord
    from platui.service.writes.sent_history import SentHistory

PROBE_SECONDS: Final = 30.0
"""Seconds after which looking ends."""

_PAUSES: Final = (1.0, 2.0, 3.0, 4.0, 5.0)
"""Seconds between two looks; the last one again and again."""

_GLANCE: Final = 5.0
"""Seconds that the look before sending may take."""

_SLACK: Final = timedelta(seconds=5)
"""How much the platform's clock in its headers may differ from that of its records."""

_DETAILS: Final = 5
"""Candidates that are looked at for who made them."""

_UNSIGNED: Final = "Nobody can look for it: that takes an access token."


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was there before a write was sent."""

    at: float
    """Our monotonic second of the look. Differences of it are good, whatever our clock says."""
    highest: int | None = None
    """The highest id of its kind, 0 where there was none; None: not known."""


class OutcomeProbe:
    """Looks before a write is sent, and after its answer was lost."""

    def __init__(self, caller: ApiClient, clock: Clock, history: SentHistory) -> None:
        self._caller = caller
        self._clock = clock
        self._history = history

    async def before(self, intent: Intent) -> Baseline:
        """Return what there is now, as far as a glance shows.

        Raises RateLimitedError: nothing can be asked or sent now.
        """
        target = probe_target(intent)
        if not isinstance(target, NewRecord) or not self._caller.is_authenticated:
            return Baseline(self._clock.monotonic())
        try:
            async with asyncio.timeout(_GLANCE):
                answer = await self._caller.fetch(target.listing, Urgency.USER, patience=0.0)
            items = target.listing.decode(answer.body, answer.headers).items
        except RateLimitedError:
            raise
        except (PlatuiError, TimeoutError):
            # Whether the write goes through is not for a glance to say.
            return Baseline(self._clock.monotonic())
        return Baseline(self._clock.monotonic(), max((item.id for item in items), default=0))

    async def after(self, intent: Intent, before: Baseline) -> AsyncGenerator[WriteState]:
        """Look until something is found, or the time is over."""
        if not self._caller.is_authenticated:
            yield NotFound(_UNSIGNED)
            return
        target = probe_target(intent)
        ends = self._clock.monotonic() + PROBE_SECONDS
        yield Probing(ends)
        sentence = f"Nothing was found within {PROBE_SECONDS:.0f} s; it may still come."
        looks = 0
        while True:
            try:
                found = await self._look(intent, target, before)
            except PlatuiError as error:
                sentence = f"Nobody could look for it: {error.sentence}"
            else:
                sentence = f"Nothing was found within {PROBE_SECONDS:.0f} s; it may still come."
                if found is not None:
                    yield found
                    return
            left = ends - self._clock.monotonic()
            if left <= 0:
                yield NotFound(sentence)
                return
            await self._clock.sleep(min(left, _PAUSES[min(looks, len(_PAUSES) - 1)]))
            looks += 1

    async def _look(
        self, intent: Intent, target: NewRecord | ChangedRecord, before: Baseline
    ) -> Found | None:
        if isinstance(target, NewRecord):
            return await self._look_for_new(intent, target, before)
        return await self._look_at(intent, target)

    async def _look_at(self, intent: Intent, target: ChangedRecord) -> Found | None:
        try:
            record = await self._caller.get(target.detail, Urgency.USER)
        except NotFoundError:
            if target.is_gone:
                return Found((outcome_of(intent, None),), target.sentence)
            raise
        if not target.shows(record) or (target.is_mine and not await self._owns(record)):
            return None
        return Found((outcome_of(intent, record),), target.sentence)

    async def _owns(self, record: Any) -> bool:
        me = await self._asked(session.user())
        owner = record.owner
        return me is not None and owner is not None and bool(me.id) and owner.id == me.id

    async def _look_for_new(
        self, intent: Intent, target: NewRecord, before: Baseline
    ) -> Found | None:
        answer = await self._caller.fetch(target.listing, Urgency.USER)
        items = target.listing.decode(answer.body, answer.headers).items
        since = (
            None
            if answer.reported_at is None
            else answer.reported_at - self._elapsed(before) - _SLACK
        )
        known = await self._history.known_pipelines() if target.kind == "pipeline" else frozenset()
        candidates = [
            item
            for item in items
            if item.id not in known and _is_new(item, before, since) and target.matches(item)
        ]
        mine = False
        if candidates and target.by_me:
            candidates, mine = await self._by_me(intent, candidates[:_DETAILS])
        if not candidates:
            return None
        outcomes = tuple(replace(outcome_of(intent, item), kind=target.kind) for item in candidates)
        return Found(outcomes, _told(candidates, target, mine=mine))

    def _elapsed(self, before: Baseline) -> timedelta:
        return timedelta(seconds=self._clock.monotonic() - before.at)

    async def _by_me(self, intent: Intent, candidates: list[Any]) -> tuple[list[Any], bool]:
        """Leave out what others made; return also whether the rest is known to be ours."""
        me = await self._asked(session.user())
        if me is None or not me.id:
            return candidates, False
        ours, sure = [], True
        for item in candidates:
            detail = await self._asked(pipelines.pipeline(intent.project, item.id))  # type: ignore[union-attr]  # by_me: a pipeline
            user = None if detail is None else detail.user
            if user is None or not user.id:
                sure = False
            elif user.id != me.id:
                continue
            ours.append(item)
        return ours, sure and bool(ours)

    async def _asked(self, endpoint: Any) -> Any:
        try:
            return await self._caller.get(endpoint, Urgency.USER)
        except PlatuiError:
            return None  # who made it is then not known, which is told


def _is_new(item: Any, before: Baseline, since: datetime | None) -> bool:
    """Return whether a thing was made after the look before: by its id, else by its time."""
    if before.highest is not None:
        return bool(item.id > before.highest)
    created = getattr(item, "created_at", None)
    return created is not None and since is not None and bool(created >= since)


def _told(candidates: Iterable[Any], target: NewRecord, *, mine: bool) -> str:
    """Return what to say of candidates, newest first: never that one surely is it."""
    numbers = [f"#{item.id}" for item in candidates]
    what = f"{target.kind} {' and '.join(numbers)}{target.where}"
    by = ", started by you" if mine else ""
    if len(numbers) == 1:
        return f"Found {what}{by}: probably yours."
    return f"Found {what}{by}: one of them is probably yours."
