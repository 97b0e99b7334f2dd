"""Pages of the pipelines of a project; late pages cost no more than the first."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from platui_emulator.world.project_simulation import OwnCandidate, PlannedCandidate
from platui_emulator.world.views import pipeline_at

if TYPE_CHECKING:
    from platui_emulator.records import Pipeline
    from platui_emulator.world.journal import Journal
    from platui_emulator.world.plans import Plan, Run
    from platui_emulator.world.project_simulation import Candidate, ProjectSimulation

SEARCHED: Final = 500

_OUT_OF_TURN: Final = 180.0
"""Seconds by which a child can be older than its number suggests."""

EVERYTHING: Final = 1 << 30


class Listing:
    """The pipelines of one project."""

    def __init__(self, site: ProjectSimulation, journal: Journal) -> None:
        self._site = site
        self._journal = journal
        self._project = site.blueprint.id

    def count(self, now: float) -> int:
        """Return how many pipelines there are, children left out."""
        gone = self._deleted_slots(now)
        return self._own(now) - len(gone) + len(self._added(now))

    def window(self, now: float, offset: int, limit: int) -> list[Pipeline]:
        """Return some pipelines, the newest first, children left out."""
        newest = self._site.diary.newest(now)
        added, gone = self._added(now), self._deleted_slots(now)
        # Own pipelines newer than each added one, plus the added ones before it.
        places: dict[int, Run] = {}
        for rank, run in enumerate(added):
            slot = self._site.runs.newest_before(run.id)
            newer = max(0, newest - slot) - sum(1 for one in gone if one > slot)
            places[rank + newer] = run
        before = sum(1 for place in places if place < offset)
        page: list[Pipeline] = []
        for place in range(offset, min(offset + limit, self.count(now))):
            if place in places:
                page.append(self.view(self._site.plan(places[place]), now))
                before += 1
            else:
                page.append(self._own_record(_passing(newest - (place - before), gone), now))
        return page

    def search(
        self,
        now: float,
        between: tuple[float, float],
        window: slice,
        wanted: Callable[[Candidate], bool],
        *,
        with_children: bool,
    ) -> tuple[list[Pipeline], int]:
        """Return a window of the wanted pipelines created `between`, and their number."""
        since, until = between
        candidates = (
            map(PlannedCandidate, self.plans(until)) if with_children else self._candidates(until)
        )
        near = takewhile(lambda one: one.created > since - _OUT_OF_TURN, candidates)
        found = [one for one in near if wanted(one)]
        return [self.record(one, now) for one in found[window]], len(found)

    def record(self, one: Candidate, now: float) -> Pipeline:
        """Return the record of a pipeline of a list."""
        if isinstance(one, OwnCandidate):
            return self._own_record(one.slot, now)
        return self.view(one.plan, now)

    def _candidates(self, now: float) -> Iterator[Candidate]:
        added = (
            PlannedCandidate(self._site.plan(run)) for run in self._journal.runs(self._project, now)
        )
        merged: Iterator[Candidate] = heapq.merge(
            self._site.own(now, SEARCHED), added, key=lambda one: one.id, reverse=True
        )
        return (one for one in merged if not self._is_deleted(one.id))

    def _own_record(self, slot: int, now: float) -> Pipeline:
        """Return the record of a slot's pipeline, cached once it has ended."""
        records = self._site.records
        kept = records.get(slot, now)
        if kept is None or self._is_touched(kept.record.id):
            plan = self._site.plan_of_slot(slot)
            record, since = self.view(plan, now), plan.settled
            if since <= now and not self._is_touched(record.id):
                records.keep(slot, since, record)
            return record
        iid = self._site.runs.iid(slot) + self._journal.count_before(self._project, kept.record.id)
        if kept.record.iid == iid:
            return kept.record
        record = replace(kept.record, iid=iid)
        records.keep(slot, kept.since, record)
        return record

    def _is_touched(self, pipeline: int) -> bool:
        return self._site.has_interventions(pipeline) or pipeline in self._journal.titles

    def plans(self, now: float, slots: int = SEARCHED) -> Iterator[Plan]:
        """Yield plans by number, the newest first, children and added ones among them."""
        merged = heapq.merge(
            self._site.newest_first(now, slots),
            self._added_plans(now),
            self._adopted_plans(now),
            key=lambda plan: plan.run.id,
            reverse=True,
        )
        return (plan for plan in merged if not self._is_deleted(plan.run.id))

    def plan(self, pipeline: int, now: float) -> Plan | None:
        """Return the plan of a pipeline that exists."""
        return None if self._is_deleted(pipeline) else self.existed(pipeline, now)

    def existed(self, pipeline: int, now: float) -> Plan | None:
        """Return the plan of a pipeline that existed once: a deleted one still has children."""
        run = self._journal.run(self._project, pipeline)
        if run is not None:
            return self._site.plan(run) if run.created <= now else None
        kept_for = self._journal.parent_of(self._project, pipeline)
        if kept_for is not None:
            return self._child(self.existed(kept_for, now), pipeline, now)
        parent = self._journal.run(self._project, pipeline - 1)
        if parent is not None and parent.child_id == pipeline:
            return self._child(self._site.plan(parent), pipeline, now)
        return self._site.plan_by_id(pipeline, now)

    def _child(self, parent: Plan | None, pipeline: int, now: float) -> Plan | None:
        for child in parent.children if parent else ():
            if child.id == pipeline and child.created <= now:
                return self._site.plan(child)
        return None

    def view(self, plan: Plan, now: float) -> Pipeline:
        # Added pipelines count within the project, so later ones move up.
        shift = self._journal.count_before(self._project, plan.run.id)
        return pipeline_at(plan, now, plan.run.iid + shift, self.title(plan, now))

    def title(self, plan: Plan, now: float) -> str:
        """Return the name of a pipeline: renamed, or of its file."""
        since, title = self._journal.titles.get(plan.run.id, (0.0, plan.run.file.title))
        return title if since <= now else plan.run.file.title

    def _added_plans(self, now: float) -> Iterator[Plan]:
        for run in self._journal.runs(self._project, now):
            plan = self._site.plan(run)
            for child in plan.children:
                if child.id == run.child_id and child.created <= now:
                    yield self._site.plan(child)
            yield plan

    def _adopted_plans(self, now: float) -> list[Plan]:
        """Return the children that exist because of interventions."""
        found = [
            self._site.plan(child)
            for parent in self._journal.parents(self._project)
            if (plan := self.existed(parent, now)) is not None
            for child in plan.children
            if self._journal.parent_of(self._project, child.id) == parent and child.created <= now
        ]
        return sorted(found, key=lambda plan: plan.run.id, reverse=True)

    def _added(self, now: float) -> list[Run]:
        runs = self._journal.runs(self._project, now)
        return [run for run in runs if not self._is_deleted(run.id)]

    def _is_deleted(self, pipeline: int) -> bool:
        return self._journal.is_deleted(self._project, pipeline)

    def _deleted_slots(self, now: float) -> list[int]:
        gone = reversed(self._journal.deleted.get(self._project, ()))
        slots = (self._site.runs.slot_of(one) for one in gone)
        oldest = self._site.diary.oldest(now)
        return [one for one in slots if one is not None and one >= oldest]

    def _own(self, now: float) -> int:
        diary = self._site.diary
        return max(0, diary.newest(now) - diary.oldest(now) + 1)


def _passing(slot: int, gone: list[int]) -> int:
    for one in gone:
        if one < slot:
            break
        slot -= 1
    return slot
