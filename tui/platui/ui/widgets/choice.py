"""One of a few words, chosen in place: a field of a form that nobody types into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.message import Message

from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType


class Choice(Bar, can_focus=True):
    """Shows all words, the chosen one in brackets; colour is not needed to tell it."""

    DEFAULT_CSS = "Choice { height: 1; width: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "step(1)", "Next", show=False),
        Binding("left,h", "step(-1)", "Before", show=False),
    ]

    @dataclass
    class Changed(Message):
        """Another word is chosen."""

        choice: Choice
        value: str

        @property
        def control(self) -> Choice:
            """Return the sender."""
            return self.choice

    def __init__(
        self,
        words: Sequence[str],
        chosen: str = "",
        *,
        id: str | None = None,  # noqa: A002  (Textual's name)
    ) -> None:
        """Offer words; the first is chosen where none is named."""
        super().__init__(id=id)
        self._words = tuple(words)
        self._at = self._words.index(chosen) if chosen in self._words else 0

    @property
    def value(self) -> str:
        """Return the chosen word."""
        return self._words[self._at]

    def on_mount(self) -> None:
        """Show the words."""
        self._draw()

    def on_focus(self) -> None:
        """Show that keys come here."""
        self._draw()

    def on_blur(self) -> None:
        """Show that they go elsewhere."""
        self._draw()

    def _draw(self) -> None:
        role = "accent" if self.has_focus else "strong"
        self.show(
            tuple(
                (f"[{word}] ", role) if number == self._at else (f" {word}  ", "muted")
                for number, word in enumerate(self._words)
            )
        )

    def action_step(self, by: int) -> None:
        """Choose the next word, round the ends."""
        self._at = (self._at + by) % len(self._words)
        self._draw()
        self.post_message(self.Changed(self, self.value))
