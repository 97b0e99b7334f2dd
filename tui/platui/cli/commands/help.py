"""`platui help`, and the help of all commands as one document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import epilog, with_global_options
from platui.cli.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.shell_completion import CompletionItem

_RULE: Final = "-" * 78


def walk(context: click.Context) -> Iterator[click.Context]:
    yield context
    for name in _names(context):
        below = _below(context, name)
        if below is not None and not below.command.hidden:
            yield from walk(below)


def every_help(root: click.Context) -> Iterator[str]:
    first, *others = walk(root)
    yield f"{first.get_help()}\n"
    for context in others:
        yield f"{_RULE}\n{context.command_path}\n{_RULE}\n{context.get_help()}\n"


def help_of(root: click.Context, *words: str) -> str | None:
    """Return the help of a command, as `schedule` or `schedule run`; None: unknown command."""
    context: click.Context | None = root
    for word in words:
        context = _below(context, word) if context is not None else None
    return None if context is None else context.get_help()


def _complete(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    above: click.Context | None = context.find_root()
    for word in context.params["words"] or ():
        above = _below(above, word) if above is not None else None
    return [] if above is None else above.command.shell_complete(above, begin)


@click.command(
    "help",
    epilog=epilog(Exit.DONE, Exit.USAGE, examples="help schedule run\nhelp safety"),
)
@click.argument(
    "words",
    nargs=-1,
    metavar="[COMMAND]",
    shell_complete=_complete,
)
@with_global_options
@click.pass_context
def help_command(context: click.Context, /, *, words: tuple[str, ...]) -> int:
    """Print the help of a command, as its --help does; of another word the page in the docs."""
    root = context.find_root()
    text = help_of(root, *words)
    if text is not None:
        print(text)
        return Exit.DONE
    from platui.cli.commands.docs import docs_command  # noqa: PLC0415  (where no command is meant)

    result: int = context.invoke(docs_command, words=words)
    return result


def _names(context: click.Context) -> list[str]:
    group = context.command
    return group.list_commands(context) if isinstance(group, click.Group) else []


def _below(context: click.Context, name: str) -> click.Context | None:
    if name not in _names(context) or not isinstance(context.command, click.Group):
        return None
    command = context.command.get_command(context, name)
    if command is None:
        return None
    return command.make_context(name, [], parent=context, resilient_parsing=True)
