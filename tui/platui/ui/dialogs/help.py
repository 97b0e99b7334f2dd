"""The help of a screen: its keys, commands and signs, searchable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.present.action_groups import group_of
from platui.present.guide import page_names, read_page, with_keys
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.typed_commands import typed_part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import App
    from textual.dom import DOMNode
    from textual.screen import Screen

    from platui.ui.active_keys import ActiveKeys

_ORDER: Final = (
    *("incident", "project", "pipeline", "job", "schedule", "report", "log", "watch", "change"),
    *("sign", "list", "move", "here", "go", ""),
)

_SIGN: Final = "sign"
_OF_ALL_VIEWS: Final = frozenset({"watch", "change", _SIGN, "list", "move", "here", "go", ""})
"""Groups common to all views: below the help text on a low screen."""

Actions = dict[str, tuple["DOMNode", str]]  # Binding id -> node and action


def help_menu(
    app: App[Any], listed: Iterable[tuple[str, str]], active_keys: ActiveKeys
) -> tuple[Menu, Actions]:
    items, actions = bound_actions(app)
    signs = app.screen.SIGNS if isinstance(app.screen, ViewScreen) else ()
    items += (MenuItem(_SIGN, one.name, one.meaning, one.drawn, _SIGN, muted=True) for one in signs)
    items.sort(key=_order)
    commands = []
    for text, what in listed:
        title = f":{typed_part(text).strip() or text.split()[0]}"
        commands.append(MenuItem(f":{text}", title, f"{what}  (:{text})", ":", "command"))
    lead = _page_of_view(app.screen, active_keys)
    if not lead and (dialog := getattr(app.screen, "GUIDE", "")):
        keys = {item.value: item.key for item in items}
        lead = with_keys(read_page("dialogs", dialog).text, lambda key: keys.get(key, ""))
    own = sum(item.group not in _OF_ALL_VIEWS for item in items)
    menu = Menu("Keys and commands", [*items, *commands], wraps=True, lead=lead, own=own)
    return menu, actions


def _page_of_view(shown: Screen[Any], active_keys: ActiveKeys) -> str:
    if not isinstance(shown, ViewScreen) or shown.guide not in page_names("views"):
        return ""
    from platui.ui.screen_keys import keys_named  # noqa: PLC0415  (it imports every screen)

    keys = keys_named(shown.guide, active_keys)
    return with_keys(read_page("views", shown.guide).text, lambda action: keys.get(action, ""))


def bound_actions(app: App[Any]) -> tuple[list[MenuItem], Actions]:
    """Return every bound action of the current screen, with all of its keys."""
    actions: Actions = {}
    keys: dict[str, list[str]] = {}
    items: dict[str, MenuItem] = {}
    for active in app.screen.active_bindings.values():
        binding = active.binding
        if not binding.id or binding.system:
            continue
        keys.setdefault(binding.id, []).append(app.get_key_display(binding))
        actions[binding.id] = (active.node, binding.action)
        group = group_of(binding.id)
        shown = " ".join(keys[binding.id][:3])
        title, hint = binding.description, binding.tooltip or group
        items[binding.id] = MenuItem(binding.id, title, hint, shown, group, not active.enabled)
    return sorted(items.values(), key=_order), actions


def _order(item: MenuItem) -> tuple[int, bool]:
    """Return the sort key of an action: group, then keys to other panes and views last."""
    group = _ORDER.index(item.group) if item.group in _ORDER else len(_ORDER)
    return group, item.value.startswith(("list.next_pane", "list.previous_pane", "pipeline."))
