"""List the writes sent from this machine, with their outcomes."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import ListOptions, list_command
from platui.cli.error_output import print_error
from platui.cli.exit_codes import Exit
from platui.cli.output.lists import TableStyle, printing
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import has_colours
from platui.config.environment import harden
from platui.config.load import load_settings
from platui.config.settings import Settings
from platui.core.errors import ConfigError, FileReadError
from platui.core.suggestions import did_you_mean, listed, nearest
from platui.core.text import clean, shorten
from platui.present.counts import counted
from platui.present.tables.requests import AUDIT
from platui.present.tables.spec import Context
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from platui.config.settings import Options


_MAX_ENTRIES: Final = 100_000  # more than the audit log holds
_EXAMPLES: Final = """
audit --limit 10
audit --profile prod --all --csv > writes.csv
"""


@list_command("audit", _EXAMPLES, Exit.DONE, Exit.USAGE)
# Hidden, as -n means --dry-run in other commands.
@click.option("-n", "short", type=click.IntRange(1), hidden=True)
def audit_command(options: Options, *, short: int | None, list_options: ListOptions) -> None:
    """Show the writes sent from this machine, oldest first.

    The dashboard and all commands log each write twice, with the same mark: before it is
    sent, and when its outcome is known. Secrets and variable values are never logged.
    With --profile NAME, only the writes of that profile. Needs no network.
    """
    settings, knows_profiles = _settings(options)
    path, limit = audit_path(), short or list_options.limit or _MAX_ENTRIES
    log = AuditFile(path)
    try:
        entries = log.entries(_MAX_ENTRIES if options.profile else limit + 1)
    except OSError as error:
        raise FileReadError(clean(f"{path} cannot be read: {error.strerror}.")) from error
    fitting = [one for one in entries if options.profile in {None, one.profile}]
    if options.profile and not fitting and knows_profiles:
        _check_profile(options, settings, {one.profile for one in entries})
    wanted = fitting[-limit:]
    if log.damaged:
        print_notice(f"{counted(log.damaged, 'damaged line')} skipped in {path}.")
    if not wanted and (entries or not log.damaged):
        of_others = f"; {counted(len(entries), 'record')} of other profiles" if entries else ""
        of_profile = f"No writes with profile {shorten(options.profile or '', 60)}{of_others}."
        print_notice(f"No writes in {path} yet." if options.profile is None else of_profile)
    from platui.core.clock import SystemClock  # noqa: PLC0415  (it brings asyncio)

    style = TableStyle(has_colours("", os.environ), bool(settings.ascii))
    now = Context(SystemClock().now(), settings.utc)
    with printing("notes", list_options, AUDIT, lambda: now, style) as printer:
        printer.take(wanted)
    if len(fitting) > limit:
        print_notice(
            f"Showing the last {counted(limit, 'write')}; use --all or --limit N for more."
        )


def _settings(options: Options) -> tuple[Settings, bool]:
    """Return the settings, else the default ones and False: the log needs no valid file."""
    environ = harden()
    try:
        return load_settings(options.config, environ, options), True
    except ConfigError as error:
        if options.config is not None and not options.config.exists():
            raise
        print_error(error)
        return Settings(ascii=options.ascii, utc=options.utc), False


def _check_profile(options: Options, settings: Settings, noted: Collection[str]) -> None:
    wanted = options.profile or ""
    known = sorted({*settings.profiles, *noted})
    if wanted in known:
        return
    meant = did_you_mean(shorten(nearest(wanted, known), 60))
    hint = f"{meant} Known: {listed(known, 12)}.".lstrip()
    raise ConfigError(
        f'Unknown profile "{shorten(wanted, 60)}".',
        hint=hint if known else "No profile is configured.",
    )
