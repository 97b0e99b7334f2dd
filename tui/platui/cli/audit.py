"""`platui audit`: what was written to platforms from here, and what became of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import unquote

import click

from platui.cli.exits import Exit
from platui.cli.manner import epilog, json_option, with_global_options
from platui.cli.patience import narrate
from platui.cli.told import say, table
from platui.core.errors import FileReadError
from platui.core.text import clean
from platui.present.times import in_zone, zone_name
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.values.audit import AuditEntry


_EXAMPLES = """
audit --limit 10
audit --profile prod --json
"""


@click.command("audit", epilog=epilog(Exit.DONE, Exit.USAGE, examples=_EXAMPLES))
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(1, 100_000),
    default=50,
    show_default=True,
    help="How many of the last notes.",
)
@json_option
@with_global_options
@click.pass_obj
def audit_command(options: Options, *, limit: int, as_json: bool) -> int:
    """Show what was written to platforms from this machine, oldest first.

    Every write is noted before it is sent, and again when its outcome is known; both
    notes have the same mark. With --profile NAME, only those of that profile. With
    --json, one object on each line. No secret and no value of a variable is in it.

    The dashboard and every command write to it; it needs no network.
    """
    path = audit_path()
    try:
        entries = AuditFile(path).entries(100_000 if options.profile else limit)
    except OSError as error:
        raise FileReadError(clean(f"{path} cannot be read: {error.strerror}.")) from error
    wanted = [one for one in entries if options.profile in {None, one.profile}][-limit:]
    if not wanted:
        narrate(f"Nothing was written from here yet, as {path} has it.")
    lines = [_object(one) for one in wanted] if as_json else _table(wanted, utc=options.utc)
    for line in lines:
        say(line)
    return 0


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
