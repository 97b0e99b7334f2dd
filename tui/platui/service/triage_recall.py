"""The triage board as it was left, until the one of now is there: what is said of it counts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from platui.analysis.triage.board import cause_groups, counts_of, in_order, with_spread
from platui.models.values.triage_board import Board
from platui.models.values.triage_items import Mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.models.values.triage_board import KeptBoard
    from platui.models.values.triage_items import BoardItem
    from platui.models.values.triage_memory import IncidentKey

_NOTHING = Mark()


def recalled(kept: KeptBoard, marks: Mapping[IncidentKey, Mark], now: datetime) -> Board:
    """Return a board that was left, with what is said of its incidents now.

    It is never live: the platform told it at the time that it tells.

    Args:
        kept: as it was left.
        marks: what was said of incidents, also since then.
        now: the time; what was snoozed until an earlier one is loud again.
    """
    items = in_order(with_spread(_marked(item, marks) for item in kept.items), now)
    return Board(
        items=tuple(items),
        groups=tuple(cause_groups(items)),
        counts=counts_of(items, now),
        names=kept.names,
        watched=kept.watched,
        known=kept.watched - len(kept.refused),
        refused=kept.refused,
        fetched_at=datetime.fromtimestamp(kept.told_at, UTC),
    )


def _marked(item: BoardItem, marks: Mapping[IncidentKey, Mark]) -> BoardItem:
    if item.incident is None:
        return item
    return replace(item, mark=marks.get(item.incident.key, _NOTHING))
