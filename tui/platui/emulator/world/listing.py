"""Windows on the pipelines of one project: the company's own and the added ones, merged.

The company's own stand in a row without gaps, so where an added one belongs is a subtraction,
and a window deep in the past costs no more than the first.
"""

from __future__ import annotations

import heapq
from itertools import islice
from typing import TYPE_CHECKING, Final

from platui.emulator.world.views import pipeline_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from platui.emulator.records import Pipeline
    from platui.emulator.world.journal import Journal
    from platui.emulator.world.plans import Plan, Run
    from platui.emulator.world.sites import Site

SEARCHED: Final = 500
"""How many slots back a filter looks."""

EVERYTHING: Final = 1 << 30
"""More slots than any project has."""


class Listing:
    """The pipelines of one project."""

    def __init__(self, site: Site, journal: Journal) -> None:
        self._site = site
        self._journal = journal
        self._project = site.blueprint.id

    def count(self, now: float) -> int:
        """Return how many pipelines there are, children left out."""
        return self._own(now) + len(self._added(now))

    def window(self, now: float, offset: int, limit: int) -> list[Pipeline]:
        """Return some pipelines, the newest first, children left out."""
        newest = self._site.diary.newest(now)
        added = self._added(now)
        # Own pipelines newer than each added one, plus the added ones before it.
        places = {
            rank + max(0, newest - self._site.runs.newest_before(run.id)): run
            for rank, run in enumerate(added)
        }
        before = sum(1 for place in places if place < offset)
        page: list[Pipeline] = []
        for place in range(offset, min(offset + limit, self.count(now))):
            if (run := places.get(place)) is not None:
                plan = self._site.plan(run)
                before += 1
            else:
                plan = self._site.plan_of_slot(newest - (place - before))
            page.append(self.view(plan, now))
        return page

    def search(
        self, now: float, offset: int, limit: int, wanted: Callable[[Plan], bool]
    ) -> tuple[list[Pipeline], int]:
        """Return a window on the pipelines that are wanted, and how many they are."""
        found = [plan for plan in self.plans(now) if wanted(plan)]
        page = islice(found, offset, offset + limit)
        return [self.view(plan, now) for plan in page], len(found)

    def plans(self, now: float, slots: int = SEARCHED) -> Iterator[Plan]:
        """Yield plans by number, the newest first, children and added ones among them."""
        return heapq.merge(
            self._site.newest_first(now, slots),
            self._added_plans(now),
            key=lambda plan: plan.run.id,
            reverse=True,
        )

    def plan(self, pipeline: int, now: float) -> Plan | None:
        """Return the plan of a pipeline that exists."""
        run = self._journal.run(self._project, pipeline)
        if run is not None:
            return self._site.plan(run) if run.created <= now else None
        parent = self._journal.run(self._project, pipeline - 1)
        if parent is not None and parent.child_id == pipeline:
            child = self._site.plan(parent).child
            return self._site.plan(child) if child and child.created <= now else None
        return self._site.plan_by_id(pipeline, now)

    def view(self, plan: Plan, now: float) -> Pipeline:
        """Return a pipeline's record."""
        # Added pipelines count within the project, so later ones move up.
        shift = self._journal.count_before(self._project, plan.run.id)
        return pipeline_at(plan, now, plan.run.iid + shift)

    def _added_plans(self, now: float) -> Iterator[Plan]:
        for run in self._added(now):
            plan = self._site.plan(run)
            if plan.child is not None and plan.child.created <= now:
                yield self._site.plan(plan.child)
            yield plan

    def _added(self, now: float) -> list[Run]:
        return self._journal.runs(self._project, now)

    def _own(self, now: float) -> int:
        diary = self._site.diary
        return max(0, diary.newest(now) - diary.oldest(now) + 1)
