"""Start a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import with_options, write_command
from platui.cli.completions import first_project

if TYPE_CHECKING:
    from platui.cli.command_options import Command
    from platui.config.settings import Options

SECRETS: Final = """\
Do not put secrets on the command line: --secret KEY prompts for the value, KEY=@FILE
reads it from a file (@- for stdin), KEY=env:NAME from an environment variable.
"""
_HELP: Final = f"""\
Start a pipeline of PROJECT: a path or its end, an id or a URL.

Asks for confirmation unless --yes is given. Prints the id and URL of the new pipeline,
separated by a tab; with --follow, its logs.

{SECRETS}
"""
_EXAMPLES: Final = """
run acme/etl --ref main --file nightly-ci.yml --var DAY=2026-03-14
run acme/etl --ref main --secret K=env:KEY --unlock prod --yes --wait
"""


VARIABLES: Final = (
    click.option(
        "--var",
        "pairs",
        metavar="KEY=VALUE",
        multiple=True,
        help="Set a variable; repeatable.",
    ),
    click.option(
        "--secret",
        "secrets",
        metavar="KEY[=SOURCE]",
        multiple=True,
        help="Set a secret variable, see above; repeatable.",
    ),
)


def run_options(function: Command) -> Command:
    return with_options(
        function,
        click.argument("project", nargs=-1, metavar="PROJECT", shell_complete=first_project),
        click.option("--ref", required=True, metavar="REF", help="Branch or tag to run on."),
        click.option(
            "--file",
            default="",
            metavar="PATH",
            help="Pipeline file in the repository; default: that of the project.",
        ),
        *VARIABLES,
    )


@write_command("run", _EXAMPLES, can_wait=True, help=_HELP)
@run_options
def run_command(options: Options, /, **words: Any) -> int:
    """Start a pipeline."""
    from platui.cli.commands.run.start import start  # noqa: PLC0415  (not for help or completion)

    return start(options, **words, triggered=False)
