"""Track incidents of a project from one poll to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from platui.analysis.triage.incidents import (
    LaneState,
    continue_incident,
    find_lane_state,
    is_abandoned,
)
from platui.core.named_tuple import NamedTuple
from platui.models.values.triage import Incident, Recovery


class Over(NamedTuple):
    incident: Incident
    at: datetime  # End of the successful pipeline, else when it was noticed
    is_deleted: bool = False  # Whether its failed pipelines were deleted, without a success


class Moved(NamedTuple):
    """An incident whose key changed, since an earlier beginning became known."""

    before: Incident
    now: Incident


class Look(NamedTuple):
    """The lanes of a project, with what earlier polls knew."""

    states: tuple[LaneState, ...]
    over: tuple[Over, ...] = ()
    moved: tuple[Moved, ...] = ()

    @property
    def incidents(self) -> tuple[Incident, ...]:
        return tuple(one.incident for one in self.states if one.incident is not None)


def track_incidents(
    before: Iterable[Incident],
    states: Sequence[LaneState],
    now: datetime,
    ended: AbstractSet[int] = frozenset(),
    healed: Iterable[Over] = (),
) -> Look:
    """Continue open incidents with the lanes now listed; those beyond the list stay open."""
    found = {id(state): state for state in states}
    lost: list[LaneState] = []
    over: list[Over] = []
    moved: list[Moved] = []
    # The oldest last: if two turn out to be one, the older start counts.
    for incident in sorted(before, key=lambda one: one.first_red.id, reverse=True):
        state = find_lane_state(incident, states)
        if state is None:
            if incident.is_main or not is_abandoned(incident.newest_red, now):
                newest, is_main = incident.on_top or incident.newest_red, incident.is_main
                lost.append(LaneState(incident.lane, newest, incident, is_main=is_main))
            continue
        goes_on = continue_incident(incident, state)
        if goes_on is None or goes_on.first_red.id > incident.newest_red.id:
            is_deleted = goes_on is None and not _is_succeeded(incident, state)
            over.append(Over(incident, _ended_at(incident, state) or now, is_deleted))
            continue
        if state.incident is None and not goes_on.is_main and is_abandoned(state.newest, now):
            continue
        found[id(state)] = replace(state, incident=goes_on, recovery=None)
        if goes_on.key != incident.key:
            moved.append(Moved(incident, goes_on))
    for past in sorted((*healed, *over), key=lambda one: one.at):
        state = find_lane_state(past.incident, states)
        if state is not None and (recovery := _healed(past, found[id(state)])) is not None:
            found[id(state)] = replace(found[id(state)], recovery=recovery)
    lanes = (_without_typical(state, ended) for state in found.values())
    return Look((*lanes, *lost), tuple(over), tuple(moved))


def _healed(past: Over, state: LaneState) -> Recovery | None:
    incident, green, listed = past.incident, state.green, state.recovery
    if state.incident is not None or green is None or green.id < incident.newest_red.id:
        return None
    if listed is not None and (listed.green.at is None or listed.green.at >= past.at):
        return None
    return Recovery(
        state.lane,
        incident.first_red,
        incident.streak,
        green._replace(ended_at=past.at),
        is_at_least=incident.is_at_least,
        is_main=state.is_main,
        newest_red=incident.newest_red,
    )


def _without_typical(state: LaneState, ended: AbstractSet[int]) -> LaneState:
    """Remove the typical duration if the newest pipeline was retried."""
    known = set() if state.incident is None else state.incident.red_ids
    is_again = state.newest.id in ended or state.newest.id in known
    return replace(state, typical=None) if is_again and state.typical is not None else state


def _is_succeeded(incident: Incident, state: LaneState) -> bool:
    return state.green is not None and state.green.id >= incident.newest_red.id


def _ended_at(incident: Incident, state: LaneState) -> datetime | None:
    known = (state.recovery.green if state.recovery is not None else None, state.green)
    greens = (one for one in known if one is not None and one.id >= incident.newest_red.id)
    green = next(greens, None)
    return green.at if green is not None else None
