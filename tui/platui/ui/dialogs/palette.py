"""What ctrl+p shows: actions, places and themes, to be searched and done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from platui.models.values.places import Place, View
from platui.ui.dialogs.help import bound_actions
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.reaction import WRITE_KEYS
from platui.ui.theming import theme_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.ui.switcher import SwitcherApp

Deeds = dict[str, "Callable[[], object]"]
"""Value of a choice -> what to do."""

_CANCEL: Final = "Send nothing further of what waits to be sent"
_TRIGGER: Final = "Start a pipeline with the project's trigger token; a form, which asks first"

_PROFILES: Final = "Go over to another profile"
_WATCH: Final = "Choose among all projects which are watched"

_LISTS: Final = (
    (View.GROUPS, "Access: groups", "Groups and projects as a tree: who holds which level where"),
    (View.CHANGES, "Access: changes", "What is different since an earlier access report"),
)
"""Lists that have no key of their own from elsewhere."""
_MOVES: Final = ("table.", "menu.", "detail.", "raw.", "prompt.")


def palette_menu(app: SwitcherApp, search: str = "") -> tuple[Menu, Deeds]:
    """Return the list of all that can be done from here, and how."""
    deeds: Deeds = {}
    items: list[MenuItem] = []
    bound, actions = bound_actions(app)
    off = app.service.writes == "off"
    for item in bound:
        if item.value.startswith(_MOVES) or item.muted or (off and _writes(item)):
            continue
        node, action = actions[item.value]
        deeds[item.value] = partial(app.run_action, action, node)
        items.append(item)
    deeds["go:requests"] = partial(app.go, Place(View.REQUESTS))
    items.append(MenuItem("go:requests", "Requests", "What platui asked of the platform", "", "go"))
    for view, title, what in _LISTS:
        deeds[f"go:{view.value}"] = partial(app.go, Place(view))
        items.append(MenuItem(f"go:{view.value}", title, what, "", "go"))
    deeds["watch:choose"] = partial(app.do, "watch", "")
    items.append(MenuItem("watch:choose", "Watch list", _WATCH, "", "go"))
    if app.switchboard is not None:
        deeds["go:profile"] = partial(app.do, "profile", "")
        items.append(MenuItem("go:profile", "Profiles", _PROFILES, "", "go"))
    if app.can_trigger and not off:
        deeds["write:trigger"] = app.trigger_here
        items.append(MenuItem("write:trigger", "Trigger", _TRIGGER, "", "change"))
    if not off:
        deeds["write:last"] = app.show_last_write
        items.append(MenuItem("write:last", "Last write", "How it goes, or went", "", "change"))
    if app.can_stop_write:
        deeds["write:cancel"] = app.stop_write
        items.append(MenuItem("write:cancel", "Cancel the write", _CANCEL, "", "change"))
    for name in sorted({*theme_files()}):
        deeds[f"theme:{name}"] = partial(app.wear, name)
        items.append(MenuItem(f"theme:{name}", f"Theme {name}", "", "", "theme"))
    return Menu("What to do", items, search), deeds


def _writes(item: MenuItem) -> bool:
    return item.value.startswith(WRITE_KEYS)
