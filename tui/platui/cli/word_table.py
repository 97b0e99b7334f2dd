"""What can stand behind each command, written down beside this module for who presses tab.

To ask click means to import every module that a command needs, which takes ten times as long
as to read a table. A test holds it against the commands; this writes it anew:

    python -m platui.cli.word_table > tui/platui/cli/words.json
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from platui.cli.dispatch import COMMANDS
from platui.cli.options import HELP_NAMES
from platui.config.settings import Options

if TYPE_CHECKING:
    from collections.abc import Iterator


def table_text() -> str:
    """Return the table as JSON, a command a line."""
    lines = (f"{json.dumps(name)}: {json.dumps(_entry(name))}" for name in sorted(COMMANDS))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _entry(name: str) -> dict[str, Any]:
    module, attribute = COMMANDS[name]
    return _of_command(getattr(import_module(module), attribute), f"platui {name}", None)


def _of_command(
    command: click.Command, called: str, parent: click.Context | None
) -> dict[str, Any]:
    context = click.Context(
        command, parent=parent, info_name=called, obj=Options(), help_option_names=HELP_NAMES
    )
    params = command.get_params(context)
    entry: dict[str, Any] = {
        "options": [_of_option(one, context) for one in params if isinstance(one, click.Option)],
        "arguments": [
            _of_argument(one, context) for one in params if isinstance(one, click.Argument)
        ],
    }
    if isinstance(command, click.Group):
        entry["commands"] = {
            name: {"help": one.get_short_help_str(), **_of_command(one, name, context)}
            for name, one in command.commands.items()
            if not one.hidden
        }
    return entry


def _of_option(option: click.Option, context: click.Context) -> dict[str, Any]:
    told: dict[str, Any] = {"names": [*option.opts, *option.secondary_opts]}
    if option.help:
        told["help"] = option.help
    if not (option.is_flag or option.count):
        told["takes"] = option.metavar or ""
    return told | _of_any(option, context, hidden=option.hidden, many=option.multiple)


def _of_argument(argument: click.Argument, context: click.Context) -> dict[str, Any]:
    told = {"takes": argument.metavar or ""}
    return told | _of_any(argument, context, many=argument.nargs < 0)


def _of_any(param: click.Parameter, context: click.Context, **flags: bool) -> dict[str, Any]:
    values = list(_values(param, context))
    told: dict[str, Any] = {name: True for name, is_so in flags.items() if is_so}
    return told | ({"values": values} if values else {})


def _values(param: click.Parameter, context: click.Context) -> Iterator[str]:
    """Yield the words that a value can be; an empty one stands for whatever files there are."""
    for one in param.shell_complete(context, ""):
        yield "" if one.type in {"file", "dir"} else str(one.value)


if __name__ == "__main__":
    print(table_text(), end="")
