"""The actions of each view with their keys, and the problems of the user's keys."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from textual.binding import Binding

from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import nearest
from platui.core.text import clean, shorten
from platui.ui import views
from platui.ui.active_keys import FIXED, ActiveKeys, active_keys
from platui.ui.controller import controllers_of
from platui.ui.key_guard import is_own
from platui.ui.key_names import KeyNameError, key_label, read_keys
from platui.ui.own_actions import actions_by_id, own_keys
from platui.ui.renamed_actions import written_ids
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.view import load

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from platui.config.settings import Settings


_FEW: Final = 3


class ViewBindings(NamedTuple):
    name: str
    title: str
    # The classes from each focusable widget to the app
    ways: tuple[tuple[type[DOMNode], ...], ...]


class BoundAction(NamedTuple):
    id: str
    keys: tuple[str, ...]  # Textual's names; empty: none
    label: str
    meaning: str
    usual: tuple[str, ...]


def all_view_bindings() -> tuple[ViewBindings, ...]:
    """Return all views, in order; imports all screens."""
    return tuple(map(view_bindings, views.keyed()))


def view_bindings(name: str) -> ViewBindings:
    """Return the view of that name; imports its screen only."""
    view = views.keyed()[name]
    screen = load(view.screen)
    if not isinstance(screen, type):
        screen = ViewScreen  # a function makes the screen
    below = (screen, load(view.app))
    ways = tuple((*map(load, pane), *below) for pane in view.panes)
    return ViewBindings(view.id, view.title, ways)


def actions_of(view: ViewBindings, keys: ActiveKeys) -> list[BoundAction]:
    """Return each action of a view, those nearest to the focus first."""
    found: dict[str, BoundAction] = {}
    for way in view.ways:
        for one in actions_on(way, keys):
            before = found.get(one.id, one)
            found[one.id] = one._replace(keys=tuple(dict.fromkeys([*before.keys, *one.keys])))
    return list(found.values())


def actions_on(way: Sequence[type[DOMNode]], keys: ActiveKeys) -> list[BoundAction]:
    """Return each action from the focus to the app."""
    bound: dict[str, list[str]] = {}
    for of_kind in keys.together(way):
        for key, bindings in of_kind.items():
            for binding in bindings:
                bound.setdefault(binding.id or "", []).append(key)
    found: dict[str, BoundAction] = {}
    for kind in way:
        own = [binding for _, binding in keys.bindings_of(kind)]
        for binding in own:
            if binding.id and binding.id not in found and not is_absent(binding, kind):
                usual = tuple(one.key for one in own if one.id == binding.id and one.key)
                active = tuple(bound.get(binding.id, ()))
                found[binding.id] = BoundAction(
                    binding.id, active, binding.description, binding.tooltip, usual
                )
    return list(found.values())


def keys_named(name: str, keys: ActiveKeys) -> dict[str, str]:
    """Return action id -> display name of its first key, of a view."""
    actions = actions_of(view_bindings(name), keys)
    return {one.id: key_label(one.keys[0]) if one.keys else "" for one in actions}


def action_ids() -> frozenset[str]:
    return frozenset(
        binding.id
        for view in all_view_bindings()
        for way in view.ways
        for kind in way
        for base in kind.__mro__
        if ".dialogs." not in base.__module__
        for binding in vars(base).get("BINDINGS", ())
        if isinstance(binding, Binding) and binding.id
    )


def is_absent(binding: Binding, kind: type[DOMNode]) -> bool:
    """Return whether a class does not offer the action of a binding."""
    name, _, given = binding.action.partition("(")
    if name != "run":
        return False
    command = given.strip("')")
    if is_own(command):
        return False
    return not any(one.offers(command) for one in controllers_of(kind) if command in one.COMMANDS)


class KeySettingError(ConfigError):
    """A problem of an action in `[keys]`; `action` is its id as written in the file."""

    def __init__(
        self, file: str, action: str, what: str, *, hint: str = "", loser: str | None = None
    ) -> None:
        """`loser` is the id of an action that lost its key to `action`."""
        of_action = f" {shorten(action, 40)}" if loser is None else ""
        section = "actions" if is_own(action) else "keys"
        super().__init__(f"{clean(file)}, [{section}]{of_action}: {what}", hint=hint)
        self.action = action
        self.what = what
        self.loser = loser


def key_problems(settings: Settings) -> list[KeySettingError]:
    """Return the problems of `[keys]`: unknown ids and keys, conflicts."""
    actions, written_keys = actions_by_id(settings), own_keys(settings)
    if not written_keys:
        return []
    name = settings.file.name if settings.file is not None else "config.toml"
    known, written = action_ids() | actions.keys(), written_ids(written_keys)
    keys = active_keys(settings)
    usual = {one.id: one.usual for view in all_view_bindings() for one in actions_of(view, keys)}
    of_fixed = f"{_listed(sorted(FIXED))} are fixed, so that you can always leave."
    problems: list[KeySettingError] = []
    fixed: list[KeySettingError] = []
    for current, action in written.items():
        if current not in known:
            near = nearest(action, sorted(known))
            hint = f"Did you mean {near}?" if near else "List them with: platui keys --ids"
            problems.append(KeySettingError(name, action, "unknown action.", hint=hint))
        try:
            wanted = set(read_keys(written_keys[action]))
        except KeyNameError as error:
            if current in known:
                what = f"{clean(error.sentence)}."
                problems.append(KeySettingError(name, action, what, hint=clean(error.hint)))
            continue
        own = FIXED.intersection(usual.get(current, ()))
        if taken := sorted((wanted & FIXED) - own):
            what = f"{_listed(taken)} cannot be reassigned."
            fixed.append(KeySettingError(name, action, what, hint=of_fixed))
        if own and not wanted:
            what = f"{_listed(sorted(own))} cannot be removed."
            fixed.append(KeySettingError(name, action, what, hint=of_fixed))
    for id_, one in actions.items():
        for view in set(one.views) - views.keyed().keys():
            near = nearest(view, views.keyed())
            hint = f"Did you mean {near}?" if near else f"Views: {', '.join(views.keyed())}."
            what = f"unknown view {shorten(view, 40)}."
            problems.append(KeySettingError(name, id_, what, hint=hint))
    return [*problems, *fixed, *_clashes(name, written, keys)]


def _clashes(name: str, written: Mapping[str, str], keys: ActiveKeys) -> Iterator[KeySettingError]:
    # Key, the action that has it, the action that lost it -> views
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    labels: dict[str, str] = {}
    for view in all_view_bindings():
        for way in view.ways:
            actions = actions_on(way, keys)
            labels.update({one.id: one.label for one in actions})
            for clash in _lost(actions, written, keys):
                found.setdefault(clash, {})[view.title] = None

    def named(action: str) -> str:
        return f"{written.get(action, action)} ({labels[action]})"

    for (key, owner, loser), titles in found.items():
        what = (
            f"{key_label(key)} of {named(owner)} is also bound to {named(loser)} "
            f"in {_some(list(titles))}; {labels[owner]} applies."
        )
        own = "Give one of them another key."
        hint = own if loser in written else f'Give {loser} another key, or "" for none.'
        yield KeySettingError(
            name, written[owner], what, hint=hint, loser=written.get(loser, loser)
        )


def _lost(
    actions: Sequence[BoundAction], own: Collection[str], keys: ActiveKeys
) -> Iterator[tuple[str, str, str]]:
    owners = {key: one.id for one in actions if one.id in own for key in one.keys}
    for one in actions:
        for key in keys.keys_of(one.id, one.usual):
            if key not in one.keys and key in owners:
                yield key, owners[key], one.id


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(map(key_label, keys))


def _some(views: list[str]) -> str:
    if len(views) <= _FEW + 1:
        return ", ".join(views)
    return f"{', '.join(views[:_FEW])} and {len(views) - _FEW} other views"
