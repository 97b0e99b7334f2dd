"""The help of a command, or a page of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from platui.cli.command_help import help_of, subcommand
from platui.cli.command_options import epilog, with_global_options
from platui.cli.exit_codes import Exit

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _complete(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    above: click.Context | None = context.find_root()
    for word in context.params["words"] or ():
        above = subcommand(above, word) if above is not None else None
    return [] if above is None else above.command.shell_complete(above, begin)


@click.command(
    "help",
    epilog=epilog("help schedule run\nhelp safety"),
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
    """Show the help of a command, or a documentation topic."""
    root = context.find_root()
    text = help_of(root, *words)
    if text is not None:
        print(text)
        return Exit.DONE
    from platui.cli.commands.docs import docs_command  # noqa: PLC0415  (for topics only)

    result: int = context.invoke(docs_command, words=words)
    return result
