"""Print the built-in documentation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import command
from platui.cli.completions import words_of
from platui.cli.exit_codes import Exit, exit_code_table
from platui.cli.group import help_of
from platui.cli.output.stdout import has_colours, is_terminal, print_lines
from platui.config.environment import harden
from platui.core.errors import ConfigError
from platui.core.suggestions import did_you_mean, nearest
from platui.core.text import shorten
from platui.present.guide import page_names, read_page, with_keys, wrapped
from platui.ui import views

if TYPE_CHECKING:
    from platui.config.schema import Table
    from platui.config.settings import Options

_EXAMPLES: Final = """
docs
docs log
docs config
docs schedule run
"""
_WIDTH: Final = 78
_CONFIG: Final = "config"
_EXITS: Final = "exit-codes"


def _names() -> list[str]:
    return [*page_names("views"), *page_names("topics"), _EXITS]


@command("docs", _EXAMPLES)
@click.argument(
    "words",
    nargs=-1,
    metavar="[TOPIC]",
    shell_complete=words_of(_names),
)
def docs_command(options: Options, *, words: tuple[str, ...]) -> None:
    """Show the documentation of a topic, a view or a command.

    Without TOPIC, list them. A view's page is that of ? in the dashboard, with your key
    bindings. If a view and a command share a name, use `platui help NAME` for the command.
    """
    lines = _page(" ".join(words).casefold(), options) if words else _topics()
    if is_terminal():
        lines = list(_styled(lines, bold=has_colours("", os.environ)))
    print_lines(lines)


def _page(topic: str, options: Options) -> list[str]:
    if topic in page_names("views"):
        return list(_view(topic, options))
    if topic == _CONFIG:
        return list(_config())
    if topic in page_names("topics"):
        title, text = read_page("topics", topic)
        return [title, "", *wrapped(text, _WIDTH)]
    if topic == _EXITS:
        return ["Exit codes", "", *exit_code_table(*Exit).splitlines()]
    help_text = help_of(click.get_current_context().find_root(), *topic.split())
    if help_text is not None:
        return help_text.splitlines()
    hint = did_you_mean(nearest(topic, _names())) or "List them with: platui docs"
    raise ConfigError(f'Unknown command or topic "{shorten(topic, 40)}".', hint=hint)


def _topics() -> list[str]:
    topics = {
        **{name: read_page("topics", name).title for name in page_names("topics")},
        _EXITS: "What the exit codes mean",
    }
    pages = page_names("views")
    return [
        "Topics",
        *(f"  {name:<12} {title}" for name, title in topics.items()),
        "",
        "Views of the dashboard",
        *(f"  {name:<12} {view.title}" for name, view in views.keyed().items() if name in pages),
        "",
        "Show a topic, view or command: platui docs NAME. List all keys: platui keys.",
    ]


def _view(name: str, options: Options) -> Iterator[str]:
    from platui.config.load import load_settings  # noqa: PLC0415  (for a view only)
    from platui.ui.active_keys import active_keys  # noqa: PLC0415  (for a view only)
    from platui.ui.screen_keys import keys_named  # noqa: PLC0415  (it imports every screen)

    settings = load_settings(options.config, harden(), options)
    keys = keys_named(name, active_keys(settings))
    yield views.keyed()[name].title
    yield ""
    yield from wrapped(
        with_keys(read_page("views", name).text, lambda key: keys.get(key, "")), _WIDTH
    )
    yield ""
    yield f"All its keys: platui keys --screen {name}"


def _config() -> Iterator[str]:
    from platui.config.schema import (  # noqa: PLC0415  (of this only)
        ACTION,
        ERROR,
        PROFILE,
        SECTIONS,
        TOP,
    )

    yield "config.toml"
    yield ""
    yield from wrapped(read_page("topics", _CONFIG).text, _WIDTH)
    tables: dict[str, Table] = {
        "At the top": TOP,
        **{f"[{name}]": table for name, table in SECTIONS.items()},
        "[profiles.NAME]": PROFILE,
        "[[errors]]": ERROR,
        "[actions.NAME]": ACTION,
    }
    for title, table in tables.items():
        yield ""
        yield title
        for name, key in table.items():
            first, *rest = wrap(f"{key.help} ({key.kind.words})", _WIDTH - 26)
            yield f"  {name:<23} {first}"
            yield from (f"{'':<26}{line}" for line in rest)
    yield ""
    yield "[keys]"
    yield "  an action id and its keys, separated by commas; see platui keys --ids"


def _styled(lines: Iterable[str], *, bold: bool) -> Iterator[str]:
    on, off = ("\x1b[1m", "\x1b[22m") if bold else ("", "")
    is_code = False
    for line in lines:
        parts = []
        for number, part in enumerate(line.split("`")):
            is_code ^= number > 0  # may continue on the next line
            parts.append(f"{on}{part}{off}" if is_code and part else part)
        yield "".join(parts)
