"""`platui config`: show the path, values and errors of the configuration."""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from platui.cli.command_options import command, epilog, with_global_options
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_lines, print_object
from platui.config.load import config_file
from platui.config.schema import json_schema
from platui.core.paths import absolute_path, cache_dir, config_dir, data_dir, path_exists, state_dir
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.config.settings import Options


@click.group("config", epilog=epilog("config check\nconfig show"))
@with_global_options
def config_command() -> int:
    """The configuration: where it is, what it says, and whether that is right.

    Nothing of it asks a platform for anything, and no secret is ever printed.
    """
    return 0  # the command behind it does what is meant


@command("path", "config path\nconfig path --json", of=config_command, json=True)
def path_command(options: Options, *, as_json: bool) -> int:
    """Print which config.toml is read; on stderr why that one, and all folders in use.

    So that it can be handed on: $EDITOR "$(platui config path)"
    """
    file = absolute_path(options.config or config_file())
    why, exists = _why(options), path_exists(file)
    folders = list(_folders())
    if as_json:
        print_object(
            {
                "file": os.fspath(file),
                "exists": exists,
                "why": why,
                "folders": {name: os.fspath(path) for name, _, path in folders},
            }
        )
        return Exit.DONE
    print_line(clean(os.fspath(file)))
    print_notice(f"{why}{'' if exists else '; there is no such file yet'}.")
    for _, what, path in folders:
        print_notice(
            f"{what}: {clean(os.fspath(path))}{'' if path_exists(path) else ' (not there yet)'}"
        )
    return Exit.DONE


@command(
    "show",
    "config show\nconfig show --profile prod --json\nconfig show --toml",
    of=config_command,
    json=True,
)
@click.option("--toml", "as_toml", is_flag=True, help="Print a config.toml that says the same.")
def show_command(options: Options, *, as_toml: bool, as_json: bool) -> int:
    """Print every setting of the chosen profile, and where it comes from.

    That is a line of the file, a variable of the environment, an option, or the default.
    Of secrets there is a mask, and no word in --toml.
    """
    from platui.cli.commands.config.show import show_settings  # noqa: PLC0415  (of this command only)

    return show_settings(options, as_toml=as_toml, as_json=as_json)


@command(
    "check",
    "config check\nconfig check dotfiles/platui.toml --json",
    of=config_command,
    json=True,
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
def check_command(options: Options, *, file: Path | None, as_json: bool) -> int:
    """Print all that is wrong with config.toml, or with FILE, at once.

    A line each, with the file, the line where it can be told, the key, and what helps.
    Looked at are also the files, programs, themes and keys that it names. What begins
    with "note" is no mistake, and the exit code is 2 only where there is one.
    """
    from platui.cli.commands.config.check import check_config  # noqa: PLC0415  (of this command only)

    return check_config(options, file, as_json=as_json)


@config_command.command(
    "schema",
    epilog=epilog("config schema > ~/.config/platui/schema.json", Exit.DONE),
)
@with_global_options
def schema_command() -> int:
    """Print the JSON schema of config.toml, by which editors complete and check it.

    Taplo, and what has it inside, takes it by the first line of config.toml, which is
    then `#:schema ./schema.json`.
    """
    print_lines(json.dumps(json_schema(), indent=2).splitlines())
    return Exit.DONE


@config_command.command(
    "example",
    epilog=epilog("config example > ~/.config/platui/config.toml", Exit.DONE),
)
@with_global_options
def example_command() -> int:
    """Print a config.toml with every key there is, each with a word on it.

    The values are those that hold where a key is left out, but for names, addresses, and
    where secrets are.
    """
    print_lines(example_text().splitlines())
    return Exit.DONE


def example_text() -> str:
    return (files("platui.config") / "example.toml").read_text("utf-8")


def _why(options: Options) -> str:
    if options.config is not None:
        return "--config names it"
    if os.environ.get("XDG_CONFIG_HOME"):
        return "It is the usual place, below XDG_CONFIG_HOME"
    return "It is the usual place of this system"


def _folders() -> Iterator[tuple[str, str, Path]]:
    yield "config", "config.toml", config_dir()
    yield "themes", "your own themes", config_dir() / "themes"
    yield "credentials", "tokens in files", config_dir() / "credentials"
    yield "state", "what is remembered: places, watch list, notes, the audit log", state_dir()
    yield "data", "access reports", data_dir()
    yield "cache", "what can be fetched again", cache_dir()
