"""The help of a command, or a page of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from platui.cli.command_options import command
from platui.cli.group import help_of, subcommand

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from platui.config.settings import Options


def _complete(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    above: click.Context | None = context.find_root()
    for word in context.params["words"] or ():
        above = subcommand(above, word) if above is not None else None
    return [] if above is None else above.command.shell_complete(above, begin)


@command("help", "help schedule run\nhelp safety")
@click.argument("words", nargs=-1, metavar="[COMMAND]", shell_complete=_complete)
def help_command(_: Options, *, words: tuple[str, ...]) -> None:
    """Show the help of a command, or a documentation topic."""
    context = click.get_current_context()
    text = help_of(context.find_root(), *words)
    if text is not None:
        print(text)
        return
    from platui.cli.commands.docs import docs_command  # noqa: PLC0415  (for topics only)

    context.invoke(docs_command, words=words)
