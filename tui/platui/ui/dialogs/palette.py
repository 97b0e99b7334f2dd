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
    from collections.abc import Callable, Iterator

    from platui.ui.app import PlatuiApp

Actions = dict[str, "Callable[[], object]"]  # Value of a choice -> its action

_MOVES: Final = ("table.", "menu.", "detail.", "raw.", "prompt.")


def palette_menu(app: PlatuiApp) -> tuple[Menu, Actions]:
    bound, bindings = bound_actions(app)
    hidden = (*_MOVES, WRITE_KEYS) if app.service.writes == "off" else _MOVES
    items = [item for item in bound if not item.muted and not item.value.startswith(hidden)]
    actions: Actions = {}
    for item in items:
        node, action = bindings[item.value]
        actions[item.value] = partial(app.run_action, action, node)
    for item, run in _choices(app):
        items.append(item)
        actions[item.value] = run
    return Menu("Commands", items), actions


def _choices(app: PlatuiApp) -> Iterator[tuple[MenuItem, Callable[[], object]]]:
    """Yield what has no key, each with its action."""
    off, verbs, writes = app.service.writes == "off", app.verbs(), app.running_writes
    for view in views.all_views():
        if view.opens_by_name and not view.is_of_project and not view.key:
            item = MenuItem(f"go:{view.id}", view.short_title, view.summary, group="go")
            yield item, partial(app.navigation.go, Route(view.id))
    item = MenuItem("watch:choose", "Watch list", "Select the watched projects", group="go")
    yield item, partial(verbs["watch"], "")
    if app.session_profiles is not None:
        item = MenuItem("go:profile", "Profiles", "Switch to another profile", group="go")
        yield item, partial(verbs["profile"], "")
    if app.write_keys.can_trigger and not off:
        hint = "Start a pipeline with a trigger token, in a form"
        yield (
            MenuItem("write:trigger", "Trigger", hint, group="change"),
            app.write_keys.trigger_here,
        )
    if not off:
        hint = "Show its progress or result"
        yield MenuItem("write:last", "Last write", hint, group="change"), writes.show_last
    if writes.can_stop:
        hint = "Cancel requests that are not sent yet"
        yield MenuItem("write:cancel", "Cancel the write", hint, group="change"), writes.stop
    for name in sorted(theme_files()):
        item = MenuItem(f"theme:{name}", f"Theme {name}", group="theme")
        yield item, partial(verbs["theme"], name)
