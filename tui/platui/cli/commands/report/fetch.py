"""`platui report fetch` and `platui report import`: save a report."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.cli.commands.report.messages import changes_words, counts_words, when
from platui.cli.commands.report.saved import ProfileReports, open_reports
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
    from platui.config.settings import Options
    from platui.models.values.access import ReportInfo

_LISTED: Final = 3
_PIPE: Final = "curl --fail … | platui report import -"
_HEAD_BYTES: Final = 512  # Bytes read to recognize a web page


def fetch_report(options: Options, *, as_json: bool) -> int:
    with open_reports(options) as reports:
        reports.check_storage()
        if reports.has_no_platform:
            raise ConfigError(
                "No administration API is configured to fetch a report from.",
                hint="Set PLATUI_ADMIN_URL and PLATUI_ADMIN_KEY, or admin_url and "
                "admin_key_command in a profile of config.toml. Or import a file: platui report "
                "import FILE",
            )
        if reports.run(reports.service.has_pending()):
            print_notice("Reading a report that was downloaded before; no request is sent.")
        try:
            return _save(reports, reports.service.fetch(), as_json=as_json)
        except (ApiError, OfflineError, ReportError, InvalidResponseError):
            last = "; the last report is unchanged" if reports.infos() else ""
            print_notice(f"No report was saved{last}.")
            raise


def import_report(options: Options, file: str, date: str = "", *, as_json: bool) -> int:
    """Import `file` (or `-`) as of `date` (ISO 8601; default: when it was written)."""
    with open_reports(options) as reports:
        at = _read_date(date, utc=reports.options.utc) if date else None
        reports.check_storage()
        if file != STDIN:
            path = user_path(file)
            dated = "--date" if at else "modification time of the file; change it with --date"
            try:
                states = reports.service.import_file(path, at=at)
                return _save(reports, states, dated, at, as_json=as_json)
            except ReportError as error:
                raise _file_error(error, path) from None
        if sys.stdin is None or sys.stdin.isatty():
            raise ConfigError(
                "No input: pipe a report into this command.",
                hint=_PIPE,
            )
        try:
            with (
                ProgressLine() as line,
                piped_file(
                    sys.stdin.buffer,
                    reports.service.folder,
                    lambda size: line.show(f"Importing: {human_bytes(size)}"),
                ) as path,
            ):
                if not path.stat().st_size:
                    raise ConfigError("Nothing came on standard input.", hint=_PIPE)
                states = reports.service.import_file(path, "standard input", at)
                dated = "--date" if at else "time of import; change it with --date"
                return _save(reports, states, dated, at, as_json=as_json)
        except ReportError as error:
            if not error.is_of_text:
                raise
            hint = "The program before the pipe printed this; use curl --fail to see why."
            raise ReportError(error.sentence, hint=hint) from None


def _read_date(text: str, *, utc: bool) -> datetime:
    """Parse an ISO date; without a zone, in UTC if `utc`, else in local time."""
    try:
        at = datetime.fromisoformat(text.strip())
        at = (at.replace(tzinfo=UTC) if utc and at.tzinfo is None else at).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise ConfigError(
            f'--date: invalid date "{shorten(clean(text), 40)}".',
            hint="Use e.g. 2026-03-14, 2026-03-14T06:00 or 2026-03-14T06:00:00Z.",
        ) from None
    if at > datetime.now(UTC):
        raise ConfigError(f"--date: {at:%Y-%m-%d %H:%M} UTC is in the future.")
    return at


def _file_error(error: ReportError, path: Path) -> ReportError:
    if not error.is_of_text:
        return error
    from platui.api.error_responses import is_page  # noqa: PLC0415  (of such a file only)

    name = shorten(clean(str(path)), 200)
    try:
        with path.open("rb") as file:
            begin = file.read(_HEAD_BYTES)
    except OSError:
        begin = b""
    if is_page("", begin):
        return ReportError(
            f"{name} is a web page, not a report.",
            hint="It may come from a proxy or login form. See why with: curl --fail -H 'accept: "
            "application/json' …",
        )
    return ReportError(f"{name}: {error.sentence}", hint=error.hint)


def _save(
    reports: ProfileReports,
    states: AsyncGenerator[ReportState],
    dated: str = "",
    at: datetime | None = None,
    *,
    as_json: bool,
) -> int:
    """Save a report; `dated`: the source of an imported one's date, `at`: the one of --date."""
    try:
        done = reports.run(_follow(states))
    except KeyboardInterrupt:
        _print_interrupted(reports, is_file=bool(dated))
        return Exit.INTERRUPTED
    if done is None or done.report is None:
        raise ReportError("No report received.")
    info, saved, is_new = done.report.info, reports.infos(), not done.is_unchanged
    ids = [one.id for one in saved]
    if info.id not in ids:
        raise ReportError(
            f"It was saved as {info.id}, but another process has removed it.",
            is_of_text=False,
        )
    changes, before = None, next(iter(saved[ids.index(info.id) + 1 :]), None)
    try:
        if before is not None and is_new:
            changes = reports.compare(before, info)
    except ReportError as error:
        print_notice(f"Not compared with the previous report: {error.sentence}")
    except KeyboardInterrupt:
        print_notice("The report is saved, but not compared with the previous one.")
        return Exit.INTERRUPTED
    _print_saved(reports, done, info, saved[0], dated, at)
    if changes is not None and before is not None:
        what = changes_words(changes) or "nothing changed"
        more = "; see platui report diff" if ids[0] == info.id else ""
        print_notice(f"Since the report of {when(before, reports.options)}: {what}{more}.")
    if not as_json:
        print_line(info.id)
        return 0
    found = None if changes is None else {k.name.lower(): n for k, n in changes.counts.items()}
    against = None if changes is None else changes.before.id
    removed = [one.id for one in done.removed]
    facts = {"is_new": is_new, "against": against, "changes": found, "dropped": removed}
    print_object({**info_object(info), **facts})
    return 0


def _print_saved(
    reports: ProfileReports,
    done: ReportState,
    info: ReportInfo,
    newest: ReportInfo,
    dated: str,
    at: datetime | None,
) -> None:
    if done.is_unchanged:
        print_notice(f"Unchanged since the report of {when(info, reports.options)} ({info.id}).")
        if at not in {None, info.fetched_at}:
            print_notice(
                f"--date does not change a saved report. To change its date, import it again "
                f"after: platui report forget {info.id}"
            )
        return
    print_notice(f"{counts_words(info)}. Saved as {info.id} {reports.where}.")
    if info.warnings:
        which = "" if info.id == newest.id else f" --report {info.id}"
        left = len(info.warnings) - 1
        rest = f" {left:,} more: platui report show{which}" if left else ""
        print_notice(f"Warning: {info.warnings[0]}{rest}")
    if dated:
        print_notice(f"Its date is {when(info, reports.options)}: {dated}.")
        if newest.id != info.id:
            print_notice(
                f"It is older than the newest saved report, of {when(newest, reports.options)}."
            )
    if removed := done.removed:
        listed = ", ".join(f"{one.id} of {when(one, reports.options)}" for one in removed[:_LISTED])
        more = f" and {len(removed) - _LISTED:,} more" if len(removed) > _LISTED else ""
        print_notice(
            f"Removed: {listed}{more} (`keep` and `keep_monthly` in [reports] of config.toml)."
        )


def _print_interrupted(reports: ProfileReports, *, is_file: bool) -> None:
    # Only a fetch leaves a downloaded report to read, not an import.
    if not is_file and reports.run(reports.service.has_pending()):
        print_notice(
            "Interrupted. The download is complete and saved: the next fetch reads it without a "
            "request."
        )
    else:
        print_notice("Interrupted: nothing was saved.")
    if reports.infos():
        print_notice("The last report is unchanged.")


async def _follow(states: AsyncGenerator[ReportState]) -> ReportState | None:
    state = None
    with ProgressLine() as line:
        async with aclosing(states):
            async for state in states:
                line.show(_progress_words(state))
    return state


def _progress_words(state: ReportState) -> str:
    if state.stage is ReportStage.ASKING:
        return "Requesting the report …"
    if state.stage is not ReportStage.RECEIVING:
        return f"Reading: {state.share:.0%} (Ctrl+C stops)"
    progress = state.progress
    if progress is None:
        return "Receiving …"
    total = f" of {human_bytes(progress.total)}" if progress.total else ""
    rate = f", {human_bytes(int(state.rate))}/s" if state.rate else ""
    return f"Receiving: {human_bytes(progress.received)}{total}{rate} (Ctrl+C stops)"
