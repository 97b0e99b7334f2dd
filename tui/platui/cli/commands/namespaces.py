"""List group and user namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import ListOptions, list_command, with_text
from platui.cli.reading import resources

if TYPE_CHECKING:
    from platui.config.settings import Options

_EXAMPLES: Final = """
namespaces
namespaces --search finance --json
"""


@list_command("namespaces", _EXAMPLES)
@click.option("--search", default="", metavar="TEXT", help="Filter by text in the name or path.")
def namespaces_command(options: Options, *, search: str, list_options: ListOptions) -> None:
    """List the group and user namespaces that you can see."""
    from platui.cli.output.lists import print_list  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.projects import NAMESPACES  # noqa: PLC0415  (not for help or completion)

    print_list(
        options,
        list_options,
        "namespaces",
        NAMESPACES,
        lambda reader: reader.gather(resources.projects.namespaces(search)),
        empty=f"No namespaces found{with_text(search)}.",
    )
