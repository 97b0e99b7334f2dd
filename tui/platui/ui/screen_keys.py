"""Which actions there are in each view, and by which keys: for the help of the command line.

What the dashboard does with a key is decided where the key is pressed. Here the same classes are
looked at without running any: what is greyed at times is listed, what a view never has is not.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from textual.binding import Binding

from platui.models.values.places import View
from platui.present.guide.titles import RAW, SAVED_LOG, TITLES
from platui.ui.key_names import said
from platui.ui.navigator import SCREENS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.dom import DOMNode

    from platui.ui.keys_in_use import KeysInUse

_WIDGETS: Final = {
    "table": ("platui.ui.widgets.table", "Table"),
    "detail": ("platui.ui.widgets.detail_pane", "DetailPane"),
    "log": ("platui.ui.widgets.log_view", "LogView"),
    "compare": ("platui.ui.widgets.compare_view", "CompareView"),
    "raw": ("platui.ui.widgets.raw_view", "RawView"),
    "form": ("platui.ui.widgets.form", "Form"),
    "fields": ("platui.ui.widgets.form_view", "FormView"),
    "preview": ("platui.ui.widgets.preview", "Preview"),
}
_LIST: Final = (("table",), ("detail",))
_TEXT: Final = (("log",),)
_FORM: Final = (("fields", "form"), ("preview", "form"))

_PANES: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    View.LOG: _TEXT,
    View.MANY: _TEXT,
    View.FILE: _TEXT,
    View.COMPARE: (("compare",),),
    View.RUN: _FORM,
    View.REQUESTS: (("table",),),
    View.SEARCH: (("table",),),
    View.SINCE: (("table",),),
}
"""What of a view can have the keys, each with what it lies in; those not named are lists."""

_APP: Final = ("platui.ui.app", "PlatuiApp")
_OTHERS: Final = {
    SAVED_LOG: (
        ("platui.ui.screens.log_file", "LogFileScreen"),
        ("platui.ui.log_file_app", "LogFileApp"),
        _TEXT,
    ),
    RAW: (("platui.ui.dialogs.raw", "RawDialog"), _APP, (("raw",),)),
}
"""What is no place of the dashboard: its screen, its app, and what of it can have the keys."""


class KeyedView(NamedTuple):
    """A view, and what of it has keys."""

    name: str
    title: str
    screen: type[DOMNode]
    app: type[DOMNode]
    panes: tuple[tuple[type[DOMNode], ...], ...]
    """Of each part that can have the focus: it, and what it lies in."""

    def ways(self) -> Iterator[tuple[type[DOMNode], ...]]:
        """Yield what a key passes, from each part that can have the focus up to the app."""
        for pane in self.panes:
            yield (*pane, self.screen, self.app)


class BoundAction(NamedTuple):
    """One action of a view."""

    id: str
    keys: tuple[str, ...]
    """As Textual names them; none: it is bound to no key."""
    label: str
    meaning: str
    usual: tuple[str, ...]
    """The keys that it has in the code."""


def keyed_views() -> tuple[KeyedView, ...]:
    """Return every view, in the order of the dashboard; each of their modules is imported."""
    return tuple(map(keyed_view, (*View, SAVED_LOG, RAW)))


@cache
def keyed_view(name: str) -> KeyedView:
    """Return the view of a name, one of `TITLES`; no other one is imported."""
    screen, app, panes = _OTHERS.get(name) or (SCREENS[View(name)], _APP, _PANES.get(name, _LIST))
    return KeyedView(str(name), TITLES[name], _class(*screen), _class(*app), _panes(panes))


def actions_of(view: KeyedView, keys: KeysInUse) -> list[BoundAction]:
    """Return every action of a view, each once, what is nearest to the cursor first."""
    found: dict[str, BoundAction] = {}
    for way in view.ways():
        for one in actions_on(way, keys):
            before = found.get(one.id, one)
            found[one.id] = one._replace(keys=tuple(dict.fromkeys([*before.keys, *one.keys])))
    return list(found.values())


def actions_on(way: Sequence[type[DOMNode]], keys: KeysInUse) -> list[BoundAction]:
    """Return every action that a key may come to on its way from the focus to the app."""
    bound: dict[str, list[str]] = {}
    for of_kind in keys.together(way):
        for key, bindings in of_kind.items():
            for binding in bindings:
                bound.setdefault(binding.id or "", []).append(key)
    found: dict[str, BoundAction] = {}
    for kind in way:
        for binding in _bindings(kind):
            if binding.id and binding.id not in found and not is_absent(binding, kind):
                found[binding.id] = _action(binding, kind, tuple(bound.get(binding.id, ())))
    return list(found.values())


def keys_named(name: str, keys: KeysInUse) -> dict[str, str]:
    """Return the first key of each action of the view of that name, as people say it."""
    actions = actions_of(keyed_view(name), keys)
    return {one.id: said(one.keys[0]) if one.keys else "" for one in actions}


def action_ids() -> frozenset[str]:
    """Return the id of every action that can be bound."""
    return frozenset(
        binding.id
        for view in keyed_views()
        for way in view.ways()
        for kind in way
        for base in kind.__mro__
        if ".dialogs." not in base.__module__
        for binding in vars(base).get("BINDINGS", ())
        if isinstance(binding, Binding) and binding.id
    )


def is_absent(binding: Binding, kind: type[DOMNode]) -> bool:
    """Return whether a kind of view never has what a binding of it does."""
    name, _, given = binding.action.partition("(")
    if name in getattr(kind, "WITHOUT", ()):
        return True
    if name == "rerun":
        return not getattr(kind, "RERUNS", True)
    return name == "act" and given.strip("')") not in getattr(kind, "ACTS", ())


def _bindings(kind: type[DOMNode]) -> Iterator[Binding]:
    merged = kind._merged_bindings  # noqa: SLF001  (what a node of it starts with)
    for _, binding in merged or ():
        yield binding


def _action(binding: Binding, kind: type[DOMNode], keys: tuple[str, ...]) -> BoundAction:
    usual = tuple(one.key for one in _bindings(kind) if one.id == binding.id)
    return BoundAction(binding.id or "", keys, binding.description, binding.tooltip, usual)


def _panes(names: tuple[tuple[str, ...], ...]) -> tuple[tuple[type[DOMNode], ...], ...]:
    return tuple(tuple(_class(*_WIDGETS[name]) for name in pane) for pane in names)


def _class(module: str, name: str) -> type[DOMNode]:
    found: type[DOMNode] = getattr(import_module(module), name)
    return found
