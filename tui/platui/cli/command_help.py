"""The help of one command, and of all commands as one document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULE: Final = "-" * 78


def walk(context: click.Context) -> Iterator[click.Context]:
    yield context
    for name in _names(context):
        found = subcommand(context, name)
        if found is not None and not found.command.hidden:
            yield from walk(found)


def every_help(root: click.Context) -> Iterator[str]:
    first, *others = walk(root)
    yield f"{first.get_help()}\n"
    for context in others:
        yield f"{_RULE}\n{context.command_path}\n{_RULE}\n{context.get_help()}\n"


def help_of(root: click.Context, *words: str) -> str | None:
    """Return the help of a command such as `schedule run`; None: unknown command."""
    context: click.Context | None = root
    for word in words:
        context = subcommand(context, word) if context is not None else None
    return None if context is None else context.get_help()


def _names(context: click.Context) -> list[str]:
    group = context.command
    return group.list_commands(context) if isinstance(group, click.Group) else []


def subcommand(context: click.Context, name: str) -> click.Context | None:
    if name not in _names(context) or not isinstance(context.command, click.Group):
        return None
    command = context.command.get_command(context, name)
    if command is None:
        return None
    return command.make_context(name, [], parent=context, resilient_parsing=True)
