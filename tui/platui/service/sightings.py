"""What lists told of pipelines: a finished one that was retried is not finished any more."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui.service.statuses import ENDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from platui.models import Pipeline

_BOUND: Final = 5000


@dataclass(frozen=True, slots=True)
class _Sighting:
    status: str
    updated_at: datetime | None
    at: datetime

    def differs(self, other: _Sighting) -> bool:
        """Tell whether the pipeline moved between two sightings."""
        return (self.status, self.updated_at) != (other.status, other.updated_at)


class Sightings:
    """Remembers the last word on each pipeline, whichever request brought it."""

    def __init__(self, moved: Callable[[], None] | None = None) -> None:
        """Start with nothing seen.

        Args:
            moved: called when a pipeline that was seen before has changed since.
        """
        self._moved = moved
        self._seen: OrderedDict[int, _Sighting] = OrderedDict()

    def note(self, pipelines: Iterable[Pipeline], at: datetime) -> None:
        """Take what the platform said at a moment."""
        moved = False
        for pipeline in pipelines:
            before = self._seen.get(pipeline.id)
            if before is None or before.at <= at:
                now = _Sighting(pipeline.status, pipeline.updated_at, at)
                moved = moved or (before is not None and now.differs(before))
                self._seen[pipeline.id] = now
                self._seen.move_to_end(pipeline.id)
        while len(self._seen) > _BOUND:
            self._seen.popitem(last=False)
        if moved and self._moved is not None:
            self._moved()

    def moved_on(self, pipeline: int, known_at: datetime, updated_at: datetime | None) -> bool:
        """Return whether what was known at a moment has been overtaken.

        Args:
            pipeline: its id.
            known_at: when the platform said what is known.
            updated_at: the pipeline's own time of change as it was then.
        """
        seen = self._seen.get(pipeline)
        if seen is None or seen.at <= known_at:
            return False
        if seen.status not in ENDED:
            return True
        return bool(updated_at and seen.updated_at and seen.updated_at > updated_at)
