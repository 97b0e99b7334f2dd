"""`platui report fetch` and `platui report import`: how a report comes to be kept."""

from __future__ import annotations

import sys
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from platui.cli.exits import Exit
from platui.cli.log_options import STDIN
from platui.cli.patience import narrate
from platui.cli.progress_line import ProgressLine
from platui.cli.report_shelf import shelf_of
from platui.cli.report_words import changes_words, counts_words, info_object, when
from platui.cli.told import say, say_object
from platui.core.errors import ConfigError, NothingToDoError, ReportError
from platui.core.paths import typed_path
from platui.models.values.reports import ReportStage, ReportState
from platui.present.sizes import human_bytes
from platui.service.report_files import piped_file

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from platui.cli.report_shelf import Shelf
    from platui.config.settings import Options
    from platui.models.values.access import ReportInfo
    from platui.models.values.access_changes import AccessChanges

_PIPED: Final = "standard input"


def fetch_report(options: Options, *, as_json: bool) -> int:
    """Fetch the report and keep it; returns the exit code.

    Raises:
        PlatuiError: it does not come, or is none; what was kept is as it was.
    """
    with shelf_of(options) as shelf:
        shelf.check_it_keeps()
        if shelf.run(shelf.reports.has_waiting()):
            narrate("A report that came whole before was not read yet: it is read, nothing sent.")
        return _arrived(shelf, shelf.reports.fetch(), options, as_json=as_json)


def import_report(options: Options, file: str, *, as_json: bool) -> int:
    """Read a report from a file, or from standard input, and keep it; returns the exit code.

    Raises:
        PlatuiError: it cannot be read, or is none; what was kept is as it was.
    """
    with shelf_of(options) as shelf:
        shelf.check_it_keeps()
        if file != STDIN:
            states = shelf.reports.take_in(typed_path(file))
            return _arrived(shelf, states, options, as_json=as_json)
        if sys.stdin is None or sys.stdin.isatty():
            raise ConfigError(
                "Nothing is piped into this.",
                hint="curl --fail … | platui report import -",
            )
        line = ProgressLine()
        try:
            with piped_file(sys.stdin.buffer, shelf.reports.folder, _telling(line)) as path:
                states = shelf.reports.take_in(path, _PIPED)
                return _arrived(shelf, states, options, as_json=as_json)
        except ReportError as error:
            if not error.is_of_text:
                raise
            hint = "That is what the program before the pipe printed; curl --fail says why."
            raise ReportError(error.sentence, hint=hint) from None
        finally:
            line.clear()


def _telling(line: ProgressLine) -> Any:
    return lambda size: line.show(f"Taking it in: {human_bytes(size)}")


def _arrived(
    shelf: Shelf, states: AsyncGenerator[ReportState], options: Options, *, as_json: bool
) -> int:
    """See a report in, and say what came; returns the exit code."""
    course = _Course()
    try:
        info = shelf.run(course.follow(states))
    except KeyboardInterrupt:
        _tell_interrupted(shelf)
        return Exit.INTERRUPTED
    saved = shelf.infos()
    ids = [one.id for one in saved]
    if info.id not in ids:
        raise NothingToDoError(
            f"It was read ({counts_words(info)}), and is older than what is kept {shelf.where}: "
            f"there are {len(saved):,} already.",
            hint="`keep` in [reports] of config.toml says how many stay.",
        )
    before = next(iter(saved[ids.index(info.id) + 1 :]), None)
    is_new = not course.is_unchanged
    try:
        changes = _compared(shelf, before, info) if before is not None and is_new else None
    except KeyboardInterrupt:
        narrate("It is saved; what is new in it was not found out.")
        return Exit.INTERRUPTED
    if is_new:
        narrate(f"{counts_words(info)}. Saved as {info.id} {shelf.where}.")
    else:
        narrate(f"Nothing new: the report of {when(info, options)} still stands ({info.id}).")
    if changes is not None and before is not None:
        what = changes_words(changes) or "nothing changed"
        more = ": platui report diff tells more" if ids[0] == info.id else ""
        narrate(f"Since the report of {when(before, options)}: {what}{more}.")
    if as_json:
        found = None if changes is None else {k.name.lower(): n for k, n in changes.counts.items()}
        against = None if changes is None else changes.before.id
        say_object({**info_object(info), "new": is_new, "against": against, "changes": found})
    else:
        say(info.id)
    return 0


class _Course:
    """How one report comes."""

    def __init__(self) -> None:
        self.is_unchanged = False
        """Whether it is one that was there."""

    async def follow(self, states: AsyncGenerator[ReportState]) -> ReportInfo:
        """Say how far it is until it is there."""
        line = ProgressLine()
        report = None
        try:
            async with aclosing(states):
                async for state in states:
                    line.show(_progress_words(state))
                    report = state.report or report
                    self.is_unchanged = state.is_unchanged
        finally:
            line.clear()
        if report is None:
            raise ReportError("No report came.")
        return report.info


def _progress_words(state: ReportState) -> str:
    if state.stage is ReportStage.ASKING:
        return "Asking for the report …"
    if state.stage is not ReportStage.RECEIVING:
        return f"Reading it: {state.share:.0%} (ctrl+c stops)"
    progress = state.progress
    if progress is None:
        return "Receiving …"
    total = f" of {human_bytes(progress.total)}" if progress.total else ""
    rate = f", {human_bytes(int(state.rate))}/s" if state.rate else ""
    return f"Receiving: {human_bytes(progress.received)}{total}{rate} (ctrl+c stops)"


def _compared(shelf: Shelf, before: ReportInfo, after: ReportInfo) -> AccessChanges | None:
    """Return what is new; None where one of them cannot be opened any more."""
    line = ProgressLine()

    def tell(share: float) -> None:
        line.show(f"Looking for what is new: {share:.0%}")

    try:
        return shelf.run(shelf.reports.compare(before.id, after.id, tell))
    except ReportError as error:
        line.clear()
        narrate(f"What is new in it is not known: {error.sentence}")
        return None
    finally:
        line.clear()


def _tell_interrupted(shelf: Shelf) -> None:
    if shelf.run(shelf.reports.has_waiting()):
        narrate(
            "Interrupted. What came is whole and is kept: the next fetch reads it, and sends "
            "nothing."
        )
    else:
        narrate("Interrupted: nothing of it is kept.")
    if shelf.infos():
        narrate("The last good report is as it was.")
