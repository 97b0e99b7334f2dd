"""The input of a prompt; imported when a prompt is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

from platui.ui.widgets.view_messages import WordsWanted

if TYPE_CHECKING:
    from textual import events


class PromptInput(Input):
    """An input of fixed width: Textual's own lays out the screen for each letter."""

    virtual_size = Reactive(Size(0, 0))
    lists_words: bool = False  # Whether a `?` that begins a word posts `WordsWanted`

    def on_key(self, event: events.Key) -> None:
        before = self.value[: self.cursor_position]
        if self.lists_words and event.character == "?" and before[-1:] in {"", " "}:
            event.stop()
            event.prevent_default()
            self.post_message(WordsWanted(self))
