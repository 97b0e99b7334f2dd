"""What a word of a command that click reads may become, as click knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import BashComplete

from platui.cli.completing import FILE, Word
from platui.config.settings import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

_MANY = 2


def words_of_click(
    command: click.Command, called: str, given: Sequence[str], begin: str
) -> tuple[list[Word], str]:
    """Return what click offers, and what else is wanted: the metavar of an option or argument.

    Args:
        command: the command.
        called: its name, as it is typed.
        given: the words before.
        begin: the word as far as it is typed.
    """
    offered = BashComplete(command, {"obj": Options()}, called, "").get_completions(
        list(given), begin
    )
    found = [
        FILE if one.type in {"file", "dir"} else Word(str(one.value), one.help or "")
        for one in offered
    ]
    return found, "" if found else _wanted(command, given)


def _wanted(command: click.Command, given: Sequence[str]) -> str:
    """Return the metavar of what stands next: of an option's value, or of an argument."""
    words = list(given)
    while isinstance(command, click.Group):
        at = next((at for at, word in enumerate(words) if word in command.commands), None)
        if at is None:
            break
        command, words = command.commands[words[at]], words[at + 1 :]
    takes = {
        name: one
        for one in command.params
        if isinstance(one, click.Option) and not (one.is_flag or one.count)
        for name in one.opts
    }
    if words and words[-1] in takes:
        return takes[words[-1]].metavar or ""
    count = sum(
        not word.startswith("-") and (at == 0 or words[at - 1] not in takes)
        for at, word in enumerate(words)
    )
    for argument in command.params:
        if isinstance(argument, click.Argument):
            metavar = argument.metavar or ""
            several = "…" in metavar
            return metavar if count == 0 or several else _behind(metavar, count)
    return ""


def _behind(metavar: str, count: int) -> str:
    """Return what stands at a place of an argument that takes several words: `PROJECT PATH`."""
    names = metavar.replace("(", "").replace(")", "").partition("|")[0].split()
    return names[count] if count < len(names) and count < _MANY else ""
