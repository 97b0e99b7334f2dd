"""What a feed polls: how to recall, renew and extend it, and what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.connection import Urgency
    from platui.models.values.snapshots import Source
    from platui.service.cadence import Rhythm

T_co = TypeVar("T_co", covariant=True)


class Subject(Protocol[T_co]):
    """One piece of server truth. Holds what is known; decides nothing about time."""

    @property
    def rhythm(self) -> Rhythm:
        """Return how often it is worth a look."""
        ...

    @property
    def value(self) -> T_co | None:
        """Return what is known; the same object as long as nothing changed."""
        ...

    @property
    def source(self) -> Source:
        """Return where the value came from."""
        ...

    @property
    def fetched_at(self) -> datetime | None:
        """Return when the platform said so."""
        ...

    @property
    def transfer(self) -> float:
        """Return the seconds that the last transfer took."""
        ...

    @property
    def running(self) -> bool:
        """Return whether it may change any moment."""
        ...

    @property
    def settled(self) -> bool:
        """Return whether it cannot change any more."""
        ...

    @property
    def more(self) -> bool:
        """Return whether there is a page left to load."""
        ...

    @property
    def loads_itself(self) -> bool:
        """Return whether that page is to be loaded without being asked for."""
        ...

    def mark_loading(self, loading: bool) -> None:  # noqa: FBT001  (a switch)
        """Say in the value whether more is on its way."""
        ...

    async def recall(self) -> None:
        """Take what the cache has."""
        ...

    async def renew(self, urgency: Urgency) -> None:
        """Ask the platform.

        Raises:
            PlatuiError: no usable answer; the value of before stays.
        """
        ...

    async def extend(self, urgency: Urgency, ahead: int = 0) -> None:
        """Load the next page, and ask for so many after it already.

        Raises:
            PlatuiError: no usable answer; the value of before stays.
        """
        ...
