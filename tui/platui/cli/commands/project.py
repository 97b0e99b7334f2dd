"""Create a project in the user's namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from platui.cli.command_options import write_command
from platui.cli.connection import WriteOptions, open_platform
from platui.cli.output.progress import print_notice
from platui.core.errors import ConfigError
from platui.core.text import shorten
from platui.models.values.writes import Encoding, NewProject

if TYPE_CHECKING:
    from platui.config.settings import Options


@click.group("project")
def project_command() -> None:
    """Create projects."""


_EXAMPLES = """
project create sales --description 'what sells' --access private
"""


@write_command("create", _EXAMPLES, of=project_command)
@click.argument("name")
@click.option("--description", default="", metavar="TEXT", help="Description of the project.")
@click.option(
    "--access",
    default="",
    metavar="LEVEL",
    help="Visibility, sent unchecked as permissions[project_access]; the levels are not "
    "documented.",
)
@click.option("--form", is_flag=True, help="Send form fields rather than JSON.")
def create_command(
    options: Options,
    *,
    name: str,
    description: str,
    access: str,
    form: bool,
    write_options: WriteOptions,
) -> int:
    """Create a project called NAME in your own namespace.

    Prints its id and, if the platform returns it, its URL.
    """
    if not name.strip():
        raise ConfigError("A project needs a name.", hint="platui project create --help")
    from platui.cli.writing import write  # noqa: PLC0415  (the same)

    encoding = Encoding.FORM if form else Encoding.JSON
    with open_platform(options, (), write_options) as platform:
        note = f"{shorten(access, 60)} is sent unchecked, as permissions[project_access]."
        note = f"--access {note}" if access else ""
        if note and (write_options.yes or write_options.dry_run):
            print_notice(note)
        new = NewProject(name, description, access, encoding)
        return write(platform, new, note=note)
