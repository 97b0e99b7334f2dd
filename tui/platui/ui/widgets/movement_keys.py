"""The movement keys of all views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.ui.active_keys import bind

if TYPE_CHECKING:
    from collections.abc import Collection

    from textual.binding import Binding


def move_keys(view: str, row: str, *, but: Collection[str] = ()) -> tuple[Binding, ...]:
    """Return bindings of the actions move, page, top and end, except those in `but`."""
    keys = (
        ("down,j", "down", "Down", f"Move down one {row}", "move(1)"),
        ("up,k", "up", "Up", f"Move up one {row}", "move(-1)"),
        ("ctrl+d", "half_page_down", "Half page down", "Move down half a page", "page(0.5)"),
        ("ctrl+u", "half_page_up", "Half page up", "Move up half a page", "page(-0.5)"),
        ("pagedown", "page_down", "Page down", "Move down one page", "page(1)"),
        ("pageup", "page_up", "Page up", "Move up one page", "page(-1)"),
        ("g,home", "top", "Top", f"Go to the first {row}", "top"),
        ("G,end", "end", "End", f"Go to the last {row}", "end"),
    )
    return tuple(
        bind(pressed, f"{view}.{name}", label, meaning, action=action)
        for pressed, name, label, meaning, action in keys
        if name not in but
    )


def side_keys(view: str) -> tuple[Binding, ...]:
    left, right = "Scroll text left", "Scroll text right"
    return (
        bind("left", f"{view}.left", "Left", left, action="sideways(-1)"),
        bind("right", f"{view}.right", "Right", right, action="sideways(1)"),
    )
