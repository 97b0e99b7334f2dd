"""The triage board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.lazy_module import LazyModule
from platui.service.resources.resource import FeedSource

if TYPE_CHECKING:
    from platui.models.values import triage_board as values
    from platui.models.values.stored_triage import WatchSelection
    from platui.service.feeds.read_context import ReadContext
    from platui.service.triage import board as boards
    from platui.service.triage.state import TriageState
else:
    values = LazyModule("platui.models.values.triage_board")
    boards = LazyModule("platui.service.triage.board")


def board(
    triage_state: TriageState, watched: WatchSelection | None = None, *, in_background: bool = False
) -> FeedSource[boards.BoardFeed]:
    """Return the triage board; all feeds of the same board cost what one does.

    `watched`: what to watch instead; None: what the triage_state says.
    `in_background`: whoever iterates it shows it to nobody, and may wait longer for it.
    """

    def make(context: ReadContext) -> boards.BoardFeed:
        if watched not in context.boards:
            context.boards[watched] = boards.TriageBoard(context, triage_state, watched)
        return boards.BoardFeed(
            context.boards[watched], context.conditions, in_background=in_background
        )

    # What knows causes: a tenth of a second of patterns.
    modules = ("platui.service.logs.errors", "platui.service.triage.board")
    return FeedSource(make, lambda error: values.Board(error=error), modules)
