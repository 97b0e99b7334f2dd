"""The line one types on: a filter, a search or a command. Not there until it is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message

from platui.present.chrome import KeyHint
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType
    from textual.widgets import Input

    from platui.present.chrome import Pieces

_COMMAND_HINTS: Final = (
    KeyHint("enter", "go"),
    KeyHint("→", "complete"),
    KeyHint("↑", "the one before"),
    KeyHint("esc", "leave"),
)
_ANSWER_HINTS: Final = (
    KeyHint("enter", "go"),
    KeyHint("↑", "the one before"),
    KeyHint("esc", "leave"),
)
_FILTER_HINTS: Final = (
    KeyHint("enter", "keep the filter"),
    KeyHint("!word", "leaves out"),
    KeyHint("esc", "clear"),
)


class Prompt(Horizontal):
    """Opens with a sign (`/`, `:`, or one of a view's own), tells what is typed, and closes.

    The input itself is imported and mounted when it is first opened, because the first
    frame does not need it.
    """

    DEFAULT_CSS = """
    Prompt { height: 1; display: none; dock: bottom; margin-bottom: 1; background: $surface; }
    Prompt.-open { display: block; }
    Prompt > #sign { width: 2; }
    Prompt > Input, Prompt > Input:focus {
        border: none; height: 1; padding: 0; width: 1fr; background: $surface;
    }
    Prompt > #told { width: auto; min-width: 20; max-width: 66%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel", id="prompt.cancel", show=False),
        Binding("down,tab", "leave", "To the list", id="prompt.leave", show=False),
        Binding("up", "recall", "Before", id="prompt.recall", show=False),
    ]

    @dataclass
    class Typed(Message):
        """The text changed."""

        prompt: Prompt
        sign: str
        text: str

        @property
        def control(self) -> Prompt:
            """Return the sender."""
            return self.prompt

    @dataclass
    class Entered(Message):
        """The text was confirmed."""

        prompt: Prompt
        sign: str
        text: str

        @property
        def control(self) -> Prompt:
            """Return the sender."""
            return self.prompt

    @dataclass
    class Cancelled(Message):
        """It was left with escape."""

        prompt: Prompt
        sign: str

        @property
        def control(self) -> Prompt:
            """Return the sender."""
            return self.prompt

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self.sign = ""
        self._input: Input | None = None
        self._entered: dict[str, list[str]] = {}

    async def ask(self, sign: str, text: str = "", words: Sequence[str] = ()) -> None:
        """Open with a sign and a text to start from; `words` complete what is typed."""
        from textual.suggester import SuggestFromList  # noqa: PLC0415  (not for the first frame)
        from textual.widgets import Input  # noqa: PLC0415  (not for the first frame)

        self.sign = sign
        if self._input is None:
            self._input = Input(id="typed", compact=True, select_on_focus=False)
            self._input.cursor_blink = False
            await self.mount(Bar(id="sign"), self._input, Bar(id="told"))
        self.query_one("#sign", Bar).show(((f" {sign}", "accent"),))
        self.tell(())
        self._input.suggester = SuggestFromList(words, case_sensitive=False) if words else None
        with self.prevent(Input.Changed):
            self._input.value = text
        self._input.cursor_position = len(text)
        self.add_class("-open")
        # At once, and not when its turn comes: the next key is meant for it.
        self.screen.set_focus(self._input)

    def tell(self, pieces: Pieces) -> None:
        """Say something at the right of what is typed."""
        if self._input is not None:
            bar = self.query_one("#told", Bar)
            bar.styles.width = max(1, sum(len(text) for text, _ in pieces) + 1)
            bar.show((), (*pieces, (" ", "text")))

    def close(self) -> None:
        """Close without a word."""
        self.remove_class("-open")

    @property
    def hints(self) -> tuple[KeyHint, ...]:
        """Return the keys that work while typing."""
        if self.sign == "/":
            return _FILTER_HINTS
        return _COMMAND_HINTS if self.sign == ":" else _ANSWER_HINTS

    @property
    def is_open(self) -> bool:
        """Return whether it is being typed on."""
        return self.has_class("-open")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what is typed."""
        event.stop()
        self.post_message(self.Typed(self, self.sign, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass on what was confirmed, and remember it."""
        event.stop()
        if event.value:
            self._entered.setdefault(self.sign, []).append(event.value)
        self.close()
        self.post_message(self.Entered(self, self.sign, event.value))

    def action_cancel(self) -> None:
        """Leave it."""
        self.close()
        self.post_message(self.Cancelled(self, self.sign))

    def action_leave(self) -> None:
        """Keep what is typed and go to the list."""
        if self._input is not None and self.sign == "/":
            self.close()
            self.post_message(self.Entered(self, self.sign, self._input.value))

    def action_recall(self) -> None:
        """Bring back what was entered last with this sign."""
        if self._input is not None and (entered := self._entered.get(self.sign)):
            self._input.value = entered[-1]
            self._input.cursor_position = len(entered[-1])
