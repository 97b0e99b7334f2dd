"""Keys that move in a view: everybody knows them, so they stand in the help alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.binding import Binding

if TYPE_CHECKING:
    from collections.abc import Collection

MOVES: Final = frozenset(
    {"down", "up", "half_page_down", "half_page_up", "page_down", "page_up", "top", "end", "left",
     "right", "side_starts", "side_ends"}
)  # fmt: skip
"""The second parts of the ids of keys that go somewhere and do nothing else."""


def move(view: str, name: str, keys: str, action: str, label: str, tooltip: str) -> Binding:
    """Return a key of a view that the footer does not name: its few places are for what one does.

    Args:
        view: the first part of the binding's id.
        name: the second part.
        keys: the keys, apart by commas.
        action: what they do.
        label: what that is called.
        tooltip: what the help says of it.
    """
    return Binding(keys, action, label, show=False, tooltip=tooltip, id=f"{view}.{name}")


def move_keys(view: str, row: str, *, but: Collection[str] = ()) -> tuple[Binding, ...]:
    """Return the keys that move up and down in a view: with the actions move, page, top and end.

    Args:
        view: the first part of the bindings' ids.
        row: what a row of it is called.
        but: the second parts of ids of keys that the view has in another way.
    """
    keys = (
        ("down", "down,j", "move(1)", "Down", f"Go one {row} down"),
        ("up", "up,k", "move(-1)", "Up", f"Go one {row} up"),
        ("half_page_down", "ctrl+d", "page(0.5)", "Half page down", "Go half a page down"),
        ("half_page_up", "ctrl+u", "page(-0.5)", "Half page up", "Go half a page up"),
        ("page_down", "pagedown", "page(1)", "Page down", "Go a page down"),
        ("page_up", "pageup", "page(-1)", "Page up", "Go a page up"),
        ("top", "g,home", "top", "Top", f"Go to the first {row}"),
        ("end", "G,end", "end", "End", f"Go to the last {row}"),
    )
    return tuple(move(view, *key) for key in keys if key[0] not in but)


def side_keys(view: str) -> tuple[Binding, ...]:
    """Return the keys that move the texts of a view to the side."""
    return (
        move(view, "left", "left", "sideways(-1)", "Left", "Show what is left of the text"),
        move(view, "right", "right", "sideways(1)", "Right", "Show what is right of the text"),
    )
