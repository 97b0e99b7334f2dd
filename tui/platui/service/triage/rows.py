"""Rows of the triage board: of the known projects, or of the saved board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from platui.analysis.triage.board import (
    cause_groups,
    count_items,
    in_order,
    item_of,
    last_run,
    spread_acknowledgements,
)
from platui.analysis.triage.lateness import missed_run_items, slow_pipeline
from platui.core.named_tuple import NamedTuple
from platui.models.values.triage_board import Board, Mark

if TYPE_CHECKING:
    from platui.analysis.triage.incidents import LaneState
    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage import (
        Cause,
        CommitSummary,
        Flaky,
        Lane,
        PipelineRun,
    )
    from platui.models.values.triage_board import BoardItem, CauseGroup, Counts, Late, SavedBoard
    from platui.service.triage.stuck import RunKey
    from platui.service.triage.watched import ProjectSchedules


class FirstFailure(NamedTuple):
    """What the jobs of the first failed pipeline of an incident tell."""

    commit: CommitSummary | None
    before_retry: datetime | None  # When it had failed; None: nobody retried it


class Rows(NamedTuple):
    items: tuple[BoardItem, ...]
    groups: tuple[CauseGroup, ...]
    counts: Counts
    last_run: tuple[Lane, PipelineRun] | None


def rows_of(
    states: Iterable[LaneState],
    causes: Mapping[IncidentKey, Cause],
    first_failures: Mapping[IncidentKey, FirstFailure],
    marks: Mapping[IncidentKey, Mark],
    planned: Iterable[ProjectSchedules],
    stuck: Mapping[RunKey, Late],
    branches: Mapping[int, str],
    now: datetime,
) -> Rows:
    """Return the rows of all lanes; the time zone of `now` defines the day."""
    # Not `now` at 0:00: the UTC offset may have changed since midnight.
    midnight = datetime.combine(now.date(), time())
    today = midnight.replace(tzinfo=UTC) if now.tzinfo is UTC else midnight.astimezone()
    known = list(states)
    found = []
    for state in known:
        late = None
        if state.is_moving:
            # A stuck job is more specific than the duration.
            late = stuck.get((state.lane.project, state.newest.id))
            late = late or slow_pipeline(state.newest, state.typical, now)
        item = item_of(state, today, late)
        if item is not None:
            found.append(_with_details(item, causes, first_failures, marks))
    for project, schedules, asked_at in planned:
        found += missed_run_items(project, schedules, branches.get(project, ""), asked_at, now)
    items = in_order(spread_acknowledgements(found), now)
    return Rows(tuple(items), tuple(cause_groups(items)), count_items(items, now), last_run(known))


def with_flaky(cause: Cause, flaky: tuple[Flaky, ...]) -> Cause:
    if cause.point.flaky == flaky:
        return cause
    return cause._replace(point=replace(cause.point, flaky=flaky))


def _with_details(
    item: BoardItem,
    causes: Mapping[IncidentKey, Cause],
    first_failures: Mapping[IncidentKey, FirstFailure],
    marks: Mapping[IncidentKey, Mark],
) -> BoardItem:
    incident = item.incident
    if incident is None:
        return item
    if (first := first_failures.get(incident.key)) is not None:
        incident = replace(
            incident,
            first_red=incident.first_red.ended_before(first.before_retry),
            commit=first.commit or incident.commit,
        )
    cause = causes.get(incident.key)
    mark = marks.get(incident.key, item.mark)
    if cause is None:
        return replace(item, incident=incident, mark=mark)
    commit = cause.point.commit
    if incident.commit is None and commit is not None and incident.streak == 1:
        incident = replace(incident, commit=commit)
    return replace(item, incident=incident, point=cause.point, signature=cause.signature, mark=mark)


_NOTHING = Mark()


def restored_board(kept: SavedBoard, marks: Mapping[IncidentKey, Mark], now: datetime) -> Board:
    """Return a saved board with the current marks; never live."""
    items = in_order(spread_acknowledgements(_marked(item, marks) for item in kept.items), now)
    return Board(
        items=tuple(items),
        groups=tuple(cause_groups(items)),
        counts=count_items(items, now),
        names=kept.names,
        watched=kept.watched,
        known=kept.watched - len(kept.inaccessible),
        inaccessible=kept.inaccessible,
        fetched_at=datetime.fromtimestamp(kept.as_of, UTC),
    )


def _marked(item: BoardItem, marks: Mapping[IncidentKey, Mark]) -> BoardItem:
    if item.incident is None:
        return item
    return replace(item, mark=marks.get(item.incident.key, _NOTHING))
