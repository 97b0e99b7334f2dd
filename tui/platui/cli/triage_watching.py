"""`platui triage --watch`: what changes on the board, a line each."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, cast

from platui.analysis.triage.news import Ticker
from platui.cli.gone_reader import noticing_its_reader
from platui.cli.patience import Patience, narrate
from platui.cli.told import say
from platui.cli.triage_lines import news_line
from platui.cli.triage_shape import news_object
from platui.cli.triage_show import asking_of, look_of
from platui.core.errors import ConfigError, ForbiddenError, NotFoundError, UnauthorizedError
from platui.present.counts import counted
from platui.present.triage_summary import summary_pieces

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from platui.cli.connecting import Platform
    from platui.cli.triage_asking import Asking
    from platui.cli.triage_show import Shown
    from platui.config.settings import Options
    from platui.models.values.triage_board import Board

_FINAL: Final = (ConfigError, ForbiddenError, NotFoundError, UnauthorizedError)
"""What nobody gets over by waiting."""


def watch_board(platform: Platform, options: Options, shown: Shown) -> int:
    """Print what changes until the user has enough; returns the exit code.

    Raises:
        PlatuiError: nothing can be asked.
        KeyboardInterrupt: the user has enough.
    """
    asking = platform.run(asking_of(platform.service, shown))
    return platform.run(_watch(platform, options, shown, asking))


async def _watch(platform: Platform, options: Options, shown: Shown, asking: Asking) -> int:
    ticker, patience = Ticker(), Patience()
    clock = platform.service.clock
    is_told = False
    with noticing_its_reader():
        async with aclosing(cast("AsyncGenerator[Board]", asking.boards())) as boards:
            async for board in patience.items(boards):
                if board.error is not None:
                    is_final = isinstance(board.error, _FINAL)
                    patience.bear(board.error, forever=patience.reached and not is_final)
                elif board.live:
                    patience.reached = True
                    patience.relax()
                if board.is_live and not is_told:
                    is_told = True
                    narrate(_begin(board))
                for news in ticker.tell(board, now := clock.now()):
                    names = asking.names()
                    if shown.form == "json":
                        say(json.dumps(news_object(news, names, now)))
                    else:
                        look = look_of(platform, options, names, everything=True)
                        say(news_line(news, look))
    return 0


def _begin(board: Board) -> str:
    sums = " · ".join(words for words, _ in summary_pieces(board.counts, reading=board.awaited > 0))
    return (
        f"{counted(board.watched, 'project')} watched: {sums}. "
        "From now on what changes is printed; ctrl+c ends it."
    )
