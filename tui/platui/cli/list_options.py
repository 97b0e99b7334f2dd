"""Options that commands which list have in common: how much, and in which form."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from platui.cli.exits import Exit
from platui.cli.manner import epilog, json_option, with_global_options
from platui.cli.naming import nearest
from platui.cli.patience import narrate
from platui.core.errors import ConfigError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from click.shell_completion import CompletionItem

    Command = Callable[..., int]

LIMIT: Final = 50

READING: Final = (Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED, Exit.INTERRUPTED)
"""What a command that only reads ends with."""

_FORMS: Final = """\b
On a terminal it is a table that fits; into a pipe one whose texts are whole.
With --json it is an object on each line, with --csv a line of names and one
of values each; there times are in ISO 8601, and nothing is a formula.
"""


class Asked(NamedTuple):
    """How much of a list is printed, and how."""

    limit: int | None = LIMIT
    """None: all of it."""
    form: str = ""
    """`json`, `csv`, or empty: a table."""


def list_epilog(examples: str, more: str = "", codes: Sequence[Exit] = READING) -> str:
    """Return what stands below the options of a command that lists."""
    return epilog(*codes, examples=examples, more=f"{_FORMS}\n{more}" if more else _FORMS)


def lists(function: Command) -> Command:
    """Give a command --limit, --all, --json and --csv, as `asked`; and those of platui itself."""

    @wraps(function)
    def with_asked(
        *words: Any, limit: int | None, everything: bool, as_json: bool, as_csv: bool, **rest: Any
    ) -> int:
        if limit is not None and everything:
            raise ConfigError("--limit N or --all: either of them.")
        asked = Asked(None if everything else limit or LIMIT, form_of(json=as_json, csv=as_csv))
        return function(*words, asked=asked, **rest)

    options = (
        click.option(
            "--limit",
            type=click.IntRange(1),
            metavar="N",
            help=f"So many at the most; {LIMIT} else.",
        ),
        click.option("--all", "everything", is_flag=True, help="All there are, page after page."),
        json_option,
        csv_option,
    )
    command: Command = with_asked
    for option in reversed(options):
        command = option(command)
    return with_global_options(command)


def csv_option(function: Command) -> Command:
    """Give a command --csv, as `as_csv`."""
    option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV, safe for spreadsheets.")
    return option(function)


def form_of(*, json: bool, csv: bool) -> str:
    """Return the form that is asked for: `json`, `csv`, or empty.

    Raises:
        ConfigError: both are.
    """
    if json and csv:
        raise ConfigError("--json or --csv: either of them.")
    return "json" if json else "csv" if csv else ""


def tell_unknown(option: str, given: Sequence[str], known: Sequence[str]) -> None:
    """Say of values that are sent as they are that they are none of those platui knows.

    The documentation shows no complete set of them (spec §2.2): another one may well be right.

    Args:
        option: to which they were given.
        given: the values.
        known: those that are likely.
    """
    for word in given:
        if word and word not in known:
            near = nearest(word, known)
            meant = f"Did you mean {near}? " if near else ""
            narrate(f"No {option} {shorten(word, 60)} is known, and it is sent as it is. {meant}"
                    f"Likely are {', '.join(known)}.")  # fmt: skip


def words_of(
    words: Sequence[str] | Callable[[], Sequence[str]],
) -> Callable[..., list[CompletionItem]]:
    """Return what completes one of these words, or of those that are told when it is asked.

    There may be more of them.
    """

    def complete(_: object, __: object, begin: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415  (of a shell only)

        known = words() if callable(words) else words
        return [CompletionItem(word) for word in known if word.startswith(begin)]

    return complete
