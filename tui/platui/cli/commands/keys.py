"""List the keys of the dashboard, with the user's bindings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

import click

from platui.cli.command_options import command
from platui.cli.completions import words_of
from platui.cli.error_output import print_error
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_lines, print_object
from platui.config.environment import harden
from platui.config.settings import KEYMAPS, Keymap, Options, Settings
from platui.core.errors import ConfigError
from platui.core.lazy_module import LazyModule
from platui.core.suggestions import did_you_mean, nearest
from platui.core.text import shorten
from platui.present.key_sheet import (
    KeyRow,
    KeySection,
    markdown_lines,
    plain_lines,
    shortened,
    with_details,
)
from platui.ui import views

if TYPE_CHECKING:
    from platui.ui import active_keys, key_names, own_actions, renamed_actions, screen_keys
    from platui.ui.screen_keys import ViewBindings
else:
    active_keys = LazyModule("platui.ui.active_keys")
    key_names = LazyModule("platui.ui.key_names")
    own_actions = LazyModule("platui.ui.own_actions")
    renamed_actions = LazyModule("platui.ui.renamed_actions")
    screen_keys = LazyModule("platui.ui.screen_keys")

_EXAMPLES: Final = """
keys
keys --screen log
keys --preset vim --ids
keys --markdown > KEYS.md
keys --json
"""


@command("keys", _EXAMPLES, json=True)
@click.option(
    "--preset", type=click.Choice(KEYMAPS), help="Use this preset instead of the configured one."
)
@click.option("--screen", metavar="NAME", shell_complete=words_of(lambda: list(views.keyed())),
              help="Show all keys of one view: triage, jobs, log …")  # fmt: skip
@click.option("--ids", is_flag=True, help="Show action ids, as in [keys] of config.toml.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
def keys_command(
    options: Options,
    *,
    preset: str | None,
    screen: str | None,
    ids: bool,
    markdown: bool,
    as_json: bool,
) -> None:
    """List the keys of the dashboard, by view.

    Keys shared by several views come first. Keys set in [keys] of config.toml are marked;
    errors in them go to stderr. --json prints one object with the id, keys and meaning of
    each action of each view. In the dashboard, press ? for the same list.
    """
    if as_json and markdown:
        raise ConfigError("Give --json or --markdown, not both.", hint="platui keys --help")
    from platui.config.load import load_settings  # noqa: PLC0415  (not for help or completion)

    settings = load_settings(options.config, harden(), options)
    if preset is not None:
        settings = replace(settings, keymap=cast("Keymap", preset))
    views = _views(screen)
    for notice in renamed_actions.renaming_notices(settings):
        print_notice(notice)
    for problem in screen_keys.key_problems(settings):
        print_error(problem)
    sections = [_section(view, settings) for view in views]
    if as_json:
        screens = [
            {
                "name": view.name,
                "title": view.title,
                "actions": [row._asdict() | {"keys": list(row.keys)} for row in section.rows],
            }
            for view, section in zip(views, sections, strict=True)
        ]
        print_object({"preset": settings.keymap, "screens": screens})
        return
    if screen is None:
        sections = shortened(sections)
    else:
        sections = [part for section in sections for part in with_details(section)]
    lines = markdown_lines if markdown else plain_lines
    print_lines(lines(sections, ids=ids))


def _views(name: str | None) -> Sequence[ViewBindings]:
    if name is None:
        return screen_keys.all_view_bindings()
    names = list(views.keyed())
    if name.casefold() in names:
        return [screen_keys.view_bindings(name.casefold())]
    hint = f"{did_you_mean(nearest(name, names))} Views: {', '.join(names)}.".lstrip()
    raise ConfigError(f'Unknown view "{shorten(name, 40)}".', hint=hint)


def _section(view: ViewBindings, settings: Settings) -> KeySection:
    own = renamed_actions.with_current_ids(own_actions.own_keys(settings))
    return KeySection(
        view.title,
        tuple(
            KeyRow(
                one.id,
                tuple(map(key_names.key_label, one.keys)),
                one.label,
                one.meaning,
                one.id in own,
            )
            for one in screen_keys.actions_of(view, active_keys.active_keys(settings))
        ),
    )
