"""Build incidents and recoveries of lanes from listed pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import DECISIVE, GREEN, RED
from platui.analysis.triage.lanes import lanes_of
from platui.analysis.triage.lateness import typical_pipeline_duration
from platui.core.dataclass import dataclass
from platui.models.values.statuses import ACTIVE
from platui.models.values.triage import Incident, Lane, PipelineRun, Recovery

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import TypicalDuration
    from platui.models.wire import Pipeline

ABANDONED: Final = timedelta(days=14)  # Age from which a failed branch counts as abandoned
_MAIN: Final = ("main", "master")  # Likely names of an unknown default branch


@dataclass(frozen=True, slots=True)
class LaneState:
    """The state of a lane."""

    lane: Lane
    newest: PipelineRun
    incident: Incident | None = None
    recovery: Recovery | None = None  # The last one, if the lane is successful
    is_main: bool = False
    typical: TypicalDuration | None = None  # If the newest pipeline is active
    green: PipelineRun | None = None  # Newest successful pipeline, if none failed since
    listed: tuple[int, ...] = ()  # Its listed pipelines, newest first

    @property
    def is_moving(self) -> bool:
        return self.newest.status in ACTIVE


@dataclass(frozen=True, slots=True)
class Listed:
    """The listed pipelines of a project."""

    project: ProjectRef
    pipelines: Sequence[Pipeline]  # Newest first, without duplicates
    is_whole: bool = False  # Whether there are no older ones
    main: str = ""  # Default branch; "": unknown
    # By id, pipelines when they last succeeded or failed: retrying one does not undo its result.
    decided: Mapping[int, Pipeline] = field(default_factory=dict)
    whole: AbstractSet[str] = frozenset()  # Branches without older pipelines
    # Pipelines that ran and left the list: others between them and the list are unknown.
    beyond: AbstractSet[int] = frozenset()


def decided_pipelines(
    pipelines: Iterable[Pipeline], before: Mapping[int, Pipeline]
) -> dict[int, Pipeline]:
    """Return `Listed.decided` for a list, given that of the previous list."""
    known = ((one.id, one if one.status in DECISIVE else before.get(one.id)) for one in pipelines)
    return {number: pipeline for number, pipeline in known if pipeline is not None}


def states_of(listed: Listed, now: datetime) -> list[LaneState]:
    """Return the lanes of a project, except abandoned branches."""
    found = []
    listed_now = {one.id: one for one in listed.pipelines}
    decided = [listed.decided.get(one.id, one) for one in listed.pipelines]
    lanes = lanes_of(listed.project, decided)
    refs = {lane.ref for lane in lanes}
    main = listed.main or next((name for name in _MAIN if name in refs), "")
    for lane, known in lanes.items():
        within = [one for one in known if one.id not in listed.beyond]
        pipelines = within or known  # those beyond only tell about a lane without others
        newest = ran(listed_now[pipelines[0].id])
        is_main = bool(main) and lane.ref == main
        typical = typical_pipeline_duration(pipelines) if newest.status in ACTIVE else None
        ids = tuple(one.id for one in within)
        state = LaneState(lane, newest, is_main=is_main, typical=typical, listed=ids)
        state = _judged(state, pipelines, is_whole=listed.is_whole or lane.ref in listed.whole)
        if is_main or state.incident is None or not is_abandoned(newest, now):
            found.append(state)
    return found


def typical_in_lane(
    project: ProjectRef, pipeline: Pipeline, listed: Iterable[Pipeline]
) -> TypicalDuration | None:
    """Return the typical duration of a pipeline's lane; without a lane, that of its ref."""
    others = [one for one in listed if one.id != pipeline.id]
    lanes = lanes_of(project, [pipeline, *others]).values()
    of_ref = [one for one in others if one.ref == pipeline.ref]
    return typical_pipeline_duration(next((one for one in lanes if pipeline in one), of_ref))


def is_abandoned(newest: PipelineRun, now: datetime) -> bool:
    return newest.at is not None and now - newest.at > ABANDONED


def _judged(state: LaneState, pipelines: Sequence[Pipeline], *, is_whole: bool) -> LaneState:
    """Add the incident or the recovery of a lane, from its pipelines as last decided."""
    decisive = [one for one in pipelines if one.status in DECISIVE]
    greens = list(takewhile(lambda one: one.status == GREEN, decisive))
    reds = list(takewhile(lambda one: one.status == RED, decisive[len(greens) :]))
    older = decisive[len(greens) + len(reds) :]  # From the last success before the failures on
    lane, newest, is_main = state.lane, state.newest, state.is_main
    if greens:
        state = replace(state, green=ran(greens[0]))
    if not reds:
        return state
    first_red, newest_red = _first_of(reds), ran(reds[0])
    is_at_least = not older and not is_whole
    if greens:
        recovery = Recovery(
            lane, first_red, len(reds), ran(greens[-1]), is_at_least, is_main, newest_red
        )
        return replace(state, recovery=recovery)
    is_newest = newest.id == newest_red.id and newest.status == newest_red.status
    incident = Incident(
        lane,
        first_red,
        newest_red,
        streak=len(reds),
        reds=tuple(one.id for one in reds),
        last_green=ran(older[0]) if older else None,
        is_at_least=is_at_least,
        on_top=None if is_newest else newest,
        is_main=is_main,
    )
    return replace(state, incident=incident)


def _first_of(reds: Sequence[Pipeline]) -> PipelineRun:
    """Return the first failed pipeline, with the earliest end of all."""
    first = ran(reds[-1])
    ends = [end for one in reds if (end := one.finished_at or one.updated_at) is not None]
    return first._replace(ended_at=min(ends, default=None))


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
        pipeline.updated_at if ended is None else None,
    )


def find_lane_state(before: Incident, states: Sequence[LaneState]) -> LaneState | None:
    """Return the current state of an incident's lane, even if it was renamed or merged."""
    known = before.red_ids
    same = renamed = merged = None
    for state in states:
        # A run by hand is in several lanes: the same lane comes before others that list it.
        if state.lane == before.lane and before.newest_red.id in state.listed:
            return state
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


def continue_incident(before: Incident, state: LaneState) -> Incident | None:
    """Return the continued incident of a lane, also while it is retried; None if it ended."""
    if not state.listed and state.newest.id < before.newest_red.id:
        return before  # Only an older pipeline beyond the list is known
    now = state.incident
    if now is None:
        return (
            None if _is_over(before.newest_red.id, state) else replace(before, on_top=state.newest)
        )
    is_cut = True  # Whether the list ends with it: what came before is unchanged
    if _began_before(before, state, now):
        # Of parallel pipelines an older one may fail last.
        oldest = before.reds[-1] if before.reds else before.newest_red.id
        first_red = before.first_red
        streak = before.streak + sum(one > oldest and one not in before.reds for one in now.reds)
    elif now.key != before.key:
        return now
    else:
        first_red, streak = now.first_red.ended_before(before.first_red.ended_at), now.streak
        is_cut = now.is_at_least
    now = replace(now, first_red=first_red, streak=streak, commit=before.commit)
    if is_cut:
        now = replace(now, last_green=before.last_green, is_at_least=before.is_at_least)
    return now


def _began_before(before: Incident, state: LaneState, now: Incident) -> bool:
    if before.first_red.id >= now.first_red.id:
        return False
    if before.first_red.id in state.listed:
        # It is being retried, or was canceled: only a success ends the incident.
        green = now.last_green
        return green is None or green.id < before.first_red.id
    return now.is_at_least and now.first_red.id <= before.newest_red.id


def _is_over(red: int, state: LaneState) -> bool:
    if state.green is not None and state.green.id >= red:
        return True
    # A pipeline missing within the list was deleted; one beyond the list may still be failed.
    return red not in state.listed and any(one < red for one in state.listed)
