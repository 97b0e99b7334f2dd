"""List, check and create themes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

import platui
from platui.cli.command_options import command
from platui.cli.completions import words_of
from platui.core.lazy_module import LazyModule

if TYPE_CHECKING:
    from platui.cli.commands.themes import list as themes
    from platui.config.settings import Options
else:
    themes = LazyModule("platui.cli.commands.themes.list")

_EXAMPLES: Final = """
themes
themes new mine --from platui-light
themes check mine
themes --json | jq -r 'select(.is_dark | not).name'
"""
_MORE: Final = """\b
CONTRAST is the lowest contrast of text and background, from 1 to 21: 4.5 is
readable, 7 is good. Themes of Textual are adjusted to 4.5. Use a theme with
`theme = "NAME"` in config.toml, or :theme in the dashboard.
"""


@command("themes", _EXAMPLES, more=_MORE, json=True, cls=click.Group, invoke_without_command=True)
def themes_command(options: Options, *, as_json: bool) -> None:
    """List the themes of platui, your own, and those of Textual.

    On a terminal, each is shown with a sample. --json prints one object per line.
    """
    if click.get_current_context().invoked_subcommand is None:
        themes.list_themes(options, as_json=as_json)


@command("check", "themes check mine.toml", of=themes_command, json=True)
@click.argument("words", nargs=-1, required=True, metavar="(FILE | NAME) …")
def check_command(_: Options, *, words: tuple[str, ...], as_json: bool) -> int:
    """Check themes for errors and low contrast.

    The exit code is 2 for an invalid theme; low contrast is only a warning. --json prints
    one object per line.
    """
    return themes.check_themes(words, as_json=as_json)


@command("new", "themes new mine --from nord", of=themes_command)
@click.argument("name", metavar="NAME")
@click.option(
    "--from", "source", metavar="THEME", default="platui-dark", show_default=True,
    help="Theme to copy.", shell_complete=words_of(
        lambda: sorted(path.stem for path in platui.themes_dir().glob("*.toml"))
    ),
)  # fmt: skip
def new_command(_: Options, *, name: str, source: str) -> None:
    """Create your own theme and print its path.

    It is saved in the themes folder beside config.toml. Existing files are not replaced.
    """
    click.echo(themes.new_theme(name, source))
