"""`platui audit`: what was written to platforms from here, and what became of it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

import click

from platui.cli.exits import Exit
from platui.cli.list_options import list_epilog, lists
from platui.cli.list_printing import Look, Sheet, printing
from platui.cli.naming import listed, nearest
from platui.cli.patience import narrate
from platui.cli.stdout import has_colours
from platui.core.errors import ConfigError, FileReadError
from platui.core.text import clean, shorten
from platui.present.counts import counted
from platui.present.times import dated
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from platui.cli.list_options import Asked
    from platui.config.settings import Options
    from platui.models.values.audit import AuditEntry


_ALL: Final = 100_000
"""More notes than are kept."""
_EXAMPLES: Final = """
audit --limit 10
audit --profile prod --all --csv > writes.csv
"""
_COLUMNS: Final = ("at", "profile", "operation", "target", "result", "write")
_SPARE: Final = ((5, 0), (3, 24), (4, 20), (1, 0), (2, 12))


@click.command("audit", epilog=list_epilog(_EXAMPLES, codes=(Exit.DONE, Exit.USAGE)))
# Elsewhere it is short for --dry-run: it is taken here, and not recommended.
@click.option("-n", "short", type=click.IntRange(1), hidden=True)
@lists
@click.pass_obj
def audit_command(options: Options, *, short: int | None, asked: Asked) -> int:
    """Show what was written to platforms from this machine, oldest first.

    Every write is noted before it is sent, and again when its outcome is known; both
    notes have the same mark. With --profile NAME, only those of that profile. No secret
    and no value of a variable is in it.

    The dashboard and every command write to it; it needs no network.
    """
    path, limit = audit_path(), short or asked.limit or _ALL
    try:
        entries = AuditFile(path).entries(_ALL if options.profile else limit + 1)
    except OSError as error:
        raise FileReadError(clean(f"{path} cannot be read: {error.strerror}.")) from error
    fitting = [one for one in entries if options.profile in {None, one.profile}]
    if options.profile and not fitting:
        _check_profile(options, {one.profile for one in entries})
    wanted = fitting[-limit:]
    if not wanted:
        narrate(_nothing(options.profile, len(entries), path))
    look = Look(has_colours("", os.environ), options.ascii)
    with printing("notes", asked, lambda: _sheet(utc=options.utc), look) as printer:
        printer.take(wanted)
    if len(fitting) > limit:
        narrate(f"These are the last {limit:,}; there are older ones: --all, or --limit N.")
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


def _sheet(*, utc: bool) -> Sheet[AuditEntry]:
    return Sheet(
        ("WHEN", "PROFILE", "OPERATION", "TARGET", "RESULT", "WRITE"),
        lambda one: _row(one, utc=utc),
        lambda one: json.loads(one.line()),
        _COLUMNS,
        spare=_SPARE,
    )


def _row(one: AuditEntry, *, utc: bool) -> tuple[str, ...]:
    return (
        dated(one.at, utc=utc, seconds=True),
        clean(one.profile),
        clean(one.operation),
        clean(unquote(one.target)),
        clean(one.result),
        clean(one.mark),
    )
