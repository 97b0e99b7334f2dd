"""The key bindings of a widget class, merged by Textual from its base classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import BindingsMap

if TYPE_CHECKING:
    from textual.dom import DOMNode


def bindings_of(kind: type[DOMNode]) -> BindingsMap:
    return kind._merged_bindings or BindingsMap()  # noqa: SLF001  (pinned by a test)


def merge_bindings(kind: type[DOMNode]) -> None:
    """Merge the bindings of a class and its subclasses again."""
    kind._merged_bindings = kind._merge_bindings()  # noqa: SLF001  (pinned by a test)
    for below in kind.__subclasses__():
        merge_bindings(below)
