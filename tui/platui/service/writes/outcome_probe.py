"""Probe for the outcome of a write whose response was lost.

New records are recognized by ids above those listed before the write, else by the server clock (its
`Date` header), never by the local clock. The result is never certain.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints import pipelines, session
from platui.core.dataclass import dataclass
from platui.core.errors import NotFoundError, PlatuiError, RateLimitedError
from platui.models.values.connection import Urgency
from platui.models.values.write_states import Found, NotFound, Probing, WriteState
from platui.service.writes.outcomes import outcome_of
from platui.service.writes.probe_targets import ChangedRecord, NewRecord, probe_target

if TYPE_CHECKING:
    from platui.api.api_client import ApiClient
    from platui.core.clock import Clock
    from platui.models.values.writes import Intent
    from platui.service.writes.sent_history import SentHistory

PROBE_SECONDS: Final = 30.0  # duration of a probe
_PAUSES: Final = (1.0, 2.0, 3.0, 4.0, 5.0)  # seconds between two requests; the last one repeats
_LIST_TIMEOUT: Final = 5.0  # maximum seconds of the listing before a write

# tolerated difference between `Date` headers and timestamps of records
_SLACK: Final = timedelta(seconds=5)

_DETAILS: Final = 5  # candidates whose creator is looked up

_UNSIGNED: Final = "The result cannot be checked without an access token."


@dataclass(frozen=True, slots=True)
class Baseline:
    """The records before a write was sent."""

    at: float  # monotonic second
    highest: int | None = None  # highest id, 0 without records; None: unknown


class OutcomeProbe:
    def __init__(self, caller: ApiClient, clock: Clock, history: SentHistory) -> None:
        self._caller = caller
        self._clock = clock
        self._history = history

    async def before(self, intent: Intent) -> Baseline:
        """Return the baseline. Raises RateLimitedError: nothing can be sent now."""
        target = probe_target(intent)
        if not isinstance(target, NewRecord) or not self._caller.credential.given:
            return Baseline(self._clock.monotonic())
        try:
            async with asyncio.timeout(_LIST_TIMEOUT):
                answer = await self._caller.fetch(target.listing, Urgency.USER, patience=0.0)
            items = target.listing.decode(answer.body, answer.headers).items
        except RateLimitedError:
            raise
        except (PlatuiError, TimeoutError):
            # A failed listing must not prevent the write.
            return Baseline(self._clock.monotonic())
        return Baseline(self._clock.monotonic(), max((item.id for item in items), default=0))

    async def after(self, intent: Intent, before: Baseline) -> AsyncGenerator[WriteState]:
        """Poll until a candidate is found, or the time is over."""
        if not self._caller.credential.given:
            yield NotFound(_UNSIGNED)
            return
        target = probe_target(intent)
        ends = self._clock.monotonic() + PROBE_SECONDS
        yield Probing(ends)
        attempts = 0
        while True:
            try:
                if isinstance(target, NewRecord):
                    found = await self._find_new(intent, target, before)
                else:
                    found = await self._check_record(intent, target)
            except PlatuiError as error:
                sentence = f"The result could not be checked: {error.sentence}"
            else:
                sentence = f"Nothing found within {PROBE_SECONDS:.0f} s; it may still appear."
                if found is not None:
                    yield found
                    return
            left = ends - self._clock.monotonic()
            if left <= 0:
                yield NotFound(sentence)
                return
            await self._clock.sleep(min(left, _PAUSES[min(attempts, len(_PAUSES) - 1)]))
            attempts += 1

    async def _check_record(self, intent: Intent, target: ChangedRecord) -> Found | None:
        try:
            record = await self._caller.get(target.detail, Urgency.USER)
        except NotFoundError as error:
            # A missing project, or a missing endpoint, does not show that the record is gone.
            if target.is_gone and error.missing == "record":
                return Found((outcome_of(intent, None),), target.sentence)
            raise
        if not target.shows(record) or (target.is_mine and not await self._owns(record)):
            return None
        return Found((outcome_of(intent, record),), target.sentence)

    async def _owns(self, record: Any) -> bool:
        me = await self._asked(session.user())
        owner = record.owner
        return me is not None and owner is not None and bool(me.id) and owner.id == me.id

    async def _find_new(self, intent: Intent, target: NewRecord, before: Baseline) -> Found | None:
        answer = await self._caller.fetch(target.listing, Urgency.USER)
        items = target.listing.decode(answer.body, answer.headers).items
        elapsed = timedelta(seconds=self._clock.monotonic() - before.at)
        since = None if answer.reported_at is None else answer.reported_at - elapsed - _SLACK
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
        return Found(outcomes, _describe(candidates, target, mine=mine))

    async def _by_me(self, intent: Intent, candidates: list[Any]) -> tuple[list[Any], bool]:
        """Drop candidates of other users; return also whether all others are known to be ours."""
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
            return None  # the creator is unknown then


def _is_new(item: Any, before: Baseline, since: datetime | None) -> bool:
    """Return whether a record was created after the baseline, by its id, else by its time."""
    if before.highest is not None:
        return bool(item.id > before.highest)
    created = getattr(item, "created_at", None)
    return created is not None and since is not None and bool(created >= since)


def _describe(candidates: Iterable[Any], target: NewRecord, *, mine: bool) -> str:
    numbers = [f"#{item.id}" for item in candidates]
    what = f"{target.kind} {' and '.join(numbers)}{target.where}"
    starter = ", started by you" if mine else ""
    if len(numbers) == 1:
        return f"Found {what}{starter}: probably yours."
    return f"Found {what}{starter}: one of them is probably yours."
