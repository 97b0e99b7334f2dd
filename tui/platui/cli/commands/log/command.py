"""`platui log`: show or print the log of a job, or a saved log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import command
from platui.cli.completions import files, first_project
from platui.cli.exit_codes import Exit
from platui.cli.list_options import READING
from platui.cli.log_options import LogOptions, check_log_options
from platui.config.environment import harden
from platui.core.errors import ConfigError
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.config.settings import Options

_EXAMPLES: Final = """
log https://platform.example.com/acme/etl/-/jobs/412
log acme/etl dbt_run --follow | tee run.log
log acme/etl dbt_run --ref main --errors
log --file job.log
"""
_ENDS: Final = (Exit.DONE, Exit.FAILED, *READING[1:], Exit.NO_READER)


def _value(_: click.Context, param: click.Parameter, value: str | None) -> str:
    if value == "":
        raise ConfigError(f"The option {param.opts[0]} needs a word after it.")
    return value or ""


def _one_file(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> str:
    if len(value) > 1:
        raise ConfigError("One --file at a time.", hint="platui log --help")
    return value[0] if value else ""


def _pipeline(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    number = value.removeprefix("#")
    if not (number.isascii() and number.isdecimal() and len(number) <= 18):  # noqa: PLR2004
        raise ConfigError(f"--pipeline: {shorten(value, 60)} is no id of a pipeline.")
    return int(number)


@command("log", _EXAMPLES, *_ENDS)
@click.argument("target", nargs=-1, metavar="(URL | PROJECT JOB | --file FILE)",
                shell_complete=first_project)  # fmt: skip
@click.option(
    "--file", multiple=True, metavar="FILE", callback=_one_file, shell_complete=files,
    help="A saved log, - for standard input; needs no profile and no network.",
)  # fmt: skip
@click.option(
    "-f", "--follow", is_flag=True,
    help="* Print lines as they come, until the job ends; a file is viewed as it grows, also on "
    "a terminal.",
)  # fmt: skip
@click.option(
    "--errors", is_flag=True,
    help="* Only the lines with errors, numbered, with 2 lines around them.",
)  # fmt: skip
@click.option("--section", metavar="NAME", callback=_value, help="* Only the section of that name.")
@click.option(
    "--stamps", is_flag=True,
    help="* The time of every line before it (UTC), where the log has times.",
)  # fmt: skip
@click.option(
    "--raw", is_flag=True,
    help="* The very bytes of the platform; on a terminal they are cleaned.",
)  # fmt: skip
@click.option(
    "--color", type=click.Choice(("auto", "always", "never")), metavar="WHEN", callback=_value,
    help="* auto (the default: colours on a terminal without NO_COLOR), always (also with "
    "NO_COLOR), never.",
)  # fmt: skip
@click.option(
    "--pipeline", metavar="ID", callback=_pipeline,
    help="The pipeline that a JOB given by name is of.",
)  # fmt: skip
@click.option(
    "--ref", metavar="REF", callback=_value,
    help="The branch or tag whose newest pipeline it is of; not with a JOB by its id.",
)  # fmt: skip
def log_command(options: Options, /, **asked: Any) -> int:
    """Show the log of a job, or a saved log.

    On a terminal it opens in the dashboard's own view; into a pipe, or with one
    of the options marked *, it is printed as plain text: no control byte, no
    escape sequence, progress in its last state.

    PROJECT is a path or the end of one, or an id. JOB is an id, or a name: then
    it is the newest attempt of that job in the project's newest pipeline, or in
    the one that --pipeline or --ref names. A URL that ends in #L50 opens at
    line 50.
    """
    wanted = LogOptions(**asked)
    check_log_options(wanted)
    return run_log(options, wanted)


def run_log(options: Options, wanted: LogOptions) -> int:
    environ = harden()
    # What the one way needs, the other is not to wait for.
    if wanted.file:
        from platui.cli.commands.log.file import run_file  # noqa: PLC0415  (not for help or completion)

        return run_file(wanted, options, environ)
    from platui.cli.commands.log.job import run_job  # noqa: PLC0415  (not for help or completion)

    return run_job(wanted, options, environ)
