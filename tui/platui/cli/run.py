"""`platui run`: start a pipeline with one's access token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from platui.cli.manner import waiting_epilog
from platui.cli.starting import SECRETS, start, starts

if TYPE_CHECKING:
    from platui.config.settings import Options

_HELP = f"""\
Start a pipeline of PROJECT: a path or the end of one, an id or an address.

It says what it is about to do and asks, unless --yes says so already. On stdout is
the id of the new pipeline and its address, with a tab between; with --follow its logs.

{SECRETS}
"""


_EXAMPLES = """
run acme/etl --ref main --file nightly-ci.yml --var DAY=2026-03-14
run acme/etl --ref main --secret K=env:KEY --unlock prod --yes --wait
"""


@click.command("run", help=_HELP, epilog=waiting_epilog(_EXAMPLES))
@starts
@click.pass_obj
def run_command(options: Options, /, **words: Any) -> int:
    """Start a pipeline; returns the exit code."""
    return start(options, **words, triggered=False)
