"""`platui schedules`: `platui schedule list`, for who types it like its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.list_options import list_epilog, lists

if TYPE_CHECKING:
    from platui.cli.list_options import Asked
    from platui.config.settings import Options

_EXAMPLES: Final = """
schedules acme/etl
schedules etl --json | jq 'select(.active | not)'
"""
NO_LIST: Final = """\b
Where the platform lists no schedules, those that platui created are printed,
as they were then, and the exit code is 4.
"""


@click.command("schedules", epilog=list_epilog(_EXAMPLES, NO_LIST))
@click.argument("project", nargs=-1, metavar="PROJECT")
@lists
@click.pass_obj
def schedules_command(options: Options, *, project: tuple[str, ...], asked: Asked) -> int:
    """List the schedules of PROJECT: when each runs next, and whose it is.

    PROJECT is a path or the end of one, an id, or an address. `platui schedule`
    creates, changes and runs them.
    """
    from platui.cli.list_schedules import list_schedules  # noqa: PLC0415  (not for its help)

    return list_schedules(options, project, asked, "platui schedules --help")
