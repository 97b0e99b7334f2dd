"""The registered views, from which keys, commands, palette, addresses and help follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from platui.ui.view import GENERIC_LIST, TEXT, View
from platui.ui.view_list import BUILT_IN

_VIEWS: Final = {view.id: view for view in BUILT_IN}
_LISTENERS: Final[list[Callable[[], None]]] = []


def register(view: View) -> None:
    """Add a view. Raises ValueError on a clash, or if it has neither table nor screen."""
    from platui.ui.verbs import BY_WORD  # noqa: PLC0415  (not for a first frame)

    for other in _VIEWS.values():
        same_key = view.key == other.key != "" or view.number == other.number != ""
        if same_key or view.id == other.id or {*view.words} & {*other.words}:
            raise ValueError(f"{view.id} clashes with {other.id}")
    # The command of such a view always has a `field=value`, unlike a verb.
    has_fields = view.always_written or {*view.required_fields} - {"project", "pipeline"}
    words = view.words or (() if has_fields else (view.id,))
    if not BY_WORD.keys().isdisjoint(words):
        raise ValueError(f"{view.id} clashes with a verb")
    if view.screen == GENERIC_LIST and not (view.resource and view.table):
        raise ValueError(f"{view.id} needs a resource and a table, or its own screen")
    _VIEWS[view.id] = view
    _notify()


def unregister(view: View) -> None:
    del _VIEWS[view.id]
    _notify()


def _notify() -> None:
    for listener in _LISTENERS:
        listener()


def on_change(listener: Callable[[], None]) -> None:
    _LISTENERS.append(listener)


def all_views() -> tuple[View, ...]:
    return tuple(_VIEWS.values())


def find(name: str) -> View | None:
    return _VIEWS.get(name)


def get(name: str) -> View:
    return _VIEWS[name]


SAVED_LOG: Final = View(
    "saved-log",
    title="A saved log",
    screen="platui.ui.screens.logs.log_file:LogFileScreen",
    panes=TEXT,
    app="platui.ui.log_file_app:LogFileApp",
)
RAW: Final = View(
    "raw",
    title="Raw JSON of a record",
    screen="platui.ui.dialogs.raw:RawDialog",
    panes=(("platui.ui.widgets.raw_view:RawView",),),
)


def keyed() -> dict[str, View]:
    """Return all views that have keys, including a saved log and raw JSON."""
    return {view.id: view for view in (*_VIEWS.values(), SAVED_LOG, RAW)}
