"""Keys that move in every view alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.ui.active_keys import bind

if TYPE_CHECKING:
    from collections.abc import Collection

    from textual.binding import Binding


def move_keys(view: str, row: str, *, but: Collection[str] = ()) -> tuple[Binding, ...]:
    """Return the keys for the actions move, page, top and end, without those named in `but`."""
    keys = (
        ("down,j", "down", "Down", f"Go one {row} down", "move(1)"),
        ("up,k", "up", "Up", f"Go one {row} up", "move(-1)"),
        ("ctrl+d", "half_page_down", "Half page down", "Go half a page down", "page(0.5)"),
        ("ctrl+u", "half_page_up", "Half page up", "Go half a page up", "page(-0.5)"),
        ("pagedown", "page_down", "Page down", "Go a page down", "page(1)"),
        ("pageup", "page_up", "Page up", "Go a page up", "page(-1)"),
        ("g,home", "top", "Top", f"Go to the first {row}", "top"),
        ("G,end", "end", "End", f"Go to the last {row}", "end"),
    )
    return tuple(
        bind(pressed, f"{view}.{name}", label, meaning, action=action)
        for pressed, name, label, meaning, action in keys
        if name not in but
    )


def side_keys(view: str) -> tuple[Binding, ...]:
    left, right = "Show what is left of the text", "Show what is right of the text"
    return (
        bind("left", f"{view}.left", "Left", left, action="sideways(-1)"),
        bind("right", f"{view}.right", "Right", right, action="sideways(1)"),
    )
