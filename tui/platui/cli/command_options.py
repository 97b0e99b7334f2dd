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

_ELSEWHERE: Final = """\b
The options of platui itself (--profile, --url, --utc …) may stand here too.
"""

_WRITING: Final = (
    Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED, Exit.UNKNOWN, Exit.INTERRUPTED,
)  # fmt: skip
_WAITING: Final = (Exit.DONE, Exit.FAILED, *_WRITING[1:])
_WAITED: Final = """\b
Ctrl+C ends the waiting only, and says how to go on with it. Where that ends
otherwise than by the end of what was started, the exit code is 5.
"""

json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def epilog(examples: str, *codes: Exit, more: str = "") -> str:
    """Return what stands below a command's options: examples, exit codes, and what else counts.

    Examples are a line each, without `platui`; `more` are paragraphs between. Without codes
    they are those of what asks no platform.
    """
    shown = "".join(f"  platui {line}\n" for line in examples.strip().splitlines())
    return f"""{_ELSEWHERE}
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
    """Declare a command (`of` a group), which takes --json last as `as_json` where it has it."""
    layers = (json_option, with_global_options) if json else (with_global_options,)
    return declare_command(of, name, epilog(examples, *codes, more=more), *layers, **attrs)


def write_command(
    name: str, examples: str, *, of: Any = click, can_wait: bool = False, **attrs: Any
) -> Callable[[Command], click.Command]:
    """Declare a command that writes; with `can_wait` it takes --wait and --follow as `after`."""
    if not can_wait:
        return declare_command(of, name, epilog(examples, *_WRITING), _writes, **attrs)
    below = epilog(examples, *_WAITING, more=_WAITED)
    return declare_command(of, name, below, _writes, _waits, **attrs)


def declare_command(
    of: Any, name: str, below: str, *layers: Callable[[Command], Command], **attrs: Any
) -> Callable[[Command], click.Command]:
    """Declare a command whose function gets the `Options`, then its own and those of `layers`."""

    def declare(function: Command) -> click.Command:
        own = function.__dict__.pop("__click_params__", [])
        taken: Any = click.pass_obj(function)
        for layer in reversed(layers):
            taken = layer(taken)
        taken.__click_params__ += own  # what comes last is listed first
        made: click.Command = of.command(name, epilog=below, **attrs)(taken)
        return made

    return declare


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How a write is asked for and told of."""

    yes: bool = False
    unlock: str = ""
    """The profile's name, typed to open its lock."""
    dry_run: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class WaitOptions:
    """What is done once a pipeline or job is on its way."""

    wait: bool = False
    follow: bool = False

    @property
    def waits(self) -> bool:
        return self.wait or self.follow


def _writes(function: Command) -> Command:
    @wraps(function)
    def with_manner(
        *words: Any, yes: bool, unlock: str, dry_run: bool, as_json: bool, **rest: Any
    ) -> int:
        if rest.get("follow") and as_json:
            raise ConfigError("--json is one object, --follow a log: either of them.")
        return function(*words, write_options=WriteOptions(yes, unlock, dry_run, as_json), **rest)

    return with_options(
        with_global_options(with_manner),
        click.option("-y", "--yes", is_flag=True, help="Do it without asking."),
        click.option(
            "--unlock",
            metavar="NAME",
            default="",
            help="The profile's name: opens one whose writes are locked, for this once.",
        ),
        click.option(
            "-n",
            "--dry-run",
            is_flag=True,
            help="Print the request, secrets masked; look what it is on, and change nothing.",
        ),
        json_option,
    )


def _waits(function: Command) -> Command:
    @wraps(function)
    def with_after(*words: Any, wait: bool, follow: bool, **rest: Any) -> int:
        return function(*words, after=WaitOptions(wait, follow), **rest)

    return with_options(
        with_after,
        click.option("-w", "--wait", is_flag=True, help="Wait for its end."),
        click.option(
            "-f", "--follow", is_flag=True, help="Print the logs as they come, to its end."
        ),
    )


def of_pipeline_or_job(function: Command) -> Command:
    return with_options(
        function,
        click.argument(
            "words", nargs=-1, metavar="(URL | PROJECT PIPELINE)", shell_complete=first_project
        ),
        click.option("--job", is_flag=True, help="The number is that of a job."),
    )


def with_global_options(function: Command, *, only: Sequence[str] = (), **told: str) -> Command:
    """Let global options (or `only` some) stand behind a command; `told` is help that it lists."""
    taken = (one for one in GLOBAL_OPTIONS if not only or one.name in only)
    return with_options(function, *(_global(one, told.get(one.name, "")) for one in taken))


def listed_global_options(function: Command) -> Command:
    return with_options(function, *(_global(one, one.help) for one in GLOBAL_OPTIONS))


class _Unlisted(click.Option):
    def get_help_record(self, ctx: click.Context) -> None:
        del ctx


def _global(declare_command: GlobalOption, listed: str) -> Callable[[Command], Command]:
    def take(context: click.Context, _: click.Parameter, value: Any) -> None:
        if value == "" and context.parent is None:
            raise click.BadOptionUsage(
                declare_command.flag, f"Option '{declare_command.flag}' needs a value.", context
            )
        if value is not None:
            value = declare_command.value_of(value) if isinstance(value, str) else value
            context.obj = context.ensure_object(Options)._replace(**{declare_command.name: value})

    kind: dict[str, Any] = {"is_flag": True, "flag_value": True, "default": None}
    if declare_command.metavar:
        values = {FILE: files, "NAME": profiles}.get(declare_command.metavar)
        kind = {"metavar": declare_command.metavar, "shell_complete": values}
    return click.option(
        declare_command.flag,
        cls=click.Option if listed else _Unlisted,
        callback=take,
        expose_value=False,
        help=listed or declare_command.help,
        **kind,
    )


def with_options(function: Command, *options: Callable[[Command], Command]) -> Command:
    for option in reversed(options):
        function = option(function)
    return function
