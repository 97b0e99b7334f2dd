"""`platui triage`: print the board once or on each change."""

from __future__ import annotations

import json
import shutil
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.triage.news import Ticker
from platui.cli.commands.triage.board import Asking
from platui.cli.commands.triage.lines import Look, board_lines, news_line
from platui.cli.commands.triage.lookup import Finder
from platui.cli.exit_codes import Exit, exit_code_of, hint_of
from platui.cli.output.progress import RetryWindow, print_notice
from platui.cli.output.stdout import (
    has_colours,
    is_terminal,
    print_line,
    print_lines,
    print_object,
    watch_for_closed_stdout,
)
from platui.core.errors import ConfigError, PlatuiError
from platui.core.text import clean, shorten
from platui.models.values.connection import ConnectionState
from platui.present.counts import counted
from platui.present.tables.triage_json import CSV_COLUMNS, board_object, csv_rows, news_object
from platui.present.times import dated
from platui.present.triage.handoff import handoff
from platui.present.triage.handoff_lines import HandoffFacts
from platui.present.triage.summary import gaps, summary_pieces
from platui.report.export import csv_text

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.config.settings import Options
    from platui.models.values.stored_triage import WatchSelection
    from platui.models.values.triage_board import Board
    from platui.present.triage.names import Names
    from platui.service import PlatformService

_NAMED: Final = 5


class Shown(NamedTuple):
    """What `platui triage` is to print, and of what."""

    projects: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    """Both empty: of the watch list."""
    form: str = ""
    """`json`, `csv`, `markdown`, or empty: for people."""
    watch: bool = False
    check: bool = False
    everything: bool = False


async def asking_of(service: PlatformService, shown: Shown) -> Asking:
    await service.start()
    if shown.projects or shown.groups:
        wished = await Finder(service).wished(shown.projects, shown.groups)
        return Asking(service, wished.watched, wished.projects)
    if not has_any(service.triage_state.memory.value.watched):
        raise nothing_watched(service)
    return Asking(service)


def has_any(watched: WatchSelection) -> bool:
    return bool(watched.projects or watched.groups)


def nothing_watched(service: PlatformService) -> ConfigError:
    profile = shorten(service.profile.name, 60)
    return ConfigError(
        f"No project is watched on profile {profile}.",
        hint="Choose some: platui triage watch GROUP/PROJECT GROUP/\n"
        "(or ask without choosing: --project GROUP/PROJECT, --group GROUP)",
    )


def show_board(platform: Platform, options: Options, shown: Shown) -> int:
    """Raises KeyboardInterrupt: the user has ended it before anything was printed."""
    service = platform.service
    asking = platform.run(asking_of(service, shown))
    code, error = Exit.DONE, None
    try:
        platform.read(asking.whole(planned=not shown.check))
    except KeyboardInterrupt:
        code = Exit.INTERRUPTED
        if asking.board is None or not asking.board.known:
            raise
    except PlatuiError as failure:
        error = failure
        if asking.board is None or not asking.board.known:
            raise
        code = exit_code_of(failure)
    board = asking.board
    if board is None:  # it ended before anything was told: the service was closed
        raise PlatuiError("The platform said nothing.")
    _print(platform, options, shown, asking)
    _tell_gaps(board, asking.names(), options, error)
    if code is not Exit.DONE:
        return code
    return Exit.FAILED if shown.check and board.counts.broken else Exit.DONE


def style_of(platform: Platform, options: Options, names: Names, *, everything: bool) -> Look:
    return Look(
        names,
        platform.service.clock.now(),
        utc=options.utc,
        width=shutil.get_terminal_size().columns if is_terminal() else None,
        everything=everything,
        colours=has_colours("", platform.environ),
        ascii=options.ascii,
    )


def _print(platform: Platform, options: Options, shown: Shown, asking: Asking) -> None:
    board, names = asking.board, asking.names()
    assert board is not None  # noqa: S101  (for the type: who calls has looked)
    service = platform.service
    now, profile = service.clock.now(), service.profile
    match shown.form:
        case "json":
            print_object(board_object(board, names, now, profile=profile.name, url=profile.url))
        case "csv":
            print_lines(line.rstrip("\n") for line in _csv(board, names, platform))
        case "markdown":
            line = service.line.value
            since = line.since if line.state is ConnectionState.OFFLINE else None
            facts = HandoffFacts(
                profile.name, profile.url, names, now, options.utc, since, shown.everything
            )
            print_line(handoff(board, service.triage_state.memory.value, facts).rstrip("\n"))
        case _:
            look = style_of(platform, options, names, everything=shown.everything)
            print_lines(board_lines(board, look))


def _csv(board: Board, names: Names, platform: Platform) -> list[str]:
    rows = csv_rows(board, names, platform.service.clock.now())
    return [csv_text.line(CSV_COLUMNS), *map(csv_text.line, rows)]


def _tell_gaps(
    board: Board,
    names: Names,
    options: Options,
    error: PlatuiError | None,
) -> None:
    if error is not None:
        print_notice(f"{error.sentence} {hint_of(error)}".rstrip())
    if not board.is_live:
        oldest = dated(board.fetched_at, utc=options.utc) if board.cached else ""
        kept = f" The rest was kept from before, the oldest of {oldest}." if oldest else ""
        told = f"{board.loaded} of {counted(board.watched, 'project')}"
        print_notice(f"{told} told how they stand now.{kept}")
    for sentence in gaps(board, lambda one: clean(names.path(one)) or str(one), _NAMED):
        print_notice(sentence)
    if board.problem:
        print_notice(board.problem)


def watch_board(platform: Platform, options: Options, shown: Shown) -> int:
    asking = platform.run(asking_of(platform.service, shown))
    return platform.run(_watch(platform, options, shown, asking))


async def _watch(platform: Platform, options: Options, shown: Shown, asking: Asking) -> int:
    ticker, patience = Ticker(), RetryWindow()
    clock = platform.service.clock
    is_told = False
    with watch_for_closed_stdout():
        async with aclosing(asking.boards()) as boards:
            async for board in patience.items(boards):
                if board.error is not None:
                    patience.tolerate(board.error, follow=True)
                elif board.live:
                    patience.reached = True
                    patience.clear_error()
                if board.is_live and not is_told:
                    is_told = True
                    print_notice(_begin(board))
                for news in ticker.tell(board, now := clock.now()):
                    names = asking.names()
                    if shown.form == "json":
                        print_line(json.dumps(news_object(news, names, now)))
                    else:
                        look = style_of(platform, options, names, everything=True)
                        print_line(news_line(news, look))
    return 0


def _begin(board: Board) -> str:
    sums = " · ".join(
        words for words, _ in summary_pieces(board.counts, reading=board.pending_causes > 0)
    )
    return (
        f"{counted(board.watched, 'project')} watched: {sums}. "
        "From now on what changes is printed; ctrl+c ends it."
    )
