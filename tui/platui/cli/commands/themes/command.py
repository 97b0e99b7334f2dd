"""`platui themes`: list and check themes, create a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

import platui
from platui.cli.command_options import command, epilog, json_option, with_global_options
from platui.cli.completions import words_of

if TYPE_CHECKING:
    from pathlib import Path

    from platui.config.settings import Options

_EXAMPLES: Final = """
themes
themes new mine --from platui-light
themes check mine
themes --json | jq -r 'select(.is_dark | not).name'
"""
_MORE: Final = """\b
CONTRAST is the least that a text has on any ground, 1 to 21: from 4.5 on it
reads, from 7 on it reads well. Themes of Textual are moved until they have
4.5. Put one on with `theme = "NAME"` in config.toml, or in the dashboard with
:theme.
"""


def _themes() -> list[str]:
    return sorted(path.stem for path in platui.themes_dir().glob("*.toml"))


@click.group("themes", invoke_without_command=True, epilog=epilog(_EXAMPLES, more=_MORE))
@json_option
@with_global_options
@click.pass_context
def themes_command(context: click.Context, /, *, as_json: bool) -> int:
    """List the themes: the house's, your own, and those of Textual.

    On a terminal each is shown as it looks there. With --json, one object on each line.
    """
    if context.invoked_subcommand is not None:
        return 0
    from platui.cli.commands.themes.list import list_themes  # noqa: PLC0415  (brings the drawing library)

    return list_themes(context.obj, as_json=as_json)


@command(
    "check",
    "themes check mine.toml",
    of=themes_command,
    json=True,
    short_help="Say what is wrong with themes.",
)
@click.argument("words", nargs=-1, required=True, metavar="(FILE | NAME) …")
def check_command(options: Options, *, words: tuple[str, ...], as_json: bool) -> int:
    """Say what is wrong with themes: keys, colours, and texts that are hard to read.

    What cannot be meant ends with 2; a theme of little contrast can be used, and is
    warned of. With --json, one object on each line.
    """
    from platui.cli.commands.themes.list import check_themes  # noqa: PLC0415  (as above)

    del options
    return check_themes(words, as_json=as_json)


@command(
    "new",
    "themes new mine --from nord",
    of=themes_command,
    short_help="Write a theme of your own.",
)
@click.argument("name", metavar="NAME")
@click.option(
    "--from", "source", metavar="THEME", default="platui-dark", show_default=True,
    help="The theme that it is like at first.", shell_complete=words_of(_themes),
)  # fmt: skip
def new_command(options: Options, *, name: str, source: str) -> int:
    """Write a theme of your own, with a comment on every key, and print where it is.

    It goes to the themes folder beside config.toml; a file that is there already stays.
    """
    from platui.cli.commands.themes.list import new_theme  # noqa: PLC0415  (as above)

    del options
    path: Path = new_theme(name, source)
    click.echo(path)
    return 0
