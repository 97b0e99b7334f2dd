"""From arguments to the one thing that was meant."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final

from platui.cli.exits import Exit, exit_code_of, hint_of
from platui.cli.options import (
    DEMO,
    DEMO_HELP,
    HELP,
    HELP_ALL,
    HELP_NAMES,
    HELP_TOO,
    LOG,
    opens,
    split,
)
from platui.core.errors import ConfigError, PlatuiError
from platui.core.text import as_sentence, clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    import click

    from platui.config.settings import Options

COMMANDS: Final = {
    name: (f"platui.cli.{name}", f"{name}_command")
    for name in (
        "emulator", "init", "doctor",
        "namespaces", "projects", "pipelines", "pipeline", "jobs", "job", "schedules", "file",
        "run", "trigger", "wait", "cancel", "retry", "play", "schedule", "project",
        "audit", "cache", "triage", "report", "config", "keys", "docs", "themes", "completion",
    )
}  # fmt: skip
"""Name of a command -> its module and the command in it."""


_AT_A_TAB: Final = ["completion", "words"]
"""What the scripts of `platui completion` ask; read by hand, as nobody waits for a parser then."""


def dispatch(arguments: Sequence[str]) -> int:
    """Do what the arguments say; returns the exit code."""
    try:
        options, asked, rest = split(arguments)
        if asked == "--version":
            from platui import __version__  # noqa: PLC0415  (nothing else is needed)

            print(f"platui {__version__}")
            return 0
        if asked == HELP_ALL:
            from platui.cli.all_help import every_help  # noqa: PLC0415  (it imports every command)

            print("\n".join(every_help()), end="")
            return 0
        if asked:
            print(DEMO_HELP if rest[:1] == [DEMO] else HELP, end="")
            return 0
        if len(rest) > 1 and (rest[0] == DEMO or opens(rest[0])):
            raise ConfigError(f"What is {clean(rest[1])} meant to be?", hint="platui --help")
        return _run(rest, options)
    except PlatuiError as error:
        complain(error)
        return exit_code_of(error)


def _run(rest: list[str], options: Options) -> int:
    """Do what is left besides the global options; returns the exit code."""
    if not rest or opens(rest[0]):
        from platui.cli.dashboard import run_dashboard  # noqa: PLC0415  (only when meant)

        return run_dashboard(options, rest[0] if rest else None)
    if rest[0] == DEMO:
        from platui.cli.demo import run_demo  # noqa: PLC0415  (only when meant)

        return run_demo(options)
    if rest[0] == LOG:
        from platui.cli.log import run_log  # noqa: PLC0415  (only when meant)

        return run_log(options, rest[1:])
    if rest[:2] == _AT_A_TAB:
        from platui.cli.completing import print_completed  # noqa: PLC0415  (at each tab only)

        print_completed(rest[2:], os.environ)
        return 0
    if rest[0] == HELP_TOO:
        return _help(rest[1:], options)
    return _command(rest, options)


def _help(words: list[str], options: Options) -> int:
    """Print the help of a command; the docs of what is none."""
    from platui.cli.all_help import help_of  # noqa: PLC0415  (only when meant)

    told = help_of(*words) if words else HELP
    if told is None:
        return _command(["docs", *words], options)
    print(told, end="")
    return 0


def _command(words: list[str], options: Options) -> int:
    """Run a command that click reads; only its own module is imported."""
    name, *arguments = words
    if name not in COMMANDS:
        from platui.cli.naming import file_hint, nearest  # noqa: PLC0415  (on a mistake only)

        near = nearest(name, [*COMMANDS, DEMO, LOG])
        hint = f"Did you mean {near}?" if near else "platui --help lists them."
        raise ConfigError(f"There is no command {clean(name)}.", hint=file_hint(name) or hint)
    import click  # noqa: PLC0415  (the dashboard does without)

    module, attribute = COMMANDS[name]
    command: click.Command = getattr(import_module(module), attribute)
    try:
        # Not its `main`, which has ends of its own for interrupts and for pipes that close.
        with command.make_context(
            f"platui {name}", arguments, obj=options, help_option_names=HELP_NAMES
        ) as context:
            result = command.invoke(context)
    except click.exceptions.Exit as asked:
        return asked.exit_code
    except click.exceptions.NoArgsIsHelpError as asked:
        print(asked.format_message(), file=sys.stderr)  # it is a mistake: stdout is data
        return Exit.USAGE
    except click.ClickException as error:
        raise _in_our_words(error) from None
    except click.Abort:
        return Exit.INTERRUPTED
    return result if isinstance(result, int) else 0


def complain(error: PlatuiError) -> None:
    """Say an error on stderr, in one or two lines."""
    tell(error.sentence, error)


def tell(sentence: str, error: PlatuiError) -> None:
    """Say a sentence about an error on stderr, and what can be done, in a line of its own."""
    lines = [line for line in (*sentence.splitlines(), hint_of(error)) if line]
    print("platui: " + "\n        ".join(clean(line) for line in lines), file=sys.stderr)


def _in_our_words(error: click.ClickException) -> ConfigError:
    """Return what click says of words that it does not take, and where the right ones are told."""
    context = getattr(error, "ctx", None)
    where = "platui" if context is None else context.command_path
    return ConfigError(as_sentence(error.format_message()), hint=f"{where} --help")
