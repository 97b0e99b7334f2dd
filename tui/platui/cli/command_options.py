"""Options shared by commands: JSON, confirmation of writes, waiting, global options."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.completions import files, first_project, profiles
from platui.cli.exit_codes import Exit, exit_code_table
from platui.cli.options import FILE, GLOBAL_OPTIONS
from platui.config.settings import Options
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.cli.options import GlobalOption

    Command = Callable[..., int]

_GLOBAL_OPTIONS_NOTE: Final = """\b
Global options (--profile, --url, --utc …) are accepted here as well.
"""

_WRITING: Final = (
    Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED, Exit.UNKNOWN, Exit.INTERRUPTED,
)  # fmt: skip
_WAITING: Final = (Exit.DONE, Exit.FAILED, *_WRITING[1:])
_WAITED: Final = """\b
Ctrl+C only stops waiting and prints how to resume it. If waiting ends before
the pipeline or job does, the exit code is 5.
"""

json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def epilog(examples: str, *codes: Exit, more: str = "") -> str:
    """Return the epilog of a help: `more`, examples (one command per line) and exit codes."""
    shown = "".join(f"  platui {line}\n" for line in examples.strip().splitlines())
    return f"""{_GLOBAL_OPTIONS_NOTE}
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
    layers = (json_option, with_global_options) if json else (with_global_options,)
    return declare_command(of, name, epilog(examples, *codes, more=more), *layers, **attrs)


def write_command(
    name: str, examples: str, *, of: Any = click, can_wait: bool = False, **attrs: Any
) -> Callable[[Command], click.Command]:
    """Declare a command that writes; with `can_wait` it takes --wait and --follow as `after`."""
    if not can_wait:
        return declare_command(of, name, epilog(examples, *_WRITING), _with_write_options, **attrs)
    epilog_text = epilog(examples, *_WAITING, more=_WAITED)
    return declare_command(of, name, epilog_text, _with_write_options, _with_wait_options, **attrs)


def declare_command(
    of: Any, name: str, epilog_text: str, *layers: Callable[[Command], Command], **attrs: Any
) -> Callable[[Command], click.Command]:
    """Declare a command whose function takes `Options`, its own options and those of `layers`."""

    def declare(function: Command) -> click.Command:
        own = function.__dict__.pop("__click_params__", [])
        taken: Any = click.pass_obj(function)
        for layer in reversed(layers):
            taken = layer(taken)
        taken.__click_params__ += own  # click lists the last one first
        made: click.Command = of.command(name, epilog=epilog_text, **attrs)(taken)
        return made

    return declare


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Options of a write: confirmation and output."""

    yes: bool = False
    unlock: str = ""  # The profile's name
    dry_run: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class WaitOptions:
    """Options for waiting for a started pipeline or job."""

    wait: bool = False
    follow: bool = False

    @property
    def waits(self) -> bool:
        return self.wait or self.follow


def _with_write_options(function: Command) -> Command:
    @wraps(function)
    def with_manner(
        *words: Any, yes: bool, unlock: str, dry_run: bool, as_json: bool, **rest: Any
    ) -> int:
        if rest.get("follow") and as_json:
            raise ConfigError("Give --json or --follow, not both.")
        return function(*words, write_options=WriteOptions(yes, unlock, dry_run, as_json), **rest)

    return with_options(
        with_global_options(with_manner),
        click.option("-y", "--yes", is_flag=True, help="Do not ask for confirmation."),
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


def _with_wait_options(function: Command) -> Command:
    @wraps(function)
    def with_after(*words: Any, wait: bool, follow: bool, **rest: Any) -> int:
        return function(*words, after=WaitOptions(wait, follow), **rest)

    return with_options(
        with_after,
        click.option("-w", "--wait", is_flag=True, help="Wait until it ends."),
        click.option("-f", "--follow", is_flag=True, help="Print the logs until it ends."),
    )


def of_pipeline_or_job(function: Command) -> Command:
    return with_options(
        function,
        click.argument(
            "words", nargs=-1, metavar="(URL | PROJECT PIPELINE)", shell_complete=first_project
        ),
        click.option("--job", is_flag=True, help="The number is a job id."),
    )


def with_global_options(function: Command, *, only: Sequence[str] = (), **listed: str) -> Command:
    """Accept global options (or `only` some) after a command; `listed` has help to show."""
    taken = (one for one in GLOBAL_OPTIONS if not only or one.name in only)
    return with_options(function, *(_global(one, listed.get(one.name, "")) for one in taken))


def listed_global_options(function: Command) -> Command:
    return with_options(function, *(_global(one, one.help) for one in GLOBAL_OPTIONS))


class _Unlisted(click.Option):
    def get_help_record(self, ctx: click.Context) -> None:
        del ctx


def _global(option: GlobalOption, listed: str) -> Callable[[Command], Command]:
    def take(context: click.Context, _: click.Parameter, value: Any) -> None:
        if value == "" and context.parent is None:
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


def with_options(function: Command, *options: Callable[[Command], Command]) -> Command:
    for option in reversed(options):
        function = option(function)
    return function
