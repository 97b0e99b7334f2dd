"""Show the stores on this machine, their sizes and limits; clear them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import command, yes_option
from platui.cli.completions import words_of
from platui.cli.exit_codes import Exit
from platui.core.lazy_module import LazyModule

if TYPE_CHECKING:
    from platui.cli.commands.cache import stores
    from platui.config.settings import Options
else:
    stores = LazyModule("platui.cli.commands.cache.stores")

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
STORE is one of these, or several separated by commas. Can be fetched again:
pages, logs, quota, places. Cannot: choices, triage, sent, audit, reports,
tokens, copied, damaged. `platui cache info` describes each.
"""


@command("cache", "cache info\ncache clear", cls=click.Group)
def cache_command(_: Options) -> None:
    """Show or clear the local data of platui.

    Sends no requests; dashboards may keep running.
    """


def _stores() -> list[str]:
    from platui.store.storage_usage import STORES  # noqa: PLC0415  (not for its help)

    return [one.name for one in STORES]


_what = click.option(
    "--what",
    metavar="STORE",
    multiple=True,
    shell_complete=words_of(_stores),
    help="Only this store; repeatable.",
)


@command("info", _INFO, of=cache_command, more=_NAMES, json=True)
@_what
def info_command(options: Options, *, what: tuple[str, ...], as_json: bool) -> None:
    """Show sizes, limits and owners of local data.

    With --profile NAME, only that of the profile and its platform, even if NAME was
    removed from config.toml.
    """
    stores.print_stores(options, what, as_json=as_json)


@command(
    "clear",
    _CLEAR,
    Exit.DONE,
    Exit.USAGE,
    Exit.INTERRUPTED,
    of=cache_command,
    more=_NAMES,
    json=True,
)
@_what
@yes_option
def clear_command(options: Options, *, what: tuple[str, ...], yes: bool, as_json: bool) -> int:
    """Remove cached data, or the named stores.

    Without --what, removes only data that can be fetched again. Other stores need their
    own confirmation. --yes confirms all; it is required without a terminal. Close the
    dashboard first: it writes its data from memory again.
    """
    return stores.clear_stores(options, what, yes=yes, as_json=as_json)
