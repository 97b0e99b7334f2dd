"""Options shared by list commands: limit, JSON, CSV."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from platui.cli.command_options import GLOBAL, declare_command, epilog, json_option
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.suggestions import nearest
from platui.core.errors import ConfigError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.cli.command_options import Command
    from platui.config.settings import Options

LIMIT: Final = 50

# Exit codes of reads
READING: Final = (Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED, Exit.INTERRUPTED)

csv_option: Final = click.option(
    "--csv", "as_csv", is_flag=True, help="Print CSV, safe for spreadsheets."
)
_LIST_OPTIONS: Final = (
    click.option(
        "--limit", type=click.IntRange(1), metavar="N", help=f"Print at most N; default {LIMIT}."
    ),
    click.option("--all", "everything", is_flag=True, help="Print all, page by page."),
    json_option,
    csv_option,
)

_FORMS: Final = """\b
Prints a table, fitted to the terminal; in a pipe, texts are not cut.
--json prints one object per line, --csv a header and one line per record,
without spreadsheet formulas; both have times in ISO 8601.
"""


class ListOptions(NamedTuple):
    """Number of records to print, and the output format."""

    limit: int | None = LIMIT  # None: all
    form: str = ""  # `json`, `csv`; empty: table


def list_command(
    name: str, examples: str, *codes: Exit, of: Any = click, more: str = "", **attrs: Any
) -> Callable[[Command], click.Command]:
    """Declare a command with --limit, --all, --json and --csv, passed as `list_options`."""
    more = f"{_FORMS}\n{more}" if more else _FORMS

    def declare(function: Command) -> click.Command:
        @wraps(function)
        def with_list_options(
            options: Options, /, *, limit: int | None, everything: bool, **given: Any
        ) -> int | None:
            if limit is not None and everything:
                raise ConfigError("Give --limit or --all, not both.")
            form = form_of(json=given.pop("as_json"), csv=given.pop("as_csv"))
            list_options = ListOptions(None if everything else limit or LIMIT, form)
            return function(options, list_options=list_options, **given)

        epilog_text = epilog(examples, *(codes or READING), more=more)
        shared = (*_LIST_OPTIONS, *GLOBAL)
        return declare_command(of, name, epilog_text, shared, **attrs)(with_list_options)

    return declare


def form_of(*, json: bool, csv: bool) -> str:
    if json and csv:
        raise ConfigError("Give --json or --csv, not both.")
    return "json" if json else "csv" if csv else ""


def with_text(search: str) -> str:
    return f" that contain {shorten(search, 60)}" if search else " for this token"


def warn_unknown(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    """Warn of an unknown value: the specification has no complete list (§2.2)."""
    for word in given:
        if word and word not in known:
            near = nearest(word, known)
            meant = f"Did you mean {near}? " if near else ""
            print_notice(
                f"Unknown {option} {shorten(word, 60)}; sending it anyway. {meant}"
                f"Known values: {', '.join(known)}."
            )
