"""Build the items of the triage board: order, groups by cause, and counts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from platui.models.values.triage_board import Board, BoardItem, BoardState, CauseGroup, Counts, Late

if TYPE_CHECKING:
    from platui.analysis.triage.incidents import LaneState
    from platui.models.values.triage import Lane, PipelineRun

TOGETHER: Final = 7200.0  # Seconds between failures of one symptom that may share a cause
_REACHES: Final = (10, 3)  # Projects that make a cause widespread, and less so
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


def item_of(state: LaneState, today: datetime, late: Late | None = None) -> BoardItem | None:
    """Return the board item of a lane, if any; recoveries before `today` are omitted."""
    incident = state.incident
    if incident is not None or late is not None or state.is_moving:
        unbroken = BoardState.RUNNING if late is None else BoardState.LATE
        return BoardItem(
            unbroken if incident is None else BoardState.BROKEN,
            state.lane,
            incident=incident,
            late=late,
            newest=state.newest if incident is None else None,
            typical=state.typical,
            is_main=state.is_main,
        )
    recovery = state.recovery
    if recovery is None or (recovery.green.at or _NEVER) < today:
        return None
    return BoardItem(BoardState.RECOVERED, state.lane, recovery=recovery, is_main=state.is_main)


def last_run(states: Iterable[LaneState]) -> tuple[Lane, PipelineRun] | None:
    newest = max(states, key=lambda state: state.newest.at or _NEVER, default=None)
    return None if newest is None else (newest.lane, newest.newest)


def spread_acknowledgements(items: Iterable[BoardItem]) -> list[BoardItem]:
    """Acknowledge items whose cause was acknowledged as a whole, unless they have marks."""
    known = list(items)
    if not any(item.mark.spreads for item in known):
        return known
    groups = (group.items for group in cause_groups(known))
    spread = {id(item) for group in groups if any(map(_spreads, group)) for item in group}
    return [_joined(item) if id(item) in spread else item for item in known]


def _spreads(item: BoardItem) -> bool:
    signature = item.signature
    return item.mark.spreads and signature is not None and signature.key == item.mark.acked


def _joined(item: BoardItem) -> BoardItem:
    if item.incident is None or item.signature is None or item.mark.acked is not None:
        return item
    return replace(item, mark=replace(item.mark, acked=item.signature.key, spreads=True))


def cause_groups(items: Iterable[BoardItem]) -> list[CauseGroup]:
    """Group broken items by cause in order: local ones by project, symptoms by time."""
    found: dict[Hashable, list[BoardItem]] = {}
    everything = list(items)
    for item in everything:
        if item.incident is not None:
            found.setdefault(_cause(item), []).append(item)
    parts = [part for members in found.values() for part in _split_by_time(members)]
    place = {id(item): at for at, item in enumerate(everything)}
    parts.sort(key=lambda part: place[id(part[0])])
    return [CauseGroup(part[0].signature, tuple(part)) for part in parts]


def _split_by_time(items: Sequence[BoardItem]) -> Iterator[list[BoardItem]]:
    """Split items of one signature into causes: symptoms by time, others not."""
    signature = items[0].signature
    if len(items) == 1 or signature is None or not signature.is_symptom:
        yield list(items)
        return
    times = sorted({_failed_at(item) for item in items})
    begins = [two for one, two in pairwise(times) if two - one > TOGETHER]
    parts: dict[int, list[BoardItem]] = {}
    for item in items:
        parts.setdefault(bisect_right(begins, _failed_at(item)), []).append(item)
    yield from parts.values()


def _failed_at(item: BoardItem) -> float:
    step = item.step
    if step is not None and step.finished_at is not None:
        return step.finished_at.timestamp()
    return _seconds(item.incident.newest_red.at if item.incident is not None else None)


def _cause(item: BoardItem) -> Hashable:
    signature, incident = item.signature, item.incident
    if signature is None:
        return incident.key if incident is not None else item.lane
    return (signature.key, item.lane.project if signature.is_local else None)


def in_order(items: Iterable[BoardItem], now: datetime) -> list[BoardItem]:
    """Sort items as the board shows them: broken (quiet last), late, running, recovered."""
    everything = list(items)
    found = [
        item
        for group in sorted(cause_groups(everything), key=lambda group: _group_place(group, now))
        for item in sorted(group.items, key=lambda item: _place(item, now))
    ]
    rest = [item for item in everything if item.incident is None]
    order = list(BoardState)
    return found + sorted(rest, key=lambda item: (order.index(item.state), _rank(item)))


def _group_place(group: CauseGroup, now: datetime) -> tuple[object, ...]:
    places = [_place(item, now) for item in group.items]
    quiet, other, _, name = min(places)
    since = group.onset.since if group.onset is not None else None
    reach = len({
        item.lane.project
        for item, place in zip(group.items, places, strict=True)
        if place[:2] == (quiet, other)
    })  # fmt: skip
    step = sum(reach < many for many in _REACHES)
    return (quiet, other, step, -_seconds(since), name)


def _place(item: BoardItem, now: datetime) -> tuple[bool, bool, float, str]:
    quiet = item.is_quiet(now)
    since = item.incident.since if item.incident is not None else None
    return (quiet, not item.is_main, _seconds(since), _name(item))


def _rank(item: BoardItem) -> tuple[float, str]:
    match item.state:
        case BoardState.LATE if item.late is not None:
            return (-item.late.seconds, _name(item))
        case BoardState.RECOVERED if item.recovery is not None:
            return (-_seconds(item.recovery.green.at), _name(item))
        case _:
            newest = item.newest
            return (_seconds(None if newest is None else newest.created_at), _name(item))


def _seconds(moment: datetime | None) -> float:
    return moment.timestamp() if moment is not None else 0.0


def _name(item: BoardItem) -> str:
    lane = item.lane
    return f"{lane.project}\n{lane.ref}\n{lane.way}"


def is_on_default(item: BoardItem) -> bool:
    """Return whether an item is on a default branch, or on no branch, as versions are."""
    return item.is_main or not item.lane.ref


def on_default_branches(board: Board, now: datetime) -> Board:
    """Return a board without the items of other branches."""
    items = tuple(filter(is_on_default, board.items))
    parts = (
        group._replace(items=tuple(filter(is_on_default, group.items))) for group in board.groups
    )
    groups = tuple(part for part in parts if part.items)
    return replace(board, items=items, groups=groups, counts=count_items(items, now))


def count_items(items: Sequence[BoardItem], now: datetime) -> Counts:
    broken = [item for item in items if item.incident is not None]
    loud = [item for item in broken if not item.is_quiet(now)]
    rest = [item.state for item in items if item.incident is None]
    return Counts(
        broken=len(loud),
        causes=len(cause_groups(loud)),
        late=rest.count(BoardState.LATE),
        running=rest.count(BoardState.RUNNING),
        recovered=rest.count(BoardState.RECOVERED),
        quiet=len(broken) - len(loud),
    )
