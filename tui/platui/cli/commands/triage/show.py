"""Print the board once, or each change."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.board import on_default_branches
from platui.analysis.triage.board_events import BoardEventDetector
from platui.cli.commands.triage.board import BoardReader
from platui.cli.commands.triage.lines import LineOptions, board_lines, news_line
from platui.cli.commands.triage.lookup import ProjectFinder
from platui.cli.error_output import exit_code_of, hint_of
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import RetryWindow, print_notice
from platui.cli.output.stdout import (
    has_colours,
    line_width,
    print_line,
    print_lines,
    print_object,
    watch_for_closed_stdout,
)
from platui.core.errors import ConfigError, PlatuiError
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.models.values.connection import ConnectionState
from platui.models.values.stored_triage import WatchSelection
from platui.present.counts import counted
from platui.present.tables.triage_json import CSV_COLUMNS, board_object, csv_rows, news_object
from platui.present.times import dated
from platui.present.triage.handoff import handoff
from platui.present.triage.handoff_lines import HandoffText
from platui.present.triage.summary import gaps, summary_pieces
from platui.report.export.sheet import csv_line

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.models.values.triage_board import Board
    from platui.present.triage.labels import Names
    from platui.service import PlatformService

_NAMED: Final = 5


class TriageOptions(NamedTuple):
    projects: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()  # Both empty: the watch list
    form: str = ""  # `json`, `csv`, `markdown` or empty for text
    watch: bool = False
    check: bool = False
    everything: bool = False
    default_branches: bool = False
    quiet: bool = False


async def open_reader(service: PlatformService, args: TriageOptions) -> BoardReader:
    await service.start()
    if args.projects or args.groups:
        projects, groups = await ProjectFinder(service).select(args.projects, args.groups)
        watched = WatchSelection(tuple(projects), groups, is_chosen=True)
        return BoardReader(service, watched, projects)
    if service.triage_state.memory.value.watched.is_empty:
        raise nothing_watched(service)
    return BoardReader(service)


def nothing_watched(service: PlatformService) -> ConfigError:
    profile = shorten(service.profile.name, 60)
    return ConfigError(
        f"No project is watched on profile {profile}.",
        hint="Watch some with: platui triage watch GROUP/PROJECT GROUP/\n"
        "(or use --project GROUP/PROJECT or --group GROUP)",
    )


def show_board(platform: Platform, args: TriageOptions) -> int:
    """Print the board. Raises KeyboardInterrupt on ctrl+c before any data is loaded."""
    service = platform.service
    reader = platform.run(open_reader(service, args))
    code, error = Exit.DONE, None
    try:
        platform.read(reader.read_complete(planned=not args.check, quiet=args.quiet))
    except (KeyboardInterrupt, PlatuiError) as failure:
        if reader.board is None or not reader.board.known:
            raise
        code = Exit.INTERRUPTED
        if isinstance(failure, PlatuiError):
            error, code = failure, exit_code_of(failure)
    board = reader.board
    if board is None:  # the service was closed before any data was loaded
        raise PlatuiError("No data received from the platform.")
    names, every = reader.names(), len(board.items)
    board = _shown(board, args, service)
    if not args.quiet:
        hidden = every - len(board.items)
        _print(platform, args, board, names, hidden)
        if hidden and args.form in {"json", "csv"}:
            print_notice(f"{hidden} on other branches hidden.")
        _print_gaps(board, names, utc=platform.options.utc)
    if error is not None:
        print_notice(f"{error.sentence} {hint_of(error)}".rstrip())
    if code is Exit.DONE and args.check:
        code = _checked(board)
        if code is Exit.REFUSED and args.quiet:
            _print_gaps(board, names, utc=platform.options.utc)
    return code


def _checked(board: Board) -> Exit:
    if board.counts.broken:
        return Exit.FAILED
    # Nobody knows whether those are broken.
    return Exit.REFUSED if board.inaccessible or board.empty_groups else Exit.DONE


def _shown(board: Board, args: TriageOptions, service: PlatformService) -> Board:
    return on_default_branches(board, service.clock.now()) if args.default_branches else board


def line_options(platform: Platform, names: Names, *, everything: bool) -> LineOptions:
    options = platform.options
    return LineOptions(
        names,
        platform.service.clock.now(),
        utc=options.utc,
        width=line_width(),
        everything=everything,
        colours=has_colours("", platform.environ),
        ascii=options.ascii,
    )


def _print(
    platform: Platform, args: TriageOptions, board: Board, names: Names, hidden: int
) -> None:
    service = platform.service
    now, profile = service.clock.now(), service.profile
    match args.form:
        case "json":
            print_object(board_object(board, names, now, profile=profile.name, url=profile.url))
        case "csv":
            rows = [CSV_COLUMNS, *csv_rows(board, names, now)]
            print_lines(csv_line(row).rstrip("\n") for row in rows)
        case "markdown":
            line = service.line.value
            since = line.since if line.state is ConnectionState.OFFLINE else None
            facts = HandoffText(
                profile.name, profile.url, names, now, platform.options.utc, since, args.everything,
                hidden=hidden,
            )  # fmt: skip
            print_line(handoff(board, service.triage_state.memory.value, facts).rstrip("\n"))
        case _:
            layout = line_options(platform, names, everything=args.everything)
            print_lines(board_lines(board, layout._replace(hidden=hidden)))


def _print_gaps(board: Board, names: Names, *, utc: bool) -> None:
    if not board.is_live:
        oldest = dated(board.fetched_at, utc=utc) if board.cached else ""
        cached = f" The others are cached, the oldest from {oldest}." if oldest else ""
        count = f"{board.loaded} of {counted(board.watched, 'project')}"
        print_notice(f"Status loaded for {count}.{cached}")
    for sentence in gaps(board, lambda one: clean(names.path(one)) or str(one), _NAMED):
        print_notice(sentence)
    if board.problem:
        print_notice(board.problem)


async def watch_board(platform: Platform, args: TriageOptions) -> None:
    reader = await open_reader(platform.service, args)
    ticker, retry_window = BoardEventDetector(), RetryWindow()
    clock = platform.service.clock
    is_reported = False
    with watch_for_closed_stdout():
        async with aclosing(reader.boards()) as boards:
            async for whole in retry_window.items(boards):
                board = _shown(whole, args, platform.service)
                if board.error is not None:
                    retry_window.tolerate(board.error, follow=True)
                elif board.live:
                    retry_window.reached = True
                    retry_window.clear_error()
                if board.is_live and not is_reported:
                    is_reported = True
                    pieces = summary_pieces(board.counts, reading=board.pending_causes > 0)
                    sums = " · ".join(words for words, _ in pieces)
                    print_notice(
                        f"{counted(board.watched, 'project')} watched: {sums}. "
                        "Printing changes; Ctrl+C stops it."
                    )
                for news in ticker.detect(board, now := clock.now()):
                    names = reader.names()
                    if args.form == "json":
                        print_line(json.dumps(news_object(news, names, now)))
                    else:
                        layout = line_options(platform, names, everything=True)
                        print_line(news_line(news, layout))
