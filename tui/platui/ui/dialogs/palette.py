"""The command palette: search and run actions, views and themes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from platui.models.values.routes import Route
from platui.ui import views
from platui.ui.dialogs.help import bound_actions
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.key_guard import WRITE_KEYS
from platui.ui.themes import theme_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.ui.app import PlatuiApp

Actions = dict[str, "Callable[[], object]"]  # Value of a choice -> its action

_CANCEL: Final = "Cancel requests that are not sent yet"
_TRIGGER: Final = "Start a pipeline with a trigger token, in a form"

_PROFILES: Final = "Switch to another profile"
_WATCH: Final = "Select the watched projects"

_MOVES: Final = ("table.", "menu.", "detail.", "raw.", "prompt.")


def palette_menu(app: PlatuiApp) -> tuple[Menu, Actions]:
    actions: Actions = {}
    items: list[MenuItem] = []
    bound, bindings = bound_actions(app)
    off, verbs = app.service.writes == "off", app.verbs()
    for item in bound:
        if (
            item.value.startswith(_MOVES)
            or item.muted
            or (off and item.value.startswith(WRITE_KEYS))
        ):
            continue
        node, action = bindings[item.value]
        actions[item.value] = partial(app.run_action, action, node)
        items.append(item)
    for view in views.all_views():
        if view.opens_by_name and not view.is_of_project and not view.key:
            actions[f"go:{view.id}"] = partial(app.navigation.go, Route(view.id))
            items.append(MenuItem(f"go:{view.id}", view.short_title, view.summary, "", "go"))
    actions["watch:choose"] = partial(verbs["watch"], "")
    items.append(MenuItem("watch:choose", "Watch list", _WATCH, "", "go"))
    if app.session_profiles is not None:
        actions["go:profile"] = partial(verbs["profile"], "")
        items.append(MenuItem("go:profile", "Profiles", _PROFILES, "", "go"))
    if app.write_keys.can_trigger and not off:
        actions["write:trigger"] = app.write_keys.trigger_here
        items.append(MenuItem("write:trigger", "Trigger", _TRIGGER, "", "change"))
    if not off:
        actions["write:last"] = app.running_writes.show_last
        items.append(
            MenuItem("write:last", "Last write", "Show its progress or result", "", "change")
        )
    if app.running_writes.can_stop:
        actions["write:cancel"] = app.running_writes.stop
        items.append(MenuItem("write:cancel", "Cancel the write", _CANCEL, "", "change"))
    for name in sorted({*theme_files()}):
        actions[f"theme:{name}"] = partial(verbs["theme"], name)
        items.append(MenuItem(f"theme:{name}", f"Theme {name}", "", "", "theme"))
    return Menu("Commands", items), actions
