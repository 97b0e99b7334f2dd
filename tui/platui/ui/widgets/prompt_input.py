"""The line that a prompt is typed on; imported when a prompt is first wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

from platui.ui.widgets.view_messages import ViewMessage

if TYPE_CHECKING:
    from textual import events


class TypedLine(Input):
    """An input of fixed width: Textual's lays out the screen again for each letter."""

    virtual_size = Reactive(Size(0, 0))
    lists_words: bool = False
    """Whether a `?` where a word begins asks which words there are, and is not typed."""

    class WordsWanted(ViewMessage):
        """The words that may be typed are asked for."""

    def on_key(self, event: events.Key) -> None:
        """Take a `?` that begins a word for the question that it is."""
        before = self.value[: self.cursor_position]
        if self.lists_words and event.character == "?" and before[-1:] in {"", " "}:
            event.stop()
            event.prevent_default()
            self.post_message(self.WordsWanted(self))
