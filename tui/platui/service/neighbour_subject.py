"""A list that some platforms do not offer: it is empty there, and not asked for again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from platui.core.errors import NotFoundError, RejectedError
from platui.models.values.pages import Listing
from platui.models.values.snapshots import Source
from platui.service.list_subject import R

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.clock import Clock
    from platui.models.values.connection import Urgency
    from platui.service.cadence import Rhythm
    from platui.service.list_subject import ListSubject
    from platui.service.neighbours import Neighbour, Neighbours


class NeighbourSubject(Generic[R]):
    """Another subject, or nothing where the platform says 404."""

    def __init__(
        self,
        subject: ListSubject[R],
        neighbour: Neighbour,
        neighbours: Neighbours,
        clock: Clock,
    ) -> None:
        self._subject = subject
        self._neighbour = neighbour
        self._neighbours = neighbours
        self._clock = clock
        self._none: Listing[R] | None = None
        self._none_at: datetime | None = None

    @property
    def rhythm(self) -> Rhythm:
        """Return how often it is worth a look."""
        return self._subject.rhythm

    @property
    def value(self) -> Listing[R] | None:
        """Return the items, or a complete list of none."""
        return self._subject.value if self._none is None else self._none

    @property
    def source(self) -> Source:
        """Return where the value came from."""
        return self._subject.source if self._none is None else Source.LIVE

    @property
    def fetched_at(self) -> datetime | None:
        """Return when the platform said so."""
        return self._subject.fetched_at if self._none is None else self._none_at

    @property
    def transfer(self) -> float:
        """Return the seconds that the last transfer took."""
        return self._subject.transfer

    @property
    def running(self) -> bool:
        """Return whether an item may change any moment."""
        return self._none is None and self._subject.running

    @property
    def settled(self) -> bool:
        """Return whether nothing can change, also because there is nothing to ask."""
        return self._none is not None or self._subject.settled

    @property
    def more(self) -> bool:
        """Return whether there is a page left to load."""
        return self._none is None and self._subject.more

    @property
    def loads_itself(self) -> bool:
        """Return whether that page is to be loaded without being asked for."""
        return self._subject.loads_itself

    def mark_loading(self, loading: bool) -> None:  # noqa: FBT001  (a switch)
        """Say in the value whether more is on its way."""
        self._subject.mark_loading(loading)

    async def recall(self) -> None:
        """Take what the cache has."""
        await self._subject.recall()

    async def renew(self, urgency: Urgency) -> None:
        """Ask the platform, unless it is known not to offer this."""
        if not self._neighbours.absent(self._neighbour):
            try:
                await self._subject.renew(urgency)
            except (NotFoundError, RejectedError):
                self._neighbours.missed(self._neighbour)
            else:
                self._none = None
                return
        self._none = self._none or Listing((), 0, complete=True, offered=False)
        self._none_at = self._clock.now()

    async def extend(self, urgency: Urgency, ahead: int = 0) -> None:
        """Load the next page."""
        await self._subject.extend(urgency, ahead)
