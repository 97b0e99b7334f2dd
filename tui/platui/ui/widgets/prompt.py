"""The input line for a filter, a search or a command."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import field
from time import monotonic
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual.containers import Horizontal

from platui.core.dataclass import dataclass
from platui.present.chrome import KeyHint, Pieces
from platui.ui.active_keys import bind
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.view_messages import ViewMessage

if TYPE_CHECKING:
    from textual.widgets import Input

    from platui.ui.widgets.hit_list import HitList
    from platui.ui.widgets.prompt_input import PromptInput

_GO: Final = KeyHint("enter", "go")
_LEAVE: Final = (KeyHint("↑", "history"), KeyHint("esc", "cancel"))
_COMMAND_HINTS: Final = (
    _GO,
    KeyHint("tab", "complete"),
    KeyHint("↑↓", "choose, history"),
    KeyHint("esc", "cancel"),
)
_ANSWER_HINTS: Final = (_GO, *_LEAVE)
_FILTER_HINTS: Final = (
    KeyHint("enter", "apply filter"),
    KeyHint("!word", "excludes"),
    KeyHint("esc", "cancel"),
)
_EVERYWHERE_HINTS: Final = (
    KeyHint("enter", "search all logs"),
    KeyHint("/…/", "regex"),
    *_LEAVE,
)
_BY_SIGN: Final = {"/": _FILTER_HINTS, ":": _COMMAND_HINTS, "\\": _EVERYWHERE_HINTS}

COMMAND: Final = ":"
_STEP: Final = 20  # Cells by which the status grows


@dataclass
class PromptMessage(ViewMessage):
    """Text for a field. It may be a secret: the repr leaves it out."""

    sign: str
    text: str = field(default="", repr=False)


class Prompt(Horizontal):
    """Opens with a sign and posts the typed text; its input is mounted when first opened."""

    DEFAULT_CSS = """
    Prompt { height: 1; display: none; dock: bottom; margin-bottom: 1; background: $surface; }
    Prompt.-open { display: block; }
    Prompt > #sign { width: 2; }
    Prompt > Input, Prompt > Input:focus {
        border: none; height: 1; padding: 0; width: 1fr; background: $surface;
    }
    Prompt > #status { width: auto; min-width: 20; max-width: 66%; }
    """
    BINDINGS = [
        bind("escape", "prompt.cancel", "Cancel"),
        bind("tab", "prompt.leave", "To the list", action="leave_or_switch"),
        bind("ctrl+r", "prompt.switch", "Plain or regex"),
        bind("ctrl+g", "prompt.widen", "In all logs"),
        bind("up", "prompt.recall", "Previous", action="recall(1)"),
        bind("down", "prompt.after", "Next", action="recall(-1)"),
    ]

    class Typed(PromptMessage):
        """The text changed."""

    class Entered(PromptMessage):
        """The text was confirmed."""

    class Cancelled(PromptMessage):
        """The prompt was cancelled."""

    class Switched(PromptMessage):
        """The user toggles plain text and regex."""

    class Widened(PromptMessage):
        """The user searches all logs for the text."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self.sign = ""
        self.opened_at = 0.0  # Monotonic seconds
        self._hints: tuple[KeyHint, ...] = ()
        self._switches = self._widens = False
        self._draft = ""
        self._status_cells = 0
        self._back = 0  # Steps back in the history
        self.hits: HitList | None = None  # What the typed text opens
        self._input: PromptInput | None = None
        self._making = asyncio.Lock()
        self._entered: dict[str, list[str]] = {}
        self._history: list[str] = []

    async def ask(
        self,
        sign: str,
        text: str = "",
        words: Sequence[str] = (),
        *,
        history: list[str] | None = None,
        hints: tuple[KeyHint, ...] = (),
        switches: bool = False,
        widens: bool = False,
        lists_words: bool = False,
    ) -> None:
        """Open the prompt; `words` complete the text, `sign` selects keys if no `hints` do.

        What is entered is added to the history: one of each sign, unless it is given.
        """
        from textual.suggester import SuggestFromList  # noqa: PLC0415  (not for the first frame)
        from textual.widgets import Input  # noqa: PLC0415  (not for the first frame)

        # Notifications would cover the prompt.
        self.app.clear_notifications()
        self.sign, self._hints, self._switches, self._widens = sign, hints, switches, widens
        self._back = 0
        self._history = self._entered.setdefault(sign, []) if history is None else history
        line = await self.prepare()
        self.query_one("#sign", Bar).show(((f" {sign}", "accent"),))
        self._status_cells = 0
        self.show_status(())
        line.lists_words = lists_words
        line.suggester = SuggestFromList(words, case_sensitive=False) if words else None
        with self.prevent(Input.Changed):
            line.value = text
        line.cursor_position = len(text)
        self.add_class("-open")
        self.opened_at = monotonic()
        # At once: the next key is meant for the prompt.
        self.screen.set_focus(line)

    async def prepare(self) -> PromptInput:
        """Mount the input; may be called before the prompt is opened."""
        async with self._making:  # it may be opened at the same time
            if self._input is None:
                from platui.ui.widgets.prompt_input import PromptInput  # noqa: PLC0415  (as above)

                line = PromptInput(id="typed", compact=True, select_on_focus=False)
                line.cursor_blink = False
                await self.mount(Bar(id="sign"), line, Bar(id="status"))
                self._input = line
        return self._input

    async def prepare_hits(self) -> None:
        """Mount the list of hits; may be called again."""
        if self.hits is None:
            from platui.ui.widgets.hit_list import HitList  # noqa: PLC0415  (on first use)

            self.hits = HitList(self)
            await self.screen.mount(self.hits)

    def show_status(self, pieces: Pieces) -> None:
        # None: not mounted yet, or its screen closes.
        if (bar := self.query_one_optional("#status", Bar)) is not None:
            cells = sum(cell_len(text) for text, _ in pieces) + 1
            # Grow in steps and never shrink: a new width lays out the whole screen.
            self._status_cells = max(self._status_cells, -(-cells // _STEP) * _STEP)
            bar.styles.width = self._status_cells
            bar.show((), (*pieces, (" ", "text")))

    def insert(self, text: str) -> None:
        if self._input is not None:
            self._input.insert_text_at_cursor(text)

    def close(self) -> None:
        self.remove_class("-open")
        if self.hits is not None:
            self.hits.clear()

    @property
    def hints(self) -> tuple[KeyHint, ...]:
        return self._hints or _BY_SIGN.get(self.sign, _ANSWER_HINTS)

    @property
    def is_open(self) -> bool:
        return self.has_class("-open")

    @property
    def text(self) -> str:
        return "" if self._input is None else self._input.value

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._back and self.text != self._history[-self._back]:
            self._back = 0  # what was recalled is changed
        self.post_message(self.Typed(self, self.sign, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._remember(event.value)
        if self.sign != COMMAND:  # it stays open while nothing is found
            self.close()
        self.post_message(self.Entered(self, self.sign, event.value))

    def _remember(self, text: str) -> None:
        if text:
            if text in self._history:
                self._history.remove(text)
            self._history.append(text)

    def action_cancel(self) -> None:
        self.close()
        self.post_message(self.Cancelled(self, self.sign))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if (action == "switch" and not self._switches) or (action == "widen" and not self._widens):
            return False
        return super().check_action(action, parameters)

    def action_leave_or_switch(self) -> None:
        if self._switches:
            self.action_switch()
        elif self.hits is not None and (hit := self.hits.hit) is not None and self._input:
            self._input.value = hit.completion or self._input.value
            self._input.cursor_position = len(self._input.value)
        else:
            self._apply_filter()

    def action_switch(self) -> None:
        self.post_message(self.Switched(self, self.sign, self.text))

    def action_widen(self) -> None:
        if text := self.text:
            self._remember(text)
            self.close()
            self.post_message(self.Widened(self, self.sign, text))

    def action_recall(self, steps: int) -> None:
        """Choose a hit, or show an older or newer entry; below the newest, go to the list."""
        if self._input is None:
            return
        if not self._back and self.hits is not None and self.hits.move(-steps):
            return
        entered, back = self._history, self._back + steps
        if back < 0:
            self._apply_filter()
        elif back <= len(entered):
            if not self._back:
                self._draft = self._input.value
            self._back = back
            self._input.value = entered[-back] if back else self._draft
            self._input.cursor_position = len(self._input.value)

    def close_for_list(self) -> None:
        """Go to the list: a filter is applied, other text is dropped."""
        if self.sign == "/":
            self._apply_filter()
        else:
            self.action_cancel()

    def _apply_filter(self) -> None:
        if self.sign == "/":
            self.close()
            self.post_message(self.Entered(self, self.sign, self.text))
