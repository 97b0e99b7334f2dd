"""`platui run`: start a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import with_options, write_command
from platui.cli.completions import first_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.config.settings import Options

SECRETS: Final = """\
A secret is never given in clear: --secret KEY asks for its value, --secret KEY=@FILE
reads a file (@- standard input), --secret KEY=env:NAME a variable of the environment.
"""
_HELP: Final = f"""\
Start a pipeline of PROJECT: a path or the end of one, an id or an address.

It says what it is about to do and asks, unless --yes says so already. On stdout is
the id of the new pipeline and its address, with a tab between; with --follow its logs.

{SECRETS}
"""
_EXAMPLES: Final = """
run acme/etl --ref main --file nightly-ci.yml --var DAY=2026-03-14
run acme/etl --ref main --secret K=env:KEY --unlock prod --yes --wait
"""


def starts(function: Callable[..., int]) -> Callable[..., int]:
    return with_options(
        function,
        click.argument("project", nargs=-1, metavar="PROJECT", shell_complete=first_project),
        click.option("--ref", required=True, metavar="REF", help="Branch or tag to run on."),
        click.option(
            "--file",
            default="",
            metavar="PATH",
            help="Pipeline file in the repository; the project's own where left out.",
        ),
        click.option(
            "--var",
            "pairs",
            metavar="KEY=VALUE",
            multiple=True,
            help="A variable. May be repeated.",
        ),
        click.option(
            "--secret",
            "secrets",
            metavar="KEY[=SOURCE]",
            multiple=True,
            help="A secret variable; see above. May be repeated.",
        ),
    )


@write_command("run", _EXAMPLES, can_wait=True, help=_HELP)
@starts
def run_command(options: Options, /, **words: Any) -> int:
    """Start a pipeline; returns the exit code."""
    from platui.cli.commands.run.start import start  # noqa: PLC0415  (not for help or completion)

    return start(options, **words, triggered=False)
