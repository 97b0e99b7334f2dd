"""When a lane broke, how often it has failed since, and whether it is green again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.attempts import DECISIVE, GREEN, RED
from platui.analysis.triage.lanes import lanes_of
from platui.analysis.triage.lateness import usual_of_pipelines
from platui.models.values.statuses import ACTIVE
from platui.models.values.triage import Incident, Lane, PipelineRun, Recovery

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import TypicalDuration
    from platui.models.wire import Pipeline

ABANDONED: Final = timedelta(days=14)
"""After which nobody works any more on a branch whose last pipeline was red."""

_MAIN: Final = ("main", "master")
"""What default branches are called, where the platform does not tell: nearly all of them."""


@dataclass(frozen=True, slots=True)
class LaneState:
    """How one lane stands."""

    lane: Lane
    newest: PipelineRun
    incident: Incident | None = None
    recovery: Recovery | None = None  # The last one, where the lane is green
    is_main: bool = False
    typical: TypicalDuration | None = None
    """How long its pipelines take; only where the newest goes on, and enough is known."""
    green: PipelineRun | None = None  # The newest green pipeline, where none is red that is newer
    listed: tuple[int, ...] = ()  # Its pipelines that the list holds, the newest first

    @property
    def is_moving(self) -> bool:
        return self.newest.status in ACTIVE


@dataclass(frozen=True, slots=True)
class Listed:
    """The pipelines of one project as the platform lists them."""

    project: ProjectRef
    pipelines: Sequence[Pipeline]  # The newest first, each once
    is_whole: bool = False  # Whether there are no older ones
    main: str = ""
    """The default branch; empty where it is not known: it is the one then that is called so."""
    decided: Mapping[int, Pipeline] = field(default_factory=dict)
    """Those that were green or red once, as they were then, by their ids. Who tries one again, or
    plays a job of it, does not undo what it came to."""
    whole: AbstractSet[str] = frozenset()  # Branches of which there are no older ones


def decided_of(
    pipelines: Iterable[Pipeline], before: Mapping[int, Pipeline]
) -> dict[int, Pipeline]:
    """Return what `Listed.decided` is of a list, given what it was of the one before."""
    known = ((one.id, one if one.status in DECISIVE else before.get(one.id)) for one in pipelines)
    return {number: pipeline for number, pipeline in known if pipeline is not None}


def states_of(listed: Listed, now: datetime) -> list[LaneState]:
    """Return how the lanes of a project stand; branches that were given up are left out."""
    found = []
    told = {one.id: one for one in listed.pipelines}
    decided = [listed.decided.get(one.id, one) for one in listed.pipelines]
    lanes = lanes_of(listed.project, decided)
    main = listed.main or likely_main(lane.ref for lane in lanes)
    for lane, pipelines in lanes.items():
        is_main = bool(main) and lane.ref == main
        facts = _Facts(lane, is_whole=listed.is_whole or lane.ref in listed.whole, is_main=is_main)
        state = _state(facts, pipelines, ran(told[pipelines[0].id]))
        if state.is_moving:
            state = replace(state, typical=usual_of_pipelines(pipelines))
        if is_main or state.incident is None or not is_abandoned(state.newest, now):
            found.append(state)
    return found


def likely_main(refs: Iterable[str]) -> str:
    known = set(refs)
    return next((name for name in _MAIN if name in known), "")


def is_abandoned(newest: PipelineRun, now: datetime) -> bool:
    return newest.at is not None and now - newest.at > ABANDONED


def _state(facts: _Facts, pipelines: Sequence[Pipeline], newest: PipelineRun) -> LaneState:
    """Return how a lane stands; `pipelines` are as decided last, `newest` is as it is now."""
    decisive = (one for one in pipelines if one.status in DECISIVE)
    head = next(decisive, None)
    listed = tuple(one.id for one in pipelines)
    state = LaneState(facts.lane, newest, is_main=facts.is_main, listed=listed)
    if head is None:
        return state
    if head.status == GREEN:
        return replace(state, recovery=_recovery(facts, head, decisive), green=ran(head))
    is_newest = newest.id == head.id and newest.status == head.status
    on_top = None if is_newest else newest
    return replace(state, incident=_incident(facts, head, decisive, on_top))


class _Facts(NamedTuple):
    """What is known of a lane beside its pipelines."""

    lane: Lane
    is_whole: bool
    is_main: bool


def _incident(
    facts: _Facts, head: Pipeline, older: Iterator[Pipeline], on_top: PipelineRun | None
) -> Incident:
    reds = [head]
    green = _up_to(GREEN, older, reds)
    return Incident(
        facts.lane,
        first_red=_first_of(reds),
        newest_red=ran(head),
        reds=tuple(one.id for one in reds),
        streak=len(reds),
        last_green=ran(green) if green is not None else None,
        is_at_least=green is None and not facts.is_whole,
        on_top=on_top,
        is_main=facts.is_main,
    )


def _recovery(facts: _Facts, head: Pipeline, older: Iterator[Pipeline]) -> Recovery | None:
    greens = [head]
    red = _up_to(RED, older, greens)
    if red is None:
        return None
    reds = [red]
    green = _up_to(GREEN, older, reds)
    return Recovery(
        facts.lane,
        first_red=_first_of(reds),
        streak=len(reds),
        green=ran(greens[-1]),
        is_at_least=green is None and not facts.is_whole,
        is_main=facts.is_main,
        newest_red=ran(red),
    )


def _first_of(reds: Sequence[Pipeline]) -> PipelineRun:
    """Return the first of some red pipelines, with the end of the one that ended first."""
    first = ran(reds[-1])
    ends = [end for one in reds if (end := one.finished_at or one.updated_at) is not None]
    return first._replace(ended_at=min(ends, default=None))


def _up_to(status: str, older: Iterator[Pipeline], found: list[Pipeline]) -> Pipeline | None:
    for one in older:
        if one.status == status:
            return one
        found.append(one)
    return None


def ran(pipeline: Pipeline) -> PipelineRun:
    ended = None
    if pipeline.status not in ACTIVE:
        ended = pipeline.finished_at or pipeline.updated_at
    return PipelineRun(
        pipeline.id,
        pipeline.status,
        pipeline.ref,
        pipeline.sha,
        pipeline.source,
        pipeline.name,
        pipeline.created_at,
        ended,
        pipeline.web_url,
    )


def lane_now(before: Incident, states: Iterable[LaneState]) -> LaneState | None:
    """Return how the lane of an incident stands now, also under another name.

    A lane may be renamed as more of its pipelines are known, or merged where nothing red tells the
    ways of a branch apart any more.
    """
    known = {before.first_red.id, before.newest_red.id, *before.reds}
    same = renamed = merged = None
    for state in states:
        incident, recovery = state.incident, state.recovery
        if incident is not None and not known.isdisjoint(incident.reds):
            return state
        if recovery is not None and recovery.first_red.id in known:
            return state
        if state.lane == before.lane:
            same = state
        if before.newest_red.id in state.listed:
            renamed = state
        if state.lane == before.lane._replace(way=""):
            merged = state
    return same or renamed or merged


def carried_on(before: Incident, state: LaneState) -> Incident | None:
    """Return the incident of a lane with what was known of it before; None where it is over.

    A red pipeline that is retried, or was canceled then, stays red. Where the list ends before the
    last green, the older beginning counts if the lists overlap.
    """
    now = state.incident
    if now is None:
        return (
            None if _is_over(before.newest_red.id, state) else replace(before, on_top=state.newest)
        )
    if not _began_before(before, state, now):
        if now.key != before.key:
            return now
        # Its end moves with each retry; it is red since it was for the first time.
        first_red = _first_time(before.first_red, now.first_red)
        now = replace(now, first_red=first_red, commit=before.commit)
        # Where the list ends with it, what came before it is as it was.
        return _preceded(now, before) if now.is_at_least else now
    # Of what runs side by side the older one may be the last to fail.
    oldest = before.reds[-1] if before.reds else before.newest_red.id
    streak = before.streak + sum(one > oldest and one not in before.reds for one in now.reds)
    now = replace(now, first_red=before.first_red, streak=streak, commit=before.commit)
    return _preceded(now, before)


def _preceded(now: Incident, before: Incident) -> Incident:
    return replace(now, last_green=before.last_green, is_at_least=before.is_at_least)


def _began_before(before: Incident, state: LaneState, now: Incident) -> bool:
    if before.first_red.id >= now.first_red.id:
        return False
    if before.first_red.id in state.listed:
        # It is tried again, or was canceled then: only a green one ends what it began.
        green = now.last_green
        return green is None or green.id < before.first_red.id
    return now.is_at_least and now.first_red.id <= before.newest_red.id


def _first_time(before: PipelineRun, now: PipelineRun) -> PipelineRun:
    ends = [one.ended_at for one in (before, now) if one.ended_at is not None]
    return now._replace(ended_at=min(ends, default=None))


def _is_over(red: int, state: LaneState) -> bool:
    if state.green is not None and state.green.id >= red:
        return True
    # One that the list should hold was deleted; one that it does not reach may be red still.
    return red not in state.listed and any(one < red for one in state.listed)
