"""How far a membership in a group reaches: to all that lies in it, as far as the report tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from platui.models.values.access import AccessReport, Holding


class Above(NamedTuple):
    """A level that somebody has in a group above a place."""

    level: str
    place: int
    """Row of that group."""


class Reach:
    """Follows memberships down from the groups of a report."""

    def __init__(self, report: AccessReport) -> None:
        """Take a whole report."""
        self._report = report
        self._ranks = {level: rank for rank, level in enumerate(report.levels)}

    def above(self, held: Holding, levels: Mapping[int, str]) -> Above | None:
        """Return what counts instead of a membership; None: it is the highest itself.

        Args:
            held: the membership.
            levels: all that the same person holds, by row of the place.

        Returns:
            The highest level in the groups above, the nearest of those, where it is at least
            that of the membership.
        """
        found, most = None, self._ranks[held.level]
        for group in self._groups_above(held.place):
            rank = self._ranks[levels[group]] if group in levels else -1
            if rank > most or (rank == most and found is None):
                found, most = Above(levels[group], group), rank
        return found

    def members_above(self, place: int) -> list[Holding]:
        """Return members of the groups above who are no direct members, highest level first.

        Each is there once, with the highest level and the nearest group that has it.
        """
        direct = {held.person for held in self._report.members_of(place)}
        found: dict[int, Holding] = {}
        for group in self._groups_above(place):
            for held in self._report.members_of(group):
                known = found.get(held.person)
                if held.person not in direct and (
                    known is None or self._ranks[known.level] < self._ranks[held.level]
                ):
                    found[held.person] = held
        return sorted(found.values(), key=lambda held: -self._ranks[held.level])

    def _groups_above(self, place: int) -> Iterator[int]:
        parent = self._report.place(place).parent
        while parent is not None:
            yield parent
            parent = self._report.place(parent).parent
