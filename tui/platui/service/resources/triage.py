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
    """Return the triage board of `watched` (None: the saved list), shared by all its feeds."""

    def make(context: ReadContext) -> boards.BoardFeed:
        if watched not in context.boards:
            context.boards[watched] = boards.TriageBoard(context, triage_state, watched)
        return boards.BoardFeed(context.boards[watched], in_background=in_background)

    # Imports the error patterns: 0.1 s.
    modules = ("platui.service.logs.errors", "platui.service.triage.board")
    return FeedSource(make, lambda error: values.Board(error=error), modules)
