"""Who joined and who left."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from platui.models.values.access_changes import ChangeKind
from platui.report.changes.pairing import NOBODY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.report.changes.pairing import Pairing
    from platui.report.opened import OpenedReport

ACTIVE: Final = "active"


def people_changes(
    before: OpenedReport, after: OpenedReport, people: Pairing
) -> Mapping[ChangeKind, array[int]]:
    """Return rows: of those who joined in the later report, of those who left in the earlier one.

    To be there, or to be active: what counts is the state where both reports have somebody. A
    state that became another while neither is active is no change of these.
    """
    was_active, is_active = before.with_state(ACTIVE), after.with_state(ACTIVE)
    joined, left = array("I"), array("I")
    for row, partner in enumerate(people.after):
        if partner == NOBODY or (was_active[row] and not is_active[partner]):
            left.append(row)
    for row, partner in enumerate(people.before):
        if partner == NOBODY or (is_active[row] and not was_active[partner]):
            joined.append(row)
    return {ChangeKind.JOINED: joined, ChangeKind.LEFT: left}
