"""The help of a command without running it, and that of all of them as one document."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from platui.cli.dispatch import COMMANDS
from platui.cli.options import DEMO, DEMO_HELP, HELP, HELP_NAMES, LOG

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

_RULE = "-" * 78


def every_help() -> Iterator[str]:
    """Yield the help of platui, then that of each command and of each of theirs."""
    yield HELP
    for name in (DEMO, LOG, *COMMANDS):
        for words, text in helps_of(name):
            yield f"{_RULE}\nplatui {' '.join(words)}\n{_RULE}\n{text}"


def help_of(*words: str) -> str | None:
    """Return the help of a command, as `schedule` or `schedule run`; None: there is none."""
    if not words or words[0] not in {DEMO, LOG, *COMMANDS}:
        return None
    return next((text for called, text in helps_of(words[0]) if called == words), None)


def helps_of(name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the help of a command, then that of each of its own, each with how it is called."""
    if name == DEMO:
        yield (name,), DEMO_HELP
    elif name == LOG:
        from platui.cli.log_options import HELP as LOG_HELP  # noqa: PLC0415  (of this only)

        yield (name,), LOG_HELP
    else:
        for words, _, text in click_helps((name,), command_named(name)):
            yield words, text


def command_named(name: str) -> click.Command:
    """Return the command of a name that `COMMANDS` has."""
    module, attribute = COMMANDS[name]
    command: click.Command = getattr(import_module(module), attribute)
    return command


def click_helps(
    words: tuple[str, ...], command: click.Command
) -> Iterator[tuple[tuple[str, ...], click.Command, str]]:
    """Yield a command with its help, then those below it.

    Args:
        words: how it is called, without `platui`.
        command: the command itself.
    """
    import click  # noqa: PLC0415  (the dashboard does without)

    context = click.Context(
        command,
        info_name=f"platui {' '.join(words)}",
        max_content_width=80,
        help_option_names=HELP_NAMES,
    )
    yield words, command, command.get_help(context) + "\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from click_helps((*words, name), below)
