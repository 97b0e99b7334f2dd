"""`platui triage`: how everything that is watched stands, printed once."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

from platui.cli.exits import Exit, exit_code_of, hint_of
from platui.cli.patience import narrate
from platui.cli.stdout import has_colours, is_terminal
from platui.cli.told import say, say_lines, say_object
from platui.cli.triage_asking import Asking
from platui.cli.triage_finding import Finder
from platui.cli.triage_lines import Look, board_lines
from platui.cli.triage_shape import CSV_COLUMNS, board_object, csv_rows
from platui.core.errors import ConfigError, PlatuiError
from platui.core.text import clean, shorten
from platui.models.values.connection import LineState
from platui.present.counts import counted
from platui.present.handoff import handoff
from platui.present.handoff_words import HandoffFacts
from platui.present.times import dated
from platui.report.export import csv_text

if TYPE_CHECKING:
    from platui.cli.connecting import Platform
    from platui.config.settings import Options
    from platui.models.values.triage_board import Board
    from platui.models.values.triage_memory import Watched
    from platui.present.triage_names import Names
    from platui.service import PlatformService

_NAMED = 5


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
    """Return what asks for the board that is meant.

    Raises:
        ConfigError: nothing is watched.
        PlatuiError: a project or group is not there, or nobody tells.
    """
    await service.start()
    if shown.projects or shown.groups:
        wished = await Finder(service).wished(shown.projects, shown.groups)
        return Asking(service, wished.watched, wished.projects)
    if not has_any(service.triage_book.memory.value.watched):
        raise nothing_watched(service)
    return Asking(service)


def has_any(watched: Watched) -> bool:
    """Return whether anything is watched."""
    return bool(watched.projects or watched.groups)


def nothing_watched(service: PlatformService) -> ConfigError:
    """Return what to say where no project is watched."""
    profile = shorten(service.profile.name, 60)
    return ConfigError(
        f"No project is watched on profile {profile}.",
        hint="Choose some: platui triage watch GROUP/PROJECT GROUP/\n"
        "(or ask without choosing: --project GROUP/PROJECT, --group GROUP)",
    )


def show_board(platform: Platform, options: Options, shown: Shown) -> int:
    """Print the board; returns the exit code.

    Raises:
        PlatuiError: nothing is known of it.
        KeyboardInterrupt: the user has ended it before anything was.
    """
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


def look_of(platform: Platform, options: Options, names: Names, *, everything: bool) -> Look:
    """Return how lines for people are made."""
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
            say_object(board_object(board, names, now, profile=profile.name, url=profile.url))
        case "csv":
            say_lines(line.rstrip("\n") for line in _csv(board, names, platform))
        case "markdown":
            line = service.line.value
            since = line.since if line.state is LineState.OFFLINE else None
            facts = HandoffFacts(
                profile.name, profile.url, names, now, options.utc, since, shown.everything
            )
            say(handoff(board, service.triage_book.memory.value, facts).rstrip("\n"))
        case _:
            look = look_of(platform, options, names, everything=shown.everything)
            say_lines(board_lines(board, look))


def _csv(board: Board, names: Names, platform: Platform) -> list[str]:
    rows = csv_rows(board, names, platform.service.clock.now())
    return [csv_text.line(CSV_COLUMNS), *map(csv_text.line, rows)]


def _tell_gaps(
    board: Board,
    names: Names,
    options: Options,
    error: PlatuiError | None,
) -> None:
    """Say on stderr what the board lacks."""
    if error is not None:
        narrate(f"{error.sentence} {hint_of(error)}".rstrip())
    if not board.is_live:
        oldest = dated(board.fetched_at, utc=options.utc) if board.kept else ""
        kept = f" The rest was kept from before, the oldest of {oldest}." if oldest else ""
        told = f"{board.told} of {counted(board.watched, 'project')}"
        narrate(f"{told} told how they stand now.{kept}")
    if board.refused:
        paths = [clean(names.path(one)) or str(one) for one in board.refused[:_NAMED]]
        more = len(board.refused) - len(paths)
        listed = ", ".join(paths) + (f" and {more} more" if more else "")
        narrate(f"Not shown to this token, or gone: {listed}.")
    if board.awaited:
        narrate(f"Of {counted(board.awaited, 'incident')} the cause was not read.")
    if board.problem:
        narrate(board.problem)
