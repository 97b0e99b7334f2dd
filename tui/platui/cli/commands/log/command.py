"""Show or print the log of a job, or a saved log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import READING, command
from platui.cli.completions import files, first_project
from platui.cli.exit_codes import Exit
from platui.cli.log_options import LogOptions, check_log_options
from platui.cli.targets import number_of, take_pipeline
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
log --file failed.log --cause --against successful.log
"""


def _value(_: click.Context, param: click.Parameter, value: str | None) -> str:
    if value == "":
        raise ConfigError(f"{param.opts[0]} needs a value.")
    return value or ""


def _one_file(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> str:
    if len(value) > 1:
        raise ConfigError("Give --file only once.", hint="platui log --help")
    return value[0] if value else ""


def _pipeline(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    number = None if value is None else number_of(value.removeprefix("#"))
    if value is not None and number is None:
        raise ConfigError(f'--pipeline: invalid pipeline id "{shorten(value, 60)}".')
    return number


@command("log", _EXAMPLES, Exit.DONE, Exit.FAILED, *READING[1:], Exit.NO_READER)
@click.argument("target", nargs=-1, metavar="(URL | PROJECT JOB | --file FILE)",
                shell_complete=first_project)  # fmt: skip
@click.option(
    "--file", multiple=True, metavar="FILE", callback=_one_file, shell_complete=files,
    help="Show a saved log (- for stdin); needs no profile and no network.",
)  # fmt: skip
@click.option(
    "-f", "--follow", is_flag=True,
    help="* Print lines as they arrive, until the job ends; with --file on a terminal, "
    "follow it in the viewer.",
)  # fmt: skip
@click.option(
    "--errors", is_flag=True,
    help="* Print only lines with errors, numbered, with 2 lines of context.",
)  # fmt: skip
@click.option(
    "--cause", is_flag=True,
    help="* Print the line that failed the job, and how it was found.",
)  # fmt: skip
@click.option(
    "--against", metavar="FILE", callback=_value, shell_complete=files,
    help="With --file and --cause: the saved log of a successful run, to find new lines.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="With --cause: print JSON.")
@click.option("--section", metavar="NAME", callback=_value, help="* Print only this section.")
@click.option(
    "--stamps", is_flag=True,
    help="* Print the timestamp of each line (UTC), if the log has them.",
)  # fmt: skip
@click.option(
    "--raw", is_flag=True,
    help="* Print the log unchanged; on a terminal, without control characters.",
)  # fmt: skip
@click.option(
    "--color", type=click.Choice(("auto", "always", "never")), metavar="WHEN", callback=_value,
    help="* auto (default: on a terminal without NO_COLOR), always (even with NO_COLOR) or "
    "never.",
)  # fmt: skip
@click.option(
    "--pipeline", metavar="ID", callback=_pipeline,
    help="Find the JOB name in this pipeline.",
)  # fmt: skip
@click.option(
    "--ref", metavar="REF", callback=_value,
    help="Find the JOB name in the newest pipeline of this branch or tag.",
)  # fmt: skip
def log_command(options: Options, /, **asked: Any) -> int:
    """Show the log of a job, or a saved log.

    On a terminal it opens in the log viewer. In a pipe, or with an option marked *,
    it is printed as plain text without control characters.

    PROJECT is a path or its end, or an id. JOB is an id, or a name: the newest
    attempt in the project's newest pipeline (with --errors or --cause, the newest
    failed one), or in the one that --pipeline or --ref selects. A URL that ends with
    #L50 opens at line 50.
    """
    asked["target"], asked["pipeline"] = take_pipeline(asked["target"], asked["pipeline"])
    wanted = LogOptions(**asked)
    check_log_options(wanted)
    return run_log(options, wanted)


def run_log(options: Options, wanted: LogOptions) -> int:
    environ = harden()
    # Imported late, as either takes time to load.
    if wanted.file:
        from platui.cli.commands.log.file import run_file  # noqa: PLC0415  (not for help or completion)

        return run_file(wanted, options, environ)
    from platui.cli.commands.log.job import run_job  # noqa: PLC0415  (not for help or completion)

    return run_job(wanted, options, environ)
