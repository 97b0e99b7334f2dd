"""What is new on the triage board, as its command and the dashboard's notices tell it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from platui.models.values.triage_board import Board
    from platui.models.values.triage_items import BoardItem


class NewsKind(StrEnum):
    """What has happened, in the order in which it matters."""

    OPENED = "opened"
    """Something is broken that was not."""
    SIGNATURE = "new_signature"
    """It fails for another cause than before; what was acknowledged counts again."""
    RETURNED = "returned"
    """It is no longer acknowledged or snoozed, for the cause it had."""
    CAUSE = "cause"
    """The cause was read."""
    LATE = "late"
    """Something is behind its time."""
    RECOVERED = "recovered"
    """Something that was broken is not any more."""
    ENDED = "ended"
    """What ran has ended, and nothing is broken; or what is broken is followed no more."""
    ACKED = "acked"
    """Somebody has acknowledged it."""
    SNOOZED = "snoozed"
    """Somebody has put it off."""


@dataclass(frozen=True, slots=True)
class News:
    """One thing that has happened."""

    kind: NewsKind
    item: BoardItem
    """As it stands now; of what left the board, as it stood last, with its pipeline as that ended,
    where the platform has told."""
    was: BoardItem | None = None
    """How it stood before; None: it was not there."""


class BoardNews(NamedTuple):
    """A board, and what has happened since the one before."""

    board: Board
    news: tuple[News, ...]
