"""Groups and projects that came, went, or are called or lie otherwise."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from platui.models.values.access_changes import OF_PLACES, ChangeKind
from platui.report.changes.pairing import NOBODY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.report.arrays import ReportArrays
    from platui.report.changes.pairing import Pairing
    from platui.report.opened import OpenedReport


def place_changes(
    before: OpenedReport, after: OpenedReport, places: Pairing
) -> Mapping[ChangeKind, array[int]]:
    """Return rows: of those removed in the earlier report, of all others in the later one.

    A path that is another only because a group above has another name, or lies elsewhere, is
    no change of this place.
    """
    rows = {kind: array("I") for kind in OF_PLACES}
    for row, partner in enumerate(places.after):
        if partner == NOBODY:
            rows[ChangeKind.PLACE_REMOVED].append(row)
    for row, partner in enumerate(places.before):
        if partner == NOBODY:
            rows[ChangeKind.PLACE_ADDED].append(row)
            continue
        parent = before.arrays.place_parent[partner]
        is_moved = (places.after[parent] if parent >= 0 else -1) != after.arrays.place_parent[row]
        if is_moved:
            rows[ChangeKind.MOVED].append(row)
        if _place_text(before.arrays, partner) != _place_text(after.arrays, row):
            old, new = before.place(partner), after.place(row)
            if old.name != new.name or last_part(old.path) != last_part(new.path):
                rows[ChangeKind.RENAMED].append(row)
    return rows


def last_part(path: str) -> str:
    """Return what a place adds to the path of the group it lies in."""
    return path.rpartition("/")[2]


def _place_text(arrays: ReportArrays, row: int) -> bytes:
    """Return name and path as they lie there, to be compared."""
    return bytes(arrays.place_text[arrays.place_at[row] : arrays.place_at[row + 1]])
