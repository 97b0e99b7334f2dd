"""Keys that move in a view: everybody knows them, so they stand in the help alone."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

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
