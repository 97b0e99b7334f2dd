"""Derive events from consecutive triage boards, each once; first-time data causes none."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from platui.analysis.triage.incidents import is_abandoned
from platui.core.named_tuple import NamedTuple
from platui.models.values.triage_board import BoardEvent, BoardEventKind, BoardState, LateKind

if TYPE_CHECKING:
    from platui.models.values.triage import Incident
    from platui.models.values.triage_board import Board, BoardItem

_ORDER = tuple(BoardEventKind)
_GOING_ON = frozenset({BoardState.RUNNING, BoardState.LATE})
_STUCK = frozenset({LateKind.WAITING, LateKind.SILENT})


class SeenBoard(NamedTuple):
    board: Board
    at: datetime


class BoardEventDetector:
    """Compares consecutive boards and reports new events."""

    def __init__(self) -> None:
        self._seen: SeenBoard | None = None
        # Reported as late and still active: alternating silence is not reported again.
        self._late: set[tuple[Hashable, LateKind]] = set()
        # Reported incidents with unknown cause: only their causes are reported later.
        self._opened: set[Hashable] = set()

    def detect(self, board: Board, at: datetime) -> tuple[BoardEvent, ...]:
        """Return the new events; none for the first board."""
        before = self._seen
        now = SeenBoard(board if before is None else carried(before.board, board), at)
        self._seen = now
        going_on = {_run(item) for item in board.items}
        self._late = {one for one in self._late if one[0] in going_on}
        self._opened &= _incidents(board).keys()
        if before is None:
            return ()
        return tuple(one for one in news(before, now) if self._is_fresh(one))

    def _is_fresh(self, one: BoardEvent) -> bool:
        incident, late = one.item.incident, one.item.late
        if one.kind is BoardEventKind.OPENED and incident is not None:
            self._opened.add(incident.key)
        if one.kind is BoardEventKind.CAUSE and incident is not None:
            is_reported = incident.key in self._opened
            self._opened.discard(incident.key)
            return is_reported
        if one.kind is not BoardEventKind.LATE or late is None:
            return True
        key = (_run(one.item), late.kind)
        is_fresh = key not in self._late
        self._late.add(key)
        return is_fresh


def carried(before: Board, after: Board) -> Board:
    """Return a board with previously known causes filled in."""
    known = _Known(before)
    items = tuple(
        replace(item, signature=was.signature, point=was.point)
        if item.incident is not None
        and item.signature is None
        and (was := known.same(item.incident)) is not None
        else item
        for item in after.items
    )
    return after if items == after.items else replace(after, items=items)


def news(before: SeenBoard, after: SeenBoard) -> tuple[BoardEvent, ...]:
    """Return the events between two boards, the most important first, for answered projects."""
    if not before.board.is_named:
        return ()
    of_both = frozenset(before.board.live) & frozenset(after.board.live)
    planned = (
        of_both & frozenset(before.board.with_schedules) & frozenset(after.board.with_schedules)
    )
    looked = frozenset(before.board.with_jobs)
    found = []
    for one in (*_of_incidents(before, after), *_of_runs(before.board, after.board)):
        kind = one.item.late.kind if one.item.late is not None else None
        # Schedules and the jobs of a pipeline are fetched separately.
        answered = planned if kind is LateKind.MISSED else of_both
        needs_jobs = one.kind is BoardEventKind.LATE and kind in _STUCK
        if one.item.lane.project in answered and (not needs_jobs or _pipeline(one.item) in looked):
            found.append(one)
    return tuple(sorted(found, key=lambda one: _ORDER.index(one.kind)))


def _of_incidents(before: SeenBoard, after: SeenBoard) -> Iterator[BoardEvent]:
    known = _Known(before.board)
    gone = dict(known.by_key)
    for item in after.board.items:
        if item.incident is None:
            continue
        was = known.same(item.incident)
        if was is None:
            yield BoardEvent(BoardEventKind.OPENED, item)
        else:
            if was.incident is not None:
                gone.pop(was.incident.key, None)
            yield from _of_one(was, item, before.at, after.at)
    recovered = {item.lane: item for item in after.board.items if item.recovery is not None}
    for was in gone.values():
        green = recovered.get(was.lane)
        red = None if was.is_main or was.incident is None else was.incident.newest_red
        is_left = green is None and red is not None and is_abandoned(red, after.at)
        if is_left or (was.incident is not None and was.incident.key in after.board.deleted):
            yield BoardEvent(BoardEventKind.ENDED, was, was)
        else:
            # Without an item it recovered before today, or runs again.
            yield BoardEvent(BoardEventKind.RECOVERED, green or was, was)


def _of_one(was: BoardItem, item: BoardItem, then: datetime, now: datetime) -> Iterator[BoardEvent]:
    key = None if was.signature is None else was.signature.key
    is_other = item.signature is not None and item.signature.key != key
    if is_other:
        yield BoardEvent(
            BoardEventKind.CAUSE if key is None else BoardEventKind.SIGNATURE, item, was
        )
    was_quiet = was.is_quiet(then)
    if was_quiet == item.is_quiet(now):
        return
    if was_quiet:
        if not is_other:
            yield BoardEvent(BoardEventKind.RETURNED, item, was)
    else:
        kind = BoardEventKind.SNOOZED if item.mark.is_snoozed(now) else BoardEventKind.ACKED
        yield BoardEvent(kind, item, was)


def _of_runs(before: Board, after: Board) -> Iterator[BoardEvent]:
    was_late = {(_run(item), item.late.kind) for item in before.items if item.late is not None}
    for item in after.items:
        if item.late is not None and (_run(item), item.late.kind) not in was_late:
            yield BoardEvent(BoardEventKind.LATE, item)
    # Only the newest pipeline of a lane is listed: a previous one may be active.
    goes_on = {item.lane for item in after.items if item.state in _GOING_ON}
    broken = {item.lane for item in after.items if item.incident is not None}
    ended = {(project, ran.id): ran for project, ran in after.ended}
    for item in before.items:
        if item.state in _GOING_ON and item.newest and item.lane not in goes_on | broken:
            over = ended.get((item.lane.project, item.newest.id), item.newest)
            yield BoardEvent(BoardEventKind.ENDED, replace(item, newest=over), item)


def _incidents(board: Board) -> dict[Hashable, BoardItem]:
    return {item.incident.key: item for item in board.items if item.incident is not None}


class _Known:
    def __init__(self, board: Board) -> None:
        self.by_key = _incidents(board)
        self._by_red = {
            (item.lane.project, red): item
            for item in self.by_key.values()
            if item.incident is not None
            for red in item.incident.red_ids
        }

    def same(self, incident: Incident) -> BoardItem | None:
        if (found := self.by_key.get(incident.key)) is not None:
            return found
        project = incident.lane.project
        reds = sorted(incident.red_ids, reverse=True)
        return next(
            (self._by_red[project, red] for red in reds if (project, red) in self._by_red), None
        )


def _run(item: BoardItem) -> Hashable:
    late = item.late
    due = (late.schedule, late.due_at) if late is not None and late.due_at else None
    return (item.lane, _pipeline(item), due)


def _pipeline(item: BoardItem) -> int | None:
    ran = item.newest or (item.incident.on_top if item.incident is not None else None)
    return None if ran is None else ran.id
