"""`platui audit`: what was written to platforms from here, and what became of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

import click

from platui.cli.exits import Exit
from platui.cli.manner import epilog, json_option, with_global_options
from platui.cli.naming import listed, nearest
from platui.cli.patience import narrate
from platui.cli.table_fit import table
from platui.cli.told import say
from platui.core.errors import ConfigError, FileReadError
from platui.core.text import clean, shorten
from platui.present.counts import counted
from platui.present.times import in_zone, zone_name
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from platui.config.settings import Options
    from platui.models.values.audit import AuditEntry


_ALL: Final = 100_000
"""More notes than are kept."""
_NUMBER: Final = click.IntRange(1, _ALL)
_EXAMPLES: Final = """
audit --limit 10
audit --profile prod --json
"""


@click.command("audit", epilog=epilog(Exit.DONE, Exit.USAGE, examples=_EXAMPLES))
@click.option(
    "--limit", type=_NUMBER, default=50, show_default=True, help="How many of the last notes."
)
# Elsewhere it is short for --dry-run: it is taken here, and not recommended.
@click.option("-n", "short", type=_NUMBER, hidden=True)
@json_option
@with_global_options
@click.pass_obj
def audit_command(options: Options, *, limit: int, short: int | None, as_json: bool) -> int:
    """Show what was written to platforms from this machine, oldest first.

    Every write is noted before it is sent, and again when its outcome is known; both
    notes have the same mark. With --profile NAME, only those of that profile. With
    --json, one object on each line. No secret and no value of a variable is in it.

    The dashboard and every command write to it; it needs no network.
    """
    path, limit = audit_path(), short or limit
    try:
        entries = AuditFile(path).entries(_ALL if options.profile else limit + 1)
    except OSError as error:
        raise FileReadError(clean(f"{path} cannot be read: {error.strerror}.")) from error
    fitting = [one for one in entries if options.profile in {None, one.profile}]
    if options.profile and not fitting:
        _check_profile(options, {one.profile for one in entries})
    wanted = fitting[-limit:]
    if len(fitting) > limit:
        narrate(f"These are the last {limit:,}; there are older ones: --limit N shows more.")
    if not wanted:
        narrate(_nothing(options.profile, len(entries), path))
    lines = [_object(one) for one in wanted] if as_json else _table(wanted, utc=options.utc)
    for line in lines:
        say(line)
    return 0


def _check_profile(options: Options, noted: Collection[str]) -> None:
    """Make sure that a profile of which there is no note is one.

    Args:
        options: which one is meant, and what the configuration is.
        noted: those of which there are notes; they may have been made of an address alone.

    Raises:
        ConfigError: there is none of that name, or the configuration cannot be read.
    """
    from platui.config.hardening import harden  # noqa: PLC0415  (only when in doubt)
    from platui.config.load import load_settings  # noqa: PLC0415  (likewise)

    wanted = options.profile or ""
    settings = load_settings(options.config, harden(), options)
    known = sorted({*settings.profiles, *noted})
    if wanted in known:
        return
    near = nearest(wanted, known)
    meant = "" if near is None else f"Did you mean {shorten(near, 60)}? "
    raise ConfigError(
        f"There is no profile {shorten(wanted, 60)}, and no note of one.",
        hint=f"{meant}Known: {listed(known, 12)}." if known else "There is no profile yet.",
    )


def _nothing(profile: str | None, others: int, path: Path) -> str:
    if profile is None:
        return f"Nothing was written from here yet, as {path} has it."
    of_others = f"; {counted(others, 'note')} on others" if others else ""
    return f"Nothing was written on profile {shorten(profile, 60)}{of_others}."


def _object(entry: AuditEntry) -> str:
    # Escapes for all that is not ASCII: nothing in it steers a terminal.
    return json.dumps(json.loads(entry.line()))


def _table(entries: list[AuditEntry], *, utc: bool) -> list[str]:
    rows = [
        (
            f"{in_zone(one.at, utc=utc):%Y-%m-%d %H:%M:%S} {zone_name(one.at, utc=utc)}",
            clean(one.profile),
            clean(one.operation),
            clean(unquote(one.target)),
            clean(one.result),
            clean(one.mark),
        )
        for one in entries
    ]
    return table(rows)
