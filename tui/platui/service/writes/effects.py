"""Follow what writes started or changed until it ends, with the existing feeds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import replace
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any, Final, cast

from platui.analysis.attempts import GREEN
from platui.analysis.triage.incidents import typical_in_lane
from platui.core.errors import HIDDEN
from platui.models.values.feeds import Snapshot, Source
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.models.values.statuses import ACTIVE
from platui.models.values.write_effects import EffectKey, Effects, WriteEffect
from platui.models.values.write_states import Done, Found, NotFound, Probing, Unknown
from platui.models.values.writes import Intent, NewPipeline, RecordAction, WriteAction
from platui.models.wire import Job, Pipeline
from platui.service import resources
from platui.service.resources.resource import Poll, Resource

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui.core.observers import Observable
    from platui.models.values.write_states import Outcome, WriteState

_AT_ONCE: Final = 8  # effects polled at the same time; the others wait
_RUNS: Final = 20  # successful pipelines whose cached jobs give the typical duration
_SEARCHED: Final = 30.0  # seconds to search for what a write started, if no response names it
_PAUSE: Final = 3.0
_CANCELS: Final = frozenset({WriteAction.CANCEL_PIPELINE, WriteAction.CANCEL_JOB})
_WITHOUT: Final = frozenset({WriteAction.OWN_SCHEDULE, WriteAction.DELETE_SCHEDULE})


class WriteEffects:
    """The writes of a session whose effect is under way, by pipeline, job and schedule."""

    def __init__(
        self,
        watch: Callable[[Resource[Any]], Any],
        clock: Clock,
        current: Observable[Effects],
    ) -> None:
        self._watch = watch
        self._clock = clock
        self._current = current
        self._turn = asyncio.Semaphore(_AT_ONCE)

    @staticmethod
    def changes(
        intents: Iterable[Intent], states: Iterable[WriteState | None]
    ) -> Iterator[tuple[Intent, Outcome | None]]:
        """Yield the intents that changed something, or may have, with the outcome, if known."""
        for intent, state in zip(intents, states, strict=True):
            match state:
                case Done(one) | Found((one,)):
                    yield intent, one
                case Found() | NotFound() | Unknown() | Probing():
                    yield intent, None

    async def follow(self, intent: Intent, outcome: Outcome | None) -> None:
        """Publish the effect of a write, also of an unknown result, and follow it until it ends."""
        if not (isinstance(intent, NewPipeline) or _starts_something(intent)):
            return
        intent = cast("RecordAction | NewPipeline", intent)
        given = None if outcome is None else outcome.record
        record = given if isinstance(given, Pipeline | Job) else None
        if record is not None and _is_retry(intent) and record.status not in ACTIVE:
            record = None  # its jobs start before its status changes
        effect = WriteEffect(intent, self._clock.now(), record, is_unconfirmed=outcome is None)
        self._publish(None, effect)
        async with self._turn:
            try:
                await self._follow(effect)
            finally:
                self._lose(effect)

    async def _follow(self, effect: WriteEffect) -> None:
        intent = effect.intent
        if effect.record is None and _kind_of(intent) == "schedule":
            found = await self._started_by(cast("RecordAction", intent))
            is_unknown = effect.is_unconfirmed and found is None
            found_one = replace(effect, record=found, is_unconfirmed=is_unknown)
            effect = self._publish(effect, found_one)
        resource = _followed(effect)
        if resource is None:
            return
        if not effect.is_again:
            typical = await self._typical(effect)
            effect = self._publish(effect, replace(effect, typical=typical))
        feed, ends = self._watch(resource), inf
        feed.refresh()  # a cached record may be older than the write
        async with aclosing(_items(feed)) as snapshots:
            async for snapshot in snapshots:
                if snapshot.source is Source.LIVE:
                    newer = replace(effect, record=snapshot.value)
                    if newer.is_over and _may_arrive_later(effect):
                        now = self._clock.monotonic()
                        ends = min(ends, now + _SEARCHED)
                        if now < ends:
                            await self._ask_again(feed, snapshot)
                            continue
                    effect = self._publish(effect, newer)
                if effect.is_over or isinstance(snapshot.error, HIDDEN):
                    return

    def _publish(self, before: WriteEffect | None, effect: WriteEffect) -> WriteEffect:
        """Replace an effect by its newer state, except where a later write has its own."""
        now = self._clock.now()
        effect = replace(effect, ended_at=now if effect.is_over else None)
        known = {key: one for key, one in self._current.value.items() if one.is_shown(now)}
        for key in _keys_of(effect):
            if before is None or known.get(key, before).intent is before.intent:
                known[key] = effect
        self._current.set(known)
        return effect

    def _lose(self, effect: WriteEffect) -> None:
        known = (one for one in self._current.value.values() if one.intent is effect.intent)
        last = next(known, None)
        if last is not None and not last.is_over:
            self._publish(last, replace(last, is_lost=True))

    async def _cached(self, resource: Resource[Any]) -> tuple[Any, ...]:
        async with aclosing(_items(self._watch(resource))) as snapshots:
            cached = await anext(snapshots, None)  # None: the service closes
        return () if cached is None or cached.value is None else tuple(cached.value.items)

    async def _started_by(self, run: RecordAction) -> Pipeline | None:
        """Find the pipeline of a schedule that was run: the response does not name it."""
        feed = self._watch(resources.schedules.schedule(run.project, run.id))
        ends = self._clock.monotonic() + _SEARCHED
        feed.refresh()
        async with aclosing(_items(feed)) as snapshots:
            async for snapshot in snapshots:
                if snapshot.value is not None and snapshot.source is Source.LIVE:
                    last = snapshot.value.last_pipeline
                    if last is not None and _is_run_of(last, run):
                        return cast("Pipeline", last)
                if self._clock.monotonic() > ends:
                    return None
                await self._ask_again(feed, snapshot)
        return None

    async def _ask_again(self, feed: Any, snapshot: Snapshot[Any]) -> None:
        if not snapshot.refreshing:
            await self._clock.sleep(_PAUSE)
            feed.refresh()

    async def _typical(self, effect: WriteEffect) -> float | None:
        """Return the typical duration from cached pipelines and jobs; nothing is requested."""
        project, record = effect.intent.project, effect.record
        listed = await self._cached(resources.pipelines.pipelines(PipelinesQuery(project)))
        if isinstance(record, Pipeline):
            known = typical_in_lane(project, record, listed)
            return None if known is None else known.median
        if record is None:
            return None
        runs = [one for one in listed if one.status == GREEN and one.ref == record.ref]
        queries = [JobsQuery(project, one.id, with_retried=True) for one in runs[:_RUNS]]
        found: dict[int, float] = {}
        for query in (JobsQuery(project), *queries):
            found |= _durations(await self._cached(resources.jobs.jobs(query)), record)
        return median(found.values()) if found else None


def _items(feed: Any) -> AsyncGenerator[Snapshot[Any]]:
    return cast("AsyncGenerator[Snapshot[Any]]", aiter(feed))


def _starts_something(intent: Intent) -> bool:
    return getattr(intent, "action", None) not in {None, *_WITHOUT}


def _kind_of(intent: RecordAction | NewPipeline) -> str:
    return "" if isinstance(intent, NewPipeline) else intent.action.kind


def _followed(effect: WriteEffect) -> Resource[Any] | None:
    """Return the job or pipeline to follow: the started one, else the target of the write."""
    intent, record = effect.intent, effect.record
    kind, number = _kind_of(intent), getattr(intent, "id", 0)
    if record is not None:
        kind, number = "job" if isinstance(record, Job) else "pipeline", record.id
    if kind == "job":
        return resources.jobs.job(intent.project, number, poll=Poll.NEWEST_FIRST)
    return resources.pipelines.ending(intent.project, number) if kind == "pipeline" else None


def _may_arrive_later(effect: WriteEffect) -> bool:
    """Return whether an ended state may be older than the write."""
    is_cancel = getattr(effect.intent, "action", None) in _CANCELS
    is_late = (effect.is_unconfirmed and not is_cancel) or _is_retry(effect.intent)
    return is_late and effect.record is None


def _is_retry(intent: Intent) -> bool:
    """Return whether a pipeline that has ended runs again."""
    return getattr(intent, "action", None) is WriteAction.RETRY_PIPELINE


def _is_run_of(last: Pipeline, run: RecordAction) -> bool:
    """Return whether the last pipeline of a schedule is newer than its run."""
    if run.last_pipeline is None:  # unknown: an ended one may be older
        return last.status in ACTIVE
    return last.id > run.last_pipeline


def _keys_of(effect: WriteEffect) -> list[EffectKey]:
    intent, record = effect.intent, effect.record
    keys: list[EffectKey] = []
    if isinstance(intent, NewPipeline):
        keys += [("pipeline", intent.rerun_of)] if intent.rerun_of is not None else []
    else:
        keys.append((intent.action.kind, intent.id))
    if isinstance(record, Job):
        keys.append(("job", record.id))
        keys += [("pipeline", record.pipeline.id)] if record.pipeline is not None else []
    elif record is not None:
        keys.append(("pipeline", record.id))
    return list(dict.fromkeys(keys))


def _durations(jobs: Iterable[Job], like: Job) -> dict[int, float]:
    return {
        one.id: one.duration
        for one in jobs
        if one.name == like.name and one.status == GREEN and one.duration is not None
    }
