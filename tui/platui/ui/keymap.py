"""The user's own keys: what is wrong with a wish, and which two want the same key."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from platui.core.errors import ConfigError
from platui.core.text import clean, shorten
from platui.ui.key_names import KeyNameError, read_keys, said
from platui.ui.keys_in_use import FIXED, keys_in_use
from platui.ui.screen_keys import action_ids, actions_of, actions_on, keyed_views

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from platui.config.settings import Settings
    from platui.ui.keys_in_use import KeysInUse
    from platui.ui.screen_keys import BoundAction

_FEW = 3


class _Clash(NamedTuple):
    """A key that two actions of one view want."""

    key: str
    owner: str
    loser: str


def key_problems(settings: Settings) -> list[ConfigError]:
    """Return what is wrong with `[keys]`: names, keys that are none, keys wanted twice.

    A wish that cannot be granted is left out; everything else works as it was asked for.
    """
    if not settings.keys:
        return []
    name = settings.file.name if settings.file is not None else "config.toml"
    known = action_ids()
    problems: list[ConfigError] = []
    for action, text in settings.keys.items():
        where = f"{clean(name)}, [keys] {shorten(action, 40)}"
        if action not in known:
            problems.append(_unknown(where, action, known))
        elif (problem := _unreadable(where, text)) is not None:
            problems.append(problem)
    keys = keys_in_use(settings)
    return [*problems, *_fixed(name, settings, keys), *_clashes(name, settings, keys)]


def _unknown(where: str, action: str, known: Iterable[str]) -> ConfigError:
    near = difflib.get_close_matches(action, sorted(known), n=1)
    return ConfigError(
        f"{where}: there is no such action.",
        hint=f"Did you mean {near[0]}?" if near else "platui keys --ids lists them.",
    )


def _unreadable(where: str, text: str) -> ConfigError | None:
    try:
        read_keys(text)
    except KeyNameError as error:
        return ConfigError(f"{where}: {clean(error.sentence)}.", hint=clean(error.hint))
    return None


def _fixed(name: str, settings: Settings, keys: KeysInUse) -> list[ConfigError]:
    """Return who wants a key that nobody can have, or none where one always stays."""
    usual = {one.id: one.usual for view in keyed_views() for one in actions_of(view, keys)}
    problems = []
    for action, text in settings.keys.items():
        try:
            wanted = set(read_keys(text))
        except KeyNameError:
            continue
        own = FIXED.intersection(usual.get(action, ()))
        where = f"{clean(name)}, [keys] {shorten(action, 40)}"
        if taken := sorted((wanted & FIXED) - own):
            problems.append(ConfigError(f"{where}: {_listed(taken)} cannot be given away."))
        if own and not wanted:
            problems.append(ConfigError(f"{where}: {_listed(sorted(own))} cannot be taken away."))
    for problem in problems:
        problem.hint = f"{_listed(sorted(FIXED))} always do what they do: nobody is locked in."
    return problems


def _clashes(name: str, settings: Settings, keys: KeysInUse) -> list[ConfigError]:
    """Return which actions lose a key to one of the user's own, each pair once, by name."""
    found: dict[_Clash, list[str]] = {}
    labels: dict[str, str] = {}
    for view in keyed_views():
        for way in view.ways():
            actions = actions_on(way, keys)
            labels.update({one.id: one.label for one in actions})
            for clash in _lost(actions, settings.keys, keys):
                views = found.setdefault(clash, [])
                if view.title not in views:
                    views.append(view.title)
    return [
        ConfigError(
            f"{clean(name)}, [keys]: {said(clash.key)} of {clash.owner} ({labels[clash.owner]}) is "
            f"also that of {clash.loser} ({labels[clash.loser]}) in {_some(views)}; "
            f"there it is {labels[clash.owner]}.",
            hint=f'Give {clash.loser} another key, or "" for none of its own.'
            if clash.loser not in settings.keys
            else "Give one of them another key.",
        )
        for clash, views in found.items()
    ]


def _lost(
    actions: Sequence[BoundAction], own: Collection[str], keys: KeysInUse
) -> Iterator[_Clash]:
    """Yield each key that an action should have, and another one has."""
    owners = {key: one.id for one in actions if one.id in own for key in one.keys}
    for one in actions:
        for key in keys.keys_of(one.id, one.usual):
            if key not in one.keys and key in owners:
                yield _Clash(key, owners[key], one.id)


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(map(said, keys))


def _some(views: list[str]) -> str:
    if len(views) <= _FEW + 1:
        return ", ".join(views)
    return f"{', '.join(views[:_FEW])} and {len(views) - _FEW} other views"
