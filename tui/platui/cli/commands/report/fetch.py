"""`platui report fetch` and `platui report import`: save a report."""

from __future__ import annotations

import sys
from contextlib import aclosing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.commands.report.messages import changes_words, counts_words, when
from platui.cli.commands.report.saved import shelf_of
from platui.cli.exit_codes import Exit
from platui.cli.log_options import STDIN
from platui.cli.output.progress import ProgressLine, print_notice
from platui.cli.output.stdout import print_line, print_object
from platui.core.errors import (
    ApiError,
    ConfigError,
    InvalidResponseError,
    OfflineError,
    ReportError,
)
from platui.core.paths import user_path
from platui.core.text import clean, shorten
from platui.models.values.reports import ReportStage, ReportState
from platui.present.counts import human_bytes
from platui.present.tables.reports import info_object
from platui.service.access.report_files import piped_file

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from platui.cli.commands.report.saved import Shelf
    from platui.config.settings import Options
    from platui.models.values.access import ReportInfo
    from platui.models.values.access_changes import AccessChanges

_PIPED: Final = "standard input"
_LISTED: Final = 3
_BEGIN: Final = 512
"""Bytes of a file by which a web page is known."""


def fetch_report(options: Options, *, as_json: bool) -> int:
    with shelf_of(options) as shelf:
        shelf.check_it_keeps()
        if shelf.has_no_platform:
            raise ConfigError(
                "No platform is configured that a report could be fetched from.",
                hint="Set PLATUI_ADMIN_URL and PLATUI_ADMIN_KEY, or admin_url and "
                "admin_key_command in a profile of config.toml; platui report import FILE "
                "needs neither.",
            )
        if shelf.run(shelf.reports.has_pending()):
            print_notice(
                "A report that came whole before was not read yet: it is read, nothing sent."
            )
        try:
            return _arrived(shelf, shelf.reports.fetch(), options, as_json=as_json)
        except (ApiError, OfflineError, ReportError, InvalidResponseError):
            last = "; the last good report is as it was" if shelf.infos() else ""
            print_notice(f"Nothing new was kept{last}.")
            raise


def import_report(options: Options, file: str, date: str = "", *, as_json: bool) -> int:
    """`file` is a name, or `-`; `date` is ISO 8601, or empty: when the file was written."""
    at = _read_date(date, utc=options.utc) if date else None
    with shelf_of(options) as shelf:
        shelf.check_it_keeps()
        if file != STDIN:
            path = user_path(file)
            dated = _Dated(
                "--date" if at else "when the file was written; --date says otherwise", at
            )
            try:
                states = shelf.reports.import_file(path, at=at)
                return _arrived(shelf, states, options, dated, as_json=as_json)
            except ReportError as error:
                raise _of_file(error, path) from None
        if sys.stdin is None or sys.stdin.isatty():
            raise ConfigError(
                "Nothing is piped into this.",
                hint="curl --fail … | platui report import -",
            )
        try:
            with (
                ProgressLine() as line,
                piped_file(
                    sys.stdin.buffer,
                    shelf.reports.folder,
                    lambda size: line.show(f"Taking it in: {human_bytes(size)}"),
                ) as path,
            ):
                states = shelf.reports.import_file(path, _PIPED, at)
                dated = _Dated("--date" if at else "when it came; --date says otherwise", at)
                return _arrived(shelf, states, options, dated, as_json=as_json)
        except ReportError as error:
            if not error.is_of_text:
                raise
            hint = "That is what the program before the pipe printed; curl --fail says why."
            raise ReportError(error.sentence, hint=hint) from None


def _read_date(text: str, *, utc: bool) -> datetime:
    """Return the moment that a text names; without a zone it is the one times are shown in."""
    try:
        at = datetime.fromisoformat(text.strip())
        at = (at.replace(tzinfo=UTC) if utc and at.tzinfo is None else at).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise ConfigError(
            f"--date: {shorten(clean(text), 40)} is no date.",
            hint="Such as 2026-03-14, 2026-03-14T06:00 or 2026-03-14T06:00:00Z.",
        ) from None
    if at > datetime.now(UTC):
        raise ConfigError(f"--date: {at:%Y-%m-%d %H:%M} UTC has not been yet.")
    return at


class _Dated(NamedTuple):
    """Where the date of an imported report is from."""

    source: str
    at: datetime | None = None
    """What was given; None: nothing was."""

    def tell_kept(self, info: ReportInfo) -> None:
        if self.at not in {None, info.fetched_at}:
            print_notice(
                f"--date changes nothing of a report that is kept. To give it another one: "
                f"platui report forget {info.id}, and import it again."
            )

    def tell(self, info: ReportInfo, saved: Sequence[ReportInfo], options: Options) -> None:
        print_notice(f"Its date is {when(info, options)}: {self.source}.")
        if saved[0].id != info.id:
            print_notice(
                f"That is older than the newest that is kept, of {when(saved[0], options)}."
            )


def _of_file(error: ReportError, path: Path) -> ReportError:
    if not error.is_of_text:
        return error
    from platui.api.error_responses import is_page  # noqa: PLC0415  (of such a file only)

    name = shorten(clean(str(path)), 200)
    try:
        with path.open("rb") as file:
            begin = file.read(_BEGIN)
    except OSError:
        begin = b""
    if is_page("", begin):
        return ReportError(
            f"{name} is a web page, and no report.",
            hint="A proxy or a login form sends such pages; curl --fail -H 'accept: "
            "application/json' … says why.",
        )
    return ReportError(f"{name}: {error.sentence}", hint=error.hint)


def _arrived(
    shelf: Shelf,
    states: AsyncGenerator[ReportState],
    options: Options,
    dated: _Dated | None = None,
    *,
    as_json: bool,
) -> int:
    course = _Course()
    try:
        info = shelf.run(course.follow(states))
    except KeyboardInterrupt:
        _tell_interrupted(shelf, is_file=dated is not None)
        return Exit.INTERRUPTED
    saved = shelf.infos()
    ids = [one.id for one in saved]
    if info.id not in ids:
        raise ReportError(
            f"It was saved as {info.id}, and is gone: another process keeps it no longer.",
            is_of_text=False,
        )
    before = next(iter(saved[ids.index(info.id) + 1 :]), None)
    is_new = not course.is_unchanged
    try:
        changes = _compared(shelf, before, info) if before is not None and is_new else None
    except KeyboardInterrupt:
        print_notice("It is saved; what is new in it was not found out.")
        return Exit.INTERRUPTED
    if is_new:
        print_notice(f"{counts_words(info)}. Saved as {info.id} {shelf.where}.")
        if info.warnings:
            _tell_oddities(info, ids[0])
        if dated is not None:
            dated.tell(info, saved, options)
        _tell_dropped(course.dropped, options)
    else:
        print_notice(f"Nothing new: the report of {when(info, options)} still stands ({info.id}).")
        if dated is not None:
            dated.tell_kept(info)
    if changes is not None and before is not None:
        what = changes_words(changes) or "nothing changed"
        more = ": platui report diff tells more" if ids[0] == info.id else ""
        print_notice(f"Since the report of {when(before, options)}: {what}{more}.")
    if as_json:
        found = None if changes is None else {k.name.lower(): n for k, n in changes.counts.items()}
        against = None if changes is None else changes.before.id
        dropped = [one.id for one in course.dropped]
        told = {"is_new": is_new, "against": against, "changes": found, "dropped": dropped}
        print_object({**info_object(info), **told})
    else:
        print_line(info.id)
    return 0


def _tell_oddities(info: ReportInfo, newest: str) -> None:
    which = "" if info.id == newest else f" --report {info.id}"
    left = len(info.warnings) - 1
    rest = f" {left:,} more: platui report show{which}" if left else ""
    print_notice(f"Strange in it: {info.warnings[0]}{rest}")


def _tell_dropped(dropped: Sequence[ReportInfo], options: Options) -> None:
    if dropped:
        told = ", ".join(f"{one.id} of {when(one, options)}" for one in dropped[:_LISTED])
        more = f" and {len(dropped) - _LISTED:,} more" if len(dropped) > _LISTED else ""
        print_notice(
            f"Kept no longer: {told}{more} (`keep` and `keep_monthly` in [reports] of config.toml)."
        )


class _Course:
    def __init__(self) -> None:
        self.is_unchanged = False
        self.dropped: tuple[ReportInfo, ...] = ()
        """What is kept no longer for it; newest first."""

    async def follow(self, states: AsyncGenerator[ReportState]) -> ReportInfo:
        report = None
        with ProgressLine() as line:
            async with aclosing(states):
                async for state in states:
                    line.show(_progress_words(state))
                    report = state.report or report
                    self.is_unchanged, self.removed = state.is_unchanged, state.removed
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
    try:
        return shelf.compare(before, after, "Looking for what is new")
    except ReportError as error:
        print_notice(f"What is new in it is not known: {error.sentence}")
        return None


def _tell_interrupted(shelf: Shelf, *, is_file: bool) -> None:
    # A text that waits came by a fetch: of a file that is imported nothing does.
    if not is_file and shelf.run(shelf.reports.has_pending()):
        print_notice(
            "Interrupted. What came is whole and is kept: the next fetch reads it, and sends "
            "nothing."
        )
    else:
        print_notice("Interrupted: nothing of it is kept.")
    if shelf.infos():
        print_notice("The last good report is as it was.")
