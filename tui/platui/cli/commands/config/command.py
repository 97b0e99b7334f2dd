"""Show the path, values and errors of the configuration."""

from __future__ import annotations

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from platui.cli.command_options import command
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_lines, print_object
from platui.config.load import config_file
from platui.config.schema import json_schema
from platui.core.paths import absolute_path, cache_dir, config_dir, data_dir, path_exists, state_dir
from platui.core.text import clean

if TYPE_CHECKING:
    from platui.config.settings import Options


@command("config", "config check\nconfig show", cls=click.Group)
def config_command(_: Options) -> None:
    """Show or check the configuration.

    Sends no requests and never prints secrets.
    """


@command("path", "config path\nconfig path --json", of=config_command, json=True)
def path_command(options: Options, *, as_json: bool) -> None:
    """Print the path of config.toml.

    On stderr, print the reason and all folders. For example: $EDITOR "$(platui config path)"
    """
    file = absolute_path(options.config or config_file())
    why, exists = "The default path of this system", path_exists(file)
    if options.config is not None:
        why = "Set by --config"
    elif os.environ.get("XDG_CONFIG_HOME"):
        why = "The default path, below XDG_CONFIG_HOME"
    folders = (
        ("config", "config.toml", config_dir()),
        ("themes", "your own themes", config_dir() / "themes"),
        ("credentials", "tokens in files", config_dir() / "credentials"),
        ("state", "local state: history, watch list, notes, the audit log", state_dir()),
        ("data", "access reports", data_dir()),
        ("cache", "cached data", cache_dir()),
    )
    if as_json:
        print_object(
            {
                "file": os.fspath(file),
                "exists": exists,
                "why": why,
                "folders": {name: os.fspath(path) for name, _, path in folders},
            }
        )
        return
    print_line(clean(os.fspath(file)))
    print_notice(f"{why}{'' if exists else '; the file does not exist yet'}.")
    for _, what, path in folders:
        missing = "" if path_exists(path) else " (does not exist yet)"
        print_notice(f"{what}: {clean(os.fspath(path))}{missing}")


@command(
    "show",
    "config show\nconfig show --profile prod --json\nconfig show --toml",
    of=config_command,
    json=True,
)
@click.option("--toml", "as_toml", is_flag=True, help="Print them as a config.toml.")
def show_command(options: Options, *, as_toml: bool, as_json: bool) -> None:
    """Show all settings of the selected profile and their sources.

    A source is a line of the file, an environment variable, an option or the default.
    Secrets are masked, and omitted with --toml.
    """
    from platui.cli.commands.config.show import show_settings  # noqa: PLC0415  (of this command only)

    show_settings(options, as_toml=as_toml, as_json=as_json)


@command(
    "check", "config check\nconfig check dotfiles/platui.toml --json", of=config_command, json=True
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
def check_command(options: Options, *, file: Path | None, as_json: bool) -> int:
    """Check config.toml, or FILE, and list all problems.

    One per line, with file, line if known, key and fix. Also checks the files, programs,
    themes and keys it refers to. The exit code is 2 if there is an error or a warning;
    notes do not count.
    """
    from platui.cli.commands.config.check import check_config  # noqa: PLC0415  (of this command only)

    return check_config(options, file, as_json=as_json)


@command("schema", "config schema > ~/.config/platui/schema.json", Exit.DONE, of=config_command)
def schema_command(_: Options) -> None:
    """Print the JSON schema of config.toml, for editors.

    For Taplo and editors that use it, the first line of config.toml is
    `#:schema ./schema.json`.
    """
    print_lines(json.dumps(json_schema(), indent=2).splitlines())


@command("example", "config example > ~/.config/platui/config.toml", Exit.DONE, of=config_command)
def example_command(_: Options) -> None:
    """Print an example config.toml with all keys and comments.

    Values are the defaults, apart from names, URLs and the sources of secrets.
    """
    example = files("platui.config") / "example.toml"
    print_lines(example.read_text("utf-8").splitlines())
