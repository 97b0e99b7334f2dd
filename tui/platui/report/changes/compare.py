"""Comparing two opened reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.report.changes.found import FoundChanges
from platui.report.changes.memberships import MembershipChanges
from platui.report.changes.pairing import paired_people, paired_places
from platui.report.changes.people import people_changes
from platui.report.changes.places import place_changes
from platui.report.changes.scale import Scale

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.report.opened import OpenedReport


def compare_reports(
    before: OpenedReport, after: OpenedReport, tell: Callable[[float], bool] = lambda _: True
) -> FoundChanges | None:
    """Return what is different; a second or so for a few million memberships, in a thread.

    Memory is that of the people and places once more, and of the changes.

    Args:
        before: the earlier report, whole.
        after: the later one, whole.
        tell: takes the share that is done, some fifty times; False: enough.

    Returns:
        The changes; None where it was enough before the end.

    Raises:
        ReportError: they have too many different levels between them.
    """
    people = paired_people(before.arrays, after.arrays)
    places = paired_places(before.arrays, after.arrays)
    scale = Scale(before.levels, after.levels)
    memberships = MembershipChanges(before.arrays, after.arrays, people, places, scale)
    if not memberships.find(tell):
        return None
    return FoundChanges(
        before,
        after,
        people=people_changes(before, after, people),
        places=place_changes(before, after, places),
        memberships=memberships.tables,
        pairings=(people, places),
        levels=scale.levels,
    )
