"""`platui docs`: the docs inside the program, on the command line."""

from __future__ import annotations

import sys
from textwrap import wrap
from typing import TYPE_CHECKING, Final

import click

from platui.cli.exits import Exit, table_of
from platui.cli.list_options import words_of
from platui.cli.manner import epilog, with_global_options
from platui.cli.naming import nearest
from platui.cli.told import say_lines
from platui.core.errors import ConfigError
from platui.core.text import shorten
from platui.present.guide.titles import TITLES
from platui.present.guide.told import GUIDES, broken, with_keys
from platui.present.guide.topics import TOPICS

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_INTRODUCTION: Final = """\
Settings stand in config.toml, by default ~/.config/platui/config.toml (`platui --config FILE` reads
another one). Every key has a default; without a file the environment is enough: PLATUI_URL and
PLATUI_TOKEN. A key that is not known, or a value that it cannot take, is named when platui
starts: some of them end it, the others are left out of account; `platui config check` tells which.

  default_profile = "prod"
  keymap = "vim"

  [profiles.prod]
  url = "https://platform.example.com"
  token_command = ["pass", "show", "platform/token"]
  production = true

  [keys]
  "list.failed" = "f"
"""


@click.command("docs", epilog=epilog(Exit.DONE, Exit.USAGE, examples=_EXAMPLES))
@click.argument(
    "words",
    nargs=-1,
    metavar="[TOPIC]",
    shell_complete=words_of((*GUIDES, *TOPICS, _CONFIG, _EXITS)),
)
@with_global_options
@click.pass_obj
def docs_command(options: Options, *, words: tuple[str, ...]) -> int:
    """Print what is to be known of a view of the dashboard, of a topic, or of a command.

    Without a topic it lists them. What is printed of a view is what ? shows there, with the
    keys as they are bound by config.toml. Of a command it prints its help.

    Where a view is called like a command, `platui help NAME` tells of the command.
    """
    say_lines(_ascii(_told(" ".join(words).casefold(), options) if words else _topics()))
    return 0


def _told(topic: str, options: Options) -> list[str]:
    """Return the lines of a topic.

    Raises:
        ConfigError: there is none of that name, or the configuration cannot be read.
    """
    if topic in GUIDES:
        return list(_guide(topic, options))
    if topic in TOPICS:
        title, text = TOPICS[topic]
        return [title, "", *broken(text, _WIDTH)]
    if topic == _CONFIG:
        return list(_config())
    if topic == _EXITS:
        return ["Exit codes", "", *table_of(*Exit).splitlines()]
    from platui.cli.all_help import help_of  # noqa: PLC0415  (of a command only)

    told = help_of(*topic.split())
    if told is not None:
        return told.splitlines()
    near = nearest(topic, [*GUIDES, *TOPICS, _CONFIG, _EXITS])
    hint = f"Did you mean {near}?" if near else "platui docs lists them."
    raise ConfigError(f"Nothing is written about {shorten(topic, 40)}.", hint=hint)


def _topics() -> list[str]:
    """Return which topics there are."""
    topics = {
        **{name: topic.title for name, topic in TOPICS.items()},
        _CONFIG: "Every key of config.toml",
        _EXITS: "What the exit codes mean",
    }
    return [
        "Topics",
        *(f"  {name:<12} {title}" for name, title in topics.items()),
        "",
        "Views of the dashboard",
        *(f"  {name:<12} {TITLES[name]}" for name in GUIDES),
        "",
        "platui docs NAME tells of one of them, or of a command; platui keys lists every key.",
    ]


def _guide(name: str, options: Options) -> Iterator[str]:
    from platui.config.hardening import harden  # noqa: PLC0415  (of a view only)
    from platui.config.load import load_settings  # noqa: PLC0415  (likewise)
    from platui.ui.keys_in_use import keys_in_use  # noqa: PLC0415  (likewise)
    from platui.ui.screen_keys import keys_named  # noqa: PLC0415  (every screen)

    settings = load_settings(options.config, harden(), options)
    keys = keys_named(name, keys_in_use(settings))
    yield TITLES[name]
    yield ""
    yield from broken(with_keys(GUIDES[name], lambda action: keys.get(action, "")), _WIDTH)
    yield ""
    yield f"Every key of it: platui keys --screen {name}"


def _config() -> Iterator[str]:
    from platui.config.schema import ERROR, PROFILE, SECTIONS, TOP  # noqa: PLC0415  (of this only)

    yield "config.toml"
    yield ""
    yield from broken(_INTRODUCTION, _WIDTH)
    tables: dict[str, Table] = {
        "At the top": TOP,
        **{f"[{name}]": table for name, table in SECTIONS.items()},
        "[profiles.NAME]": PROFILE,
        "[[errors]]": ERROR,
    }
    for title, table in tables.items():
        yield ""
        yield title
        for name, key in table.items():
            told = f"{key.help} ({key.kind.words})"
            first, *rest = wrap(told, _WIDTH - 26)
            yield f"  {name:<23} {first}"
            yield from (f"{'':<26}{line}" for line in rest)
    yield ""
    yield "[keys]"
    yield "  the id of an action, and its keys with commas between; platui keys --ids"


def _ascii(lines: list[str]) -> list[str]:
    """Return lines in what letters standard output has."""
    try:
        "".join(lines).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        from platui.ui.ascii_art import SIGNS  # noqa: PLC0415  (on a plain terminal only)

        return [line.translate(SIGNS) for line in lines]
    return lines
