"""`platui cache`: show the stores on this machine, their sizes and limits; clear them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import command, epilog, with_global_options
from platui.cli.completions import words_of
from platui.cli.exit_codes import Exit

if TYPE_CHECKING:
    from platui.config.settings import Options

_INFO: Final = """
cache info
cache info --profile prod
cache info --json | jq '.stores[] | select(.is_fetched_again).bytes'
"""
_CLEAR: Final = """
cache clear
cache clear --what pages,logs --profile staging --yes
cache clear --what sent --profile old
"""
_NAMES: Final = """\b
STORE is one of these, or several with commas between. Can be fetched again:
pages, logs, quota, places. Cannot: choices, triage, sent, audit, reports,
tokens, copied, damaged. `platui cache info` tells what each is.
"""


@click.group("cache", epilog=epilog("cache info\ncache clear"))
@with_global_options
def cache_command() -> int:
    """What is kept on this machine: how much of it, and how to be rid of it.

    Nothing of it asks a platform for anything, and dashboards may go on meanwhile.
    """
    return 0  # the command behind it does what is meant


def _stores() -> list[str]:
    from platui.store.storage_usage import STORES  # noqa: PLC0415  (not for its help)

    return [one.name for one in STORES]


def _what(function: Any) -> Any:
    return click.option(
        "--what",
        metavar="STORE",
        multiple=True,
        shell_complete=words_of(_stores),
        help="Only this one; may be given several times.",
    )(function)


@command(
    "info",
    _INFO,
    of=cache_command,
    more=_NAMES,
    json=True,
    short_help="Tell what is kept, and how much it may be.",
)
@_what
def info_command(options: Options, *, what: tuple[str, ...], as_json: bool) -> int:
    """Tell what is kept on this machine, for whom, since when, and how much it may be.

    With --profile NAME, only what is of that profile or of its platform; NAME may be one
    that is not in config.toml any more.
    """
    from platui.cli.commands.cache.stores import tell_what_is_kept  # noqa: PLC0415  (of this command only)

    return tell_what_is_kept(options, what, as_json=as_json)


@command(
    "clear",
    _CLEAR,
    Exit.DONE,
    Exit.USAGE,
    Exit.INTERRUPTED,
    of=cache_command,
    more=_NAMES,
    json=True,
    short_help="Remove what can be fetched again, or what is named.",
)
@_what
@click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
def clear_command(options: Options, *, what: tuple[str, ...], yes: bool, as_json: bool) -> int:
    """Remove what can be fetched again, and say how much that frees.

    Acknowledgements, notes, the audit log, reports, tokens and the like stay, unless
    --what names each; then each is asked for by itself. --yes answers for all that is
    named; without a terminal it has to. What a dashboard that is open has in memory it
    writes again with its next change: close it first.
    """
    from platui.cli.commands.cache.clear import clear_what_is_kept  # noqa: PLC0415  (as above)

    return clear_what_is_kept(options, what, yes=yes, as_json=as_json)
