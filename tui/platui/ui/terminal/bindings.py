"""The keys that a class of widgets declares, as Textual merges them from its bases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import BindingsMap

if TYPE_CHECKING:
    from textual.dom import DOMNode


def bindings_of(kind: type[DOMNode]) -> BindingsMap:
    """Return the bindings that a widget of a class starts with."""
    return kind._merged_bindings or BindingsMap()  # noqa: SLF001  (pinned by a test)


def merge_bindings(kind: type[DOMNode]) -> None:
    """Merge the bindings of a class and its subclasses again, as at their creation."""
    kind._merged_bindings = kind._merge_bindings()  # noqa: SLF001  (pinned by a test)
    for below in kind.__subclasses__():
        merge_bindings(below)
