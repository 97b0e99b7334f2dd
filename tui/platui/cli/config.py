"""`platui config`: where the configuration is, what it says, and whether that is right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from platui.cli.exits import Exit
from platui.cli.manner import epilog, json_option, with_global_options

if TYPE_CHECKING:
    from platui.config.settings import Options


@click.group("config", epilog=epilog(Exit.DONE, Exit.USAGE, examples="config check\nconfig show"))
@with_global_options
def config_command() -> int:
    """The configuration: where it is, what it says, and whether that is right.

    Nothing of it asks a platform for anything, and no secret is ever printed.
    """
    return 0  # the command behind it does what is meant


@config_command.command(
    "path",
    epilog=epilog(Exit.DONE, Exit.USAGE, examples="config path\nconfig path --json"),
)
@json_option
@with_global_options
@click.pass_obj
def path_command(options: Options, *, as_json: bool) -> int:
    """Print which config.toml is read; on stderr why that one, and all folders in use.

    So that it can be handed on: $EDITOR "$(platui config path)"
    """
    from platui.cli.config_path import tell_paths  # noqa: PLC0415  (of this command only)

    return tell_paths(options, as_json=as_json)


@config_command.command(
    "show",
    epilog=epilog(
        Exit.DONE, Exit.USAGE,
        examples="config show\nconfig show --profile prod --json\nconfig show --toml",
    ),
)  # fmt: skip
@click.option("--toml", "as_toml", is_flag=True, help="Print a config.toml that says the same.")
@json_option
@with_global_options
@click.pass_obj
def show_command(options: Options, *, as_toml: bool, as_json: bool) -> int:
    """Print every setting of the chosen profile, and where it comes from.

    That is a line of the file, a variable of the environment, an option, or the default.
    Of secrets there is a mask, and no word in --toml.
    """
    from platui.cli.config_show import show_settings  # noqa: PLC0415  (of this command only)

    return show_settings(options, as_toml=as_toml, as_json=as_json)


@config_command.command(
    "check",
    epilog=epilog(
        Exit.DONE, Exit.USAGE,
        examples="config check\nconfig check dotfiles/platui.toml --json",
    ),
)  # fmt: skip
@click.argument("file", required=False, type=click.Path(path_type=Path))
@json_option
@with_global_options
@click.pass_obj
def check_command(options: Options, *, file: Path | None, as_json: bool) -> int:
    """Print all that is wrong with config.toml, or with FILE, at once.

    A line each, with the file, the line where it can be told, the key, and what helps.
    Looked at are also the files, programs, themes and keys that it names. What begins
    with "note" is no mistake, and the exit code is 2 only where there is one.
    """
    from platui.cli.config_check import check_config  # noqa: PLC0415  (of this command only)

    return check_config(options, file, as_json=as_json)


@config_command.command(
    "schema",
    epilog=epilog(Exit.DONE, examples="config schema > ~/.config/platui/schema.json"),
)
@with_global_options
def schema_command() -> int:
    """Print the JSON schema of config.toml, by which editors complete and check it.

    Taplo, and what has it inside, takes it by the first line of config.toml, which is
    then `#:schema ./schema.json`.
    """
    from platui.cli.config_schema import print_schema  # noqa: PLC0415  (of this command only)

    return print_schema()


@config_command.command(
    "example",
    epilog=epilog(Exit.DONE, examples="config example > ~/.config/platui/config.toml"),
)
@with_global_options
def example_command() -> int:
    """Print a config.toml with every key there is, each with a word on it.

    The values are those that hold where a key is left out, but for names, addresses, and
    where secrets are.
    """
    from platui.cli.config_schema import print_example  # noqa: PLC0415  (of this command only)

    return print_example()
