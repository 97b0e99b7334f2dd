"""Options shared by commands: lists, JSON, confirmation of writes, waiting, global options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.completions import files, first_project, profiles, words_of
from platui.cli.connection import WriteOptions
from platui.cli.exit_codes import Exit, exit_code_table
from platui.cli.options import FILE, GLOBAL_OPTIONS, GlobalOption
from platui.cli.output.progress import print_notice
from platui.cli.targets import Kind
from platui.config.settings import Options
from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import did_you_mean, nearest
from platui.core.text import shorten
from platui.present.status import STATUSES

if TYPE_CHECKING:
    Command = Callable[..., int | None]
    Option = Callable[[Any], Any]

LIMIT: Final = 50

# Exit codes of reads
READING: Final = (Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED, Exit.INTERRUPTED)
_WRITING: Final = (
    Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED, Exit.UNKNOWN, Exit.INTERRUPTED,
)  # fmt: skip
_WAITING: Final = (Exit.DONE, Exit.FAILED, *_WRITING[1:])
_FORMS: Final = """\b
Prints a table, fitted to the terminal; in a pipe, texts are not cut.
--json prints one object per line, --csv a header and one line per record,
without spreadsheet formulas; both have times in ISO 8601.
"""
_WAITED: Final = """\b
Ctrl+C only stops waiting and prints how to resume it. If waiting ends before
the pipeline or job does, the exit code is 5.
"""

json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
yes_option: Final = click.option("-y", "--yes", is_flag=True, help="Do not ask for confirmation.")
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
_WRITE_OPTIONS: Final = (
    yes_option,
    click.option(
        "--unlock",
        metavar="NAME",
        default="",
        help="Unlock the writes of this profile for one command.",
    ),
    click.option(
        "-n",
        "--dry-run",
        is_flag=True,
        help="Check the target and print the request, secrets masked; send nothing.",
    ),
    json_option,
)
_WAIT_OPTIONS: Final = (
    click.option("-w", "--wait", is_flag=True, help="Wait until it ends."),
    click.option("-f", "--follow", is_flag=True, help="Print the logs until it ends."),
)


def epilog(examples: str, *codes: Exit, more: str = "") -> str:
    """Return the epilog of a help: `more`, examples (one command per line) and exit codes."""
    shown = "".join(f"  platui {line}\n" for line in examples.strip().splitlines())
    return f"""\b
Global options (--profile, --url, --utc …) are accepted here as well.

{more}
\b
Examples:
{shown}
\b
Exit codes:
{exit_code_table(*(codes or (Exit.DONE, Exit.USAGE)))}"""


def command(
    name: str,
    examples: str,
    *codes: Exit,
    of: Any = click,
    more: str = "",
    json: bool = False,
    **attrs: Any,
) -> Callable[[Command], click.Command]:
    """Declare a command (`of` a group), with --json (`as_json`) on request."""
    shared = (json_option, *GLOBAL) if json else GLOBAL
    return declare_command(of, name, epilog(examples, *codes, more=more), shared, **attrs)


def write_command(
    name: str, examples: str, *, of: Any = click, can_wait: bool = False, **attrs: Any
) -> Callable[[Command], click.Command]:
    """Declare a command that writes, with its `write_options`; `can_wait`: --wait and --follow."""
    codes, more = (_WAITING, _WAITED) if can_wait else (_WRITING, "")
    shared = (*_WRITE_OPTIONS, *GLOBAL, *(_WAIT_OPTIONS if can_wait else ()))

    def declare(function: Command) -> click.Command:
        @wraps(function)
        def with_write_options(options: Options, /, **given: Any) -> int | None:
            own = {one: given.pop(one) for one in WriteOptions._fields if one in given}
            write_options = WriteOptions(**own)
            if write_options.follow and write_options.as_json:
                raise ConfigError("Give --json or --follow, not both.")
            _check_encoding(given.values())
            return function(options, write_options=write_options, **given)

        epilog_text = epilog(examples, *codes, more=more)
        return declare_command(of, name, epilog_text, shared, **attrs)(with_write_options)

    return declare


def _check_encoding(given: Iterable[object]) -> None:
    """Raises ConfigError: an argument cannot be sent, and a write must not replace its bytes."""
    for value in given:
        for word in value if isinstance(value, tuple) else (value,):
            try:
                str(word).encode()
            except UnicodeEncodeError as error:
                raise ConfigError("An argument is not UTF-8. Nothing was sent.") from error


def declare_command(
    of: Any, name: str, epilog_text: str, shared: Sequence[Option], **attrs: Any
) -> Callable[[Command], click.Command]:
    """Declare a command whose function takes `Options`, its own options and the `shared` ones."""

    def declare(function: Command) -> click.Command:
        made: click.Command = of.command(name, epilog=epilog_text, **attrs)(
            click.pass_obj(function)
        )
        for option in shared:
            option(made)
        return made

    return declare


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


class ListOptions(NamedTuple):
    """Number of records to print, and the output format."""

    limit: int | None = LIMIT  # None: all
    form: str = ""  # `json`, `csv`; empty: table


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
            meant = f"{did_you_mean(nearest(word, known))} Known values: {', '.join(known)}."
            print_notice(
                f"Unknown {option} {shorten(word, 60)}; sending it anyway. {meant.lstrip()}"
            )


def status_option(name: str, help_text: str, *, multiple: bool = False) -> Option:
    """Return `--status`: known statuses, in upper or lower case."""

    def known(_: click.Context, __: click.Parameter, given: Any) -> Any:
        words = [word.lower() for word in (given if multiple else (given,))]
        for word in words:
            if word and word not in STATUSES:
                raise ConfigError(
                    f'Unknown status "{shorten(word, 60)}".',
                    hint=f"{did_you_mean(nearest(word, STATUSES))} "
                    f"Statuses: {', '.join(STATUSES)}.".lstrip(),
                )
        return tuple(words) if multiple else words[0]

    return click.option(
        "--status", name, multiple=multiple, default=None if multiple else "", metavar="STATUS",
        help=help_text, shell_complete=words_of(STATUSES), callback=known,
    )  # fmt: skip


def of_pipeline_or_job(function: Command, names: str = "PIPELINE") -> Command:
    """Add the arguments `words`, which `names` says, and `--job` as their `kind`."""
    return with_options(
        function,
        click.argument(
            "words",
            nargs=-1,
            metavar=f"(URL | PROJECT {names})",
            shell_complete=first_project,
        ),
        click.option(
            "--job",
            "kind",
            is_flag=True,
            help="The number is a job id.",
            callback=lambda _, __, is_job: Kind.JOB if is_job else Kind.PIPELINE,
        ),
    )


def of_pipeline_or_named_job(function: Command) -> Command:
    """Do the same where the job may be given by its name."""
    return of_pipeline_or_job(function, "(PIPELINE | JOB)")


def find_job_options(function: Command) -> Command:
    """Add `--pipeline` and `--ref`, which select the pipeline of a job's name."""
    return with_options(
        function,
        click.option("--pipeline", type=click.IntRange(1), metavar="ID",
                     help="Find the JOB name in this pipeline."),
        click.option("--ref", default="", metavar="REF",
                     help="Find the JOB name in the newest pipeline of this branch or tag."),
    )  # fmt: skip


def global_options(listed: Mapping[str, str], *, others: bool = True) -> Option:
    """Accept the global options: those `listed` with their help, `others` without."""
    taken = (one for one in GLOBAL_OPTIONS if others or one.name in listed)
    options = [_global(one, listed.get(one.name, "")) for one in taken]
    return lambda function: with_options(function, *options)


class _Unlisted(click.Option):
    def get_help_record(self, ctx: click.Context) -> None:
        del ctx


def _global(option: GlobalOption, listed: str = "") -> Option:
    def take(context: click.Context, _: click.Parameter, value: Any) -> None:
        if value == "":
            if context.resilient_parsing:
                return
            raise click.BadOptionUsage(
                option.flag, f"Option '{option.flag}' needs a value.", context
            )
        if value is not None:
            value = option.value_of(value) if isinstance(value, str) else value
            context.obj = context.ensure_object(Options)._replace(**{option.name: value})

    kind: dict[str, Any] = {"is_flag": True, "flag_value": True, "default": None}
    if option.metavar:
        values = {FILE: files, "NAME": profiles}.get(option.metavar)
        kind = {"metavar": option.metavar, "shell_complete": values}
    return click.option(
        option.flag,
        cls=click.Option if listed else _Unlisted,
        callback=take,
        expose_value=False,
        help=listed or option.help,
        **kind,
    )


def with_options(function: Command, *options: Option) -> Command:
    for option in reversed(options):
        function = option(function)
    return function


GLOBAL: Final = tuple(map(_global, GLOBAL_OPTIONS))
