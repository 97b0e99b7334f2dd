"""Menus of actions: the help of a screen, with its keys, commands and signs, and the palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from platui.models.values.routes import Route
from platui.present.action_groups import group_of
from platui.present.guide import page_names, read_page, with_keys
from platui.ui import views
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.dialogs.palette import Palette
from platui.ui.key_guard import WRITE_KEYS
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.themes import theme_files
from platui.ui.typed_commands import typed_part

if TYPE_CHECKING:
    from textual.binding import Binding

    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import CommandApp

_ORDER: Final = (
    *("incident", "project", "pipeline", "job", "schedule", "report", "log", "watch", "change"),
    *("sign", "list", "move", "here", "go", ""),
)

_SIGN: Final = "sign"
_FIRST: Final = 5  # Keys of the footer above the help text on a low screen

_NOT_LISTED: Final = ("table.", "menu.", "detail.", "raw.", "prompt.", "app.palette")
"""Beginnings of what the palette leaves out: moves, and itself."""

Actions = dict[str, "Callable[[], object]"]  # Value of a choice -> its action


def help_menu(app: CommandApp, ask: Callable[[str], object]) -> tuple[Menu, Actions]:
    """Return the help of the current screen; `ask` opens the prompt with the words of a command."""
    items, actions = _bound_actions(app)
    view = app.screen if isinstance(app.screen, ViewScreen) else None
    signs, footer = (view.SIGNS, view.FOOTER) if view is not None else ((), ())
    items += (MenuItem(_SIGN, one.name, one.meaning, one.drawn, _SIGN, muted=True) for one in signs)
    places = {action: place for place, action in enumerate(footer)}
    items.sort(key=lambda item: (places.get(item.value, len(places)), *_order(item)))
    commands = []
    for text, what in app.commands():
        typed = typed_part(text)
        title = f":{typed.strip() or text.split()[0]}"
        actions[f":{text}"] = partial(ask, typed)
        commands.append(MenuItem(f":{text}", title, f"{what}  (:{text})", ":", "command"))
    lead = _page_of_view(app)
    if not lead and (dialog := getattr(app.screen, "GUIDE", "")):
        keys = {item.value: item.key for item in items}
        lead = with_keys(read_page("dialogs", dialog).text, lambda key: keys.get(key, ""))
    first = min(_FIRST, sum(item.value in places for item in items))
    menu = Menu("Keys and commands", [*items, *commands], lead=lead, above=first)
    return menu, actions


def _page_of_view(app: CommandApp) -> str:
    guide = app.screen.body.context.guide if isinstance(app.screen, ViewScreen) else ""
    if guide not in page_names("views"):
        return ""
    from platui.ui.screen_keys import keys_named  # noqa: PLC0415  (it imports every screen)

    keys = keys_named(guide, app.active_keys)
    return with_keys(read_page("views", guide).text, lambda action: keys.get(action, ""))


def _bound_actions(app: CommandApp) -> tuple[list[MenuItem], Actions]:
    """Return every bound action of the current screen, with all of its keys."""
    actions: Actions = {}
    keys: dict[str, list[str]] = {}
    items: dict[str, MenuItem] = {}
    for active in app.screen.active_bindings.values():
        binding = active.binding
        if not binding.id or binding.system:
            continue
        keys.setdefault(binding.id, []).append(app.get_key_display(binding))
        actions[binding.id] = partial(app.run_action, binding.action, active.node)
        shown = " ".join(keys[binding.id][:3])
        items[binding.id] = _item(binding, binding.id, shown, active.enabled)
    if isinstance(app.screen, TerminalScreen):  # what has no key, or another's action has its key
        for id_, enabled in app.screen.offered_commands().items():
            declared = app.screen.commands[id_].COMMANDS.get(id_)
            if declared is not None and id_ not in items and not declared[0].system:
                actions[id_] = partial(app.run_action, f"run('{id_}')", app.screen)
                items[id_] = _item(declared[0], id_, "", enabled)
    return sorted(items.values(), key=_order), actions


def _item(binding: Binding, id_: str, keys: str, enabled: bool) -> MenuItem:  # noqa: FBT001  (its state)
    group = group_of(id_)
    return MenuItem(id_, binding.description, binding.tooltip or group, keys, group, not enabled)


def _order(item: MenuItem) -> tuple[int, bool]:
    """Return the sort key of an action: group, then keys to other panes and views last."""
    group = _ORDER.index(item.group) if item.group in _ORDER else len(_ORDER)
    return group, item.value.startswith(("list.next_pane", "list.previous_pane", "pipeline."))


def palette_menu(app: PlatuiApp) -> tuple[Menu, Actions]:
    bound, actions = _bound_actions(app)
    hidden = (*_NOT_LISTED, WRITE_KEYS) if app.service.writes == "off" else _NOT_LISTED
    items = [item for item in bound if not item.muted and not item.value.startswith(hidden)]
    for item, run in _choices(app):
        items.append(item)
        actions[item.value] = run
    return Palette(items, actions, app.jump.prompt), actions


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
        item = MenuItem("write:trigger", "Trigger", hint, group="change")
        yield item, app.write_keys.trigger_here
    if not off:
        hint = "Show its progress or result"
        yield MenuItem("write:last", "Last write", hint, group="change"), writes.show_last
    if writes.can_stop:
        hint = "Cancel requests that are not sent yet"
        yield MenuItem("write:cancel", "Cancel the write", hint, group="change"), writes.stop
    for name in sorted(theme_files()):
        item = MenuItem(f"theme:{name}", f"Theme {name}", group="theme")
        yield item, partial(verbs["theme"], name)
