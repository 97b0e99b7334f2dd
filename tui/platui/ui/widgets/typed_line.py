"""The line that a prompt is typed on; imported when a prompt is first wanted."""

from __future__ import annotations

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input


class TypedLine(Input):
    """An input as wide as there is room, whatever is typed.

    Textual's lays out all of the screen anew for each letter: it may stand where its width
    is that of its text.
    """

    virtual_size = Reactive(Size(0, 0))
