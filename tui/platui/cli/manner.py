"""Options that commands have in common: how a write is asked for, and what comes after it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.exits import Exit, table_of
from platui.config.settings import Options
from platui.core.errors import ConfigError
from platui.core.paths import typed_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Command = Callable[..., int]

_ELSEWHERE: Final = """\b
The options of platui itself (--profile, --url, --utc …) may stand here too.
"""

_WRITING: Final = (
    Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED, Exit.UNKNOWN, Exit.INTERRUPTED,
)  # fmt: skip
_WAITING: Final = (Exit.DONE, Exit.FAILED, *_WRITING[1:])


def epilog(*codes: Exit, examples: str, more: str = "") -> str:
    """Return what stands below a command's options: examples, exit codes, and what else counts.

    Args:
        codes: those that it ends with.
        examples: commands as they are typed, a line each, without `platui`.
        more: paragraphs between them.
    """
    shown = "".join(f"  platui {line}\n" for line in examples.strip().splitlines())
    return f"""{_ELSEWHERE}
{more}
\b
Examples:
{shown}
\b
Exit codes:
{table_of(*codes)}"""


def write_epilog(examples: str) -> str:
    """Return what stands below the options of a write."""
    return epilog(*_WRITING, examples=examples)


def waiting_epilog(examples: str) -> str:
    """Return what stands below the options of a write whose end can be waited for."""
    more = """\b
Ctrl+C ends the waiting only, and says how to go on with it. Where that ends
otherwise than by the end of what was started, the exit code is 5.
"""
    return epilog(*_WAITING, examples=examples, more=more)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a write is asked for and told of."""

    yes: bool = False
    """Whether the question is answered already."""
    unlock: str = ""
    """The profile's name, typed to open its lock."""
    dry_run: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class After:
    """What is done once a pipeline or job is on its way."""

    wait: bool = False
    follow: bool = False
    """Whether its log is printed; then it is waited for, too."""

    @property
    def waits(self) -> bool:
        """Return whether the command ends with the pipeline or job."""
        return self.wait or self.follow


def writes(function: Command) -> Command:
    """Give a command the options of every write, as `manner`; and those of platui itself."""

    @wraps(function)
    def with_manner(
        *words: Any, yes: bool, unlock: str, dry_run: bool, as_json: bool, **rest: Any
    ) -> int:
        if rest.get("follow") and as_json:
            raise ConfigError("--json is one object, --follow a log: either of them.")
        return function(*words, manner=Manner(yes, unlock, dry_run, as_json), **rest)

    return with_global_options(
        _with(
            with_manner,
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
    )


def waits(function: Command) -> Command:
    """Give a command --wait and --follow, as `after`. Stands below `writes`."""

    @wraps(function)
    def with_after(*words: Any, wait: bool, follow: bool, **rest: Any) -> int:
        return function(*words, after=After(wait, follow), **rest)

    return _with(
        with_after,
        click.option("-w", "--wait", is_flag=True, help="Wait for its end."),
        click.option(
            "-f", "--follow", is_flag=True, help="Print the logs as they come, to its end."
        ),
    )


def with_global_options(function: Command, **told: str) -> Command:
    """Let the options of platui itself stand behind a command, too.

    Args:
        function: the command.
        told: help for those that its own help lists as well.
    """
    flags = ("read_only", "ascii", "utc")
    paths = ("config", "debug")
    words = ("profile", "url")
    return _with(
        function,
        *(_global(name, told, is_flag=True, flag_value=True, default=None) for name in flags),
        *(_global(name, told, type=click.Path(path_type=Path)) for name in paths),
        *(_global(name, told) for name in words),
    )


def json_option(function: Command) -> Command:
    """Give a command --json, as `as_json`."""
    option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    return option(function)


def _global(name: str, told: Mapping[str, str], **kind: Any) -> Callable[[Command], Command]:
    def take(context: click.Context, _: click.Parameter, value: Any) -> None:
        if value is not None:
            value = typed_path(str(value)) if isinstance(value, Path) else value
            context.obj = replace(context.ensure_object(Options), **{name: value})

    dashed = f"--{name.replace('_', '-')}"
    shown: dict[str, Any] = {"help": told[name]} if name in told else {"hidden": True}
    return click.option(dashed, callback=take, expose_value=False, **shown, **kind)


def _with(function: Command, *options: Callable[[Command], Command]) -> Command:
    """Return the command with options, in the order in which they are told."""
    for option in reversed(options):
        function = option(function)
    return function
