"""What `?` shows: every key that works here and now, to be searched and run; and signs."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from platui.present.guide.told import GUIDES, with_keys
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.keys_in_use import HasKeys
from platui.ui.screens.base import PlaceScreen
from platui.ui.widgets.moves import MOVES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import App
    from textual.dom import DOMNode

GROUPS: Final = {
    "table": "move", "detail": "move", "raw": "move",
    "triage": "incident", "projects": "project", "pipelines": "pipeline", "pipeline": "pipeline",
    "since": "pipeline", "jobs": "job", "schedules": "schedule", "access": "report",
    "log": "log", "many": "log", "compare": "log", "text": "log", "watch": "watch",
    "write": "change", "run": "change", "form": "change", "preview": "move", "list": "list",
    "hits": "list", "file": "", "place": "here", "app": "go",
}  # fmt: skip
"""The first part of a binding's id -> under which word it stands."""

_IN_DIALOGS: Final = {"chooser": "watch"}
"""The same of dialogs, whose keys are nobody's to choose."""

_ORDER: Final = (
    "incident",
    "project",
    "pipeline",
    "job",
    "schedule",
    "report",
    "log",
    "watch",
    "change",
    "sign",
    "list",
    "move",
    "here",
    "go",
    "",
)

_SIGN: Final = "sign"
_OF_ALL_VIEWS: Final = frozenset({"watch", "change", _SIGN, "list", "move", "here", "go", ""})
"""Groups of what is not this view's alone: they stand behind the words about it on a low screen."""

Actions = dict[str, tuple["DOMNode", str]]
"""Binding id -> where it runs, and the action."""


def help_menu(app: App[Any], listed: Iterable[tuple[str, str]]) -> tuple[Menu, Actions]:
    """Return the list of keys, signs and commands, and what each key does.

    Args:
        app: whose keys they are.
        listed: commands, each with what it does.
    """
    items, actions = bound_actions(app)
    # Each of them has its place already: a sort leaves equals as they are.
    items = sorted([*items, *_signs(app)], key=_place)
    commands = [
        MenuItem(f":{text}", f":{_typed(text)}", f"{what}  (:{text})", ":", "command")
        for text, what in listed
    ]
    lead = _guide(app) or _guide_of_dialog(app, items)
    own = sum(item.group not in _OF_ALL_VIEWS for item in items)
    menu = Menu("Keys and commands", [*items, *commands], wraps=True, lead=lead, own=own)
    return menu, actions


def _guide(app: App[Any]) -> str:
    """Return what explains the view on top, with the keys in use; empty: a dialog is."""
    shown = app.screen
    if not isinstance(shown, PlaceScreen) or not isinstance(app, HasKeys):
        return ""
    from platui.ui.screen_keys import keys_named  # noqa: PLC0415  (it imports every screen)

    keys = keys_named(shown.guide, app.keys_in_use)
    return with_keys(GUIDES[shown.guide], lambda action: keys.get(action, ""))


def _guide_of_dialog(app: App[Any], items: Iterable[MenuItem]) -> str:
    """Return what explains the dialog on top, with the keys in use; empty: it has nothing."""
    keys = {item.value: item.key for item in items}
    return with_keys(getattr(app.screen, "GUIDE", ""), lambda action: keys.get(action, ""))


def _typed(command: str) -> str:
    """Return what of a command is typed as it stands, without what stands for something."""
    words = command.split()
    return " ".join(takewhile(str.islower, words)) or words[0]


def bound_actions(app: App[Any]) -> tuple[list[MenuItem], Actions]:
    """Return every bound action of the screen on top, each once with all of its keys."""
    actions: Actions = {}
    keys: dict[str, list[str]] = {}
    found: dict[str, MenuItem] = {}
    for active in app.screen.active_bindings.values():
        binding = active.binding
        if not binding.id or binding.system:
            continue
        keys.setdefault(binding.id, []).append(app.get_key_display(binding))
        actions[binding.id] = (active.node, binding.action)
        found[binding.id] = MenuItem(
            value=binding.id,
            title=binding.description,
            hint=binding.tooltip,
            group=_group(binding.id),
            muted=not active.enabled,
        )
    items = [
        MenuItem(item.value, item.title, item.hint or item.group, " ".join(keys[name][:3]),
                 item.group, item.muted)
        for name, item in found.items()
    ]  # fmt: skip
    items.sort(key=_place)
    return items, actions


def _group(action: str) -> str:
    """Return under which word an action stands."""
    view, _, name = action.partition(".")
    return "move" if name in MOVES else GROUPS.get(view, _IN_DIALOGS.get(view, ""))


def _signs(app: App[Any]) -> list[MenuItem]:
    """Return what the view on top draws; these are only to be read."""
    shown = app.screen
    signs = shown.SIGNS if isinstance(shown, PlaceScreen) else ()
    return [
        MenuItem(_SIGN, sign.name, sign.meaning, sign.drawn, _SIGN, muted=True) for sign in signs
    ]


def _place(item: MenuItem) -> tuple[int, bool]:
    """Return where an action stands: by its group, the ways to other panes and views at its end."""
    group = _ORDER.index(item.group) if item.group in _ORDER else len(_ORDER)
    return group, item.value.startswith(("list.pane", "pipeline."))
