"""List, check and create themes."""

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
CONTRAST is the lowest contrast of text and background, from 1 to 21: 4.5 is
readable, 7 is good. Themes of Textual are adjusted to 4.5. Use a theme with
`theme = "NAME"` in config.toml, or :theme in the dashboard.
"""


def _theme_names() -> list[str]:
    return sorted(path.stem for path in platui.themes_dir().glob("*.toml"))


@click.group("themes", invoke_without_command=True, epilog=epilog(_EXAMPLES, more=_MORE))
@json_option
@with_global_options
@click.pass_context
def themes_command(context: click.Context, /, *, as_json: bool) -> int:
    """List the themes of platui, your own, and those of Textual.

    On a terminal, each is shown with a sample. --json prints one object per line.
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
)
@click.argument("words", nargs=-1, required=True, metavar="(FILE | NAME) …")
def check_command(options: Options, *, words: tuple[str, ...], as_json: bool) -> int:
    """Check themes for errors and low contrast.

    The exit code is 2 for an invalid theme; low contrast is only a warning. --json prints
    one object per line.
    """
    from platui.cli.commands.themes.list import check_themes  # noqa: PLC0415  (as above)

    del options
    return check_themes(words, as_json=as_json)


@command(
    "new",
    "themes new mine --from nord",
    of=themes_command,
)
@click.argument("name", metavar="NAME")
@click.option(
    "--from", "source", metavar="THEME", default="platui-dark", show_default=True,
    help="Theme to copy.", shell_complete=words_of(_theme_names),
)  # fmt: skip
def new_command(options: Options, *, name: str, source: str) -> int:
    """Create your own theme and print its path.

    It is saved in the themes folder beside config.toml. Existing files are not replaced.
    """
    from platui.cli.commands.themes.list import new_theme  # noqa: PLC0415  (as above)

    del options
    path: Path = new_theme(name, source)
    click.echo(path)
    return 0
