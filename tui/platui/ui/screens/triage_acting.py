"""What can be done to the incidents of the triage board: jobs are retried, pipelines canceled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.writes import Act
from platui.ui.screens.acting import Actable, ActsOnRows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Board
    from platui.models.values.triage_items import BoardItem
    from platui.models.values.writes import ActOn
    from platui.present.triage_names import Names


class ActsOnIncidents(ActsOnRows):
    """Retries the jobs that failed, and cancels what runs, of all that a row stands for."""

    ACTS = {"cancel": Act.CANCEL_PIPELINE, "retry": Act.RETRY_JOB}

    board: Board | None
    _named: tuple[tuple[tuple[int, str], ...], Names] | None = None

    def items_of(self, key: str | None) -> Sequence[BoardItem]:
        """Return what a row stands for."""
        raise NotImplementedError

    def item_of(self, key: str | None) -> BoardItem | None:
        """Return the first of what a row stands for."""
        items = self.items_of(key)
        return items[0] if items else None

    @property
    def names(self) -> Names:
        """Return what projects are called; made once, as each of hundreds of rows asks."""
        from platui.present.triage_names import Names  # noqa: PLC0415  (as above)

        known = self.board.names if self.board is not None else ()
        if self._named is None or self._named[0] is not known:
            self._named = (known, Names(known))
        return self._named[1]

    def name_of(self, project: ProjectRef) -> str:
        """Return a project's path; where that is not known, what it is called."""
        names = self.names
        return names.path(project) or names.label(project)

    def acted_on(self, verb: str, key: str) -> Sequence[tuple[ProjectRef, Actable]]:
        """Return the jobs that failed, or the pipelines that run, of all that a row stands for.

        What is oldest comes last: it is what one is least likely to mean.
        """
        from platui.present.triage_words import newest_first  # noqa: PLC0415  (as above)

        items = newest_first(self.items_of(key))
        found = [(item.lane.project, self._acted_on(verb, item)) for item in items]
        return [(project, thing) for project, thing in found if thing is not None]

    def _acted_on(self, verb: str, item: BoardItem) -> Actable | None:
        """Return what is retried or canceled of an item: with its project, ref and age."""
        from platui.present.triage_words import (  # noqa: PLC0415  (as above)
            acted_words,
            moving_of,
            newest_of,
        )

        where, now = self.name_of(item.lane.project), self.service.clock.now()
        if verb == "cancel":
            ran = moving_of(item) or newest_of(item)
            return (
                None
                if ran is None
                else Actable(ran.id, where, ran.status, acted_words(item, ran, now, utc=self.utc))
            )
        step = item.point.step if item.point is not None else None
        if step is None or step.is_bridge or item.incident is None:
            return None
        told = acted_words(item, None, now, utc=self.utc)
        return Actable(step.id, f"{step.name} · {where}", "failed", told)

    def rows_of(self, done: Sequence[ActOn]) -> Iterable[str]:
        """Return the marked rows all of whose things were done."""
        ids = {(one.project, one.id) for one in done}
        for key in self.table.marks:
            things = [
                (project, thing.id)
                for verb in self.ACTS
                for project, thing in self.acted_on(verb, key)
            ]
            if ids.intersection(things):
                yield key

    def why_unactable(self, key: str) -> str:
        """Return that no job of a row failed."""
        item = self.item_of(key)
        step = item.point.step if item is not None and item.point is not None else None
        if step is not None and step.is_bridge:
            return "this is a pipeline of another project, whose own jobs failed"
        return "no job failed here" if item is not None else "this row is gone"
