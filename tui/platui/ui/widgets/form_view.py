"""The rows of a form, edited in place; a secret is masked from its first letter."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual import events, on
from textual.message import Message
from textual.widgets import Input

from platui.core.dataclass import dataclass
from platui.core.secrets import is_pem
from platui.present.form_rows import FormRow, Takes
from platui.ui.active_keys import bind
from platui.ui.themes import palette_of
from platui.ui.widgets.bar import beside, fit_pieces
from platui.ui.widgets.field_input import EMPTIED, HIDDEN_KEY, VALUE, FieldInput, form_hints
from platui.ui.widgets.form_cursor import MARGIN, FormCursor
from platui.ui.widgets.scrolling import RowsView, move_keys

if TYPE_CHECKING:
    from textual.geometry import Size
    from textual.strip import Strip

    from platui.present.chrome import KeyHint

_SELECT: Final = "Select the next value of this field"
_NEXT: Final = "Go to the next field, and accept the input"
_PREVIOUS: Final = "Go to the previous field, and accept the input"


class FormView(RowsView):
    """Shows `FormRow`s; the cursor moves to those with a field."""

    DEFAULT_CSS = """
    FormView { width: 1fr; height: 1fr; }
    FormView > FieldInput, FormView > FieldInput:focus {
        position: absolute; border: none; height: 1; padding: 0; background: $surface;
    }
    """
    BINDINGS = [
        *move_keys("form", "field"),
        bind("enter", "form.edit", "Change", "Change this field"),
        bind("space,left,right", "form.toggle", "Change", _SELECT, action="toggle_value"),
        bind("escape", "form.discard", "Undo", "Discard the input in this field"),
        bind("tab", "form.next_field", "Next field", _NEXT, action="next(1)"),
        bind("shift+tab", "form.previous_field", "Previous field", _PREVIOUS, action="next(-1)"),
    ]

    @dataclass
    class _TextMessage(Message):
        """Text for a field. It may be a secret: the repr leaves it out."""

        field: str
        part: str  # The part of the field; empty: no input was open
        text: str = dataclasses.field(repr=False)

    class Chosen(_TextMessage):
        """The user edits a field; the text is the first typed character, if any."""

    class Typed(_TextMessage):
        """The input of a field was accepted."""

        is_entered = False  # Whether by `enter`: other keys move the cursor themselves

    class Editing(_TextMessage):
        """The input changed and is not accepted yet."""

    class Pasted(_TextMessage):
        """Text was pasted that the open input does not take."""

    class Moved(Message):
        """The cursor moved, or an input was opened or closed."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002  (Textual's name)
        at: int = 0,
        end: str = "",
    ) -> None:
        """Start at a row; `end` is the field that the End key goes to first."""
        super().__init__(id=id)
        self.complete_fields: frozenset[str] = frozenset()
        """Fields that need no input: `enter` moves on from them."""
        self.cursor = FormCursor(at, end)
        self._input: FieldInput | None = None

    def show(self, rows: Sequence[FormRow]) -> None:
        self.cursor.set_rows(rows)
        self._lay_out()

    def _lay_out(self) -> None:
        before = len(self.cursor.lines)
        # While the rows are hidden below a question, `size` is zero; `outer_size` stays.
        self.cursor.lay_out(self.outer_size.width)
        self._fit()
        if before != len(self.cursor.lines):
            self.refresh(layout=True)

    @property
    def hints(self) -> Sequence[KeyHint]:
        return form_hints(self.cursor.row, is_typing=self.is_typing)

    @property
    def is_typing(self) -> bool:
        return self._input is not None

    def go_to(self, field: str, *, is_automatic: bool = False) -> None:
        """Move to a field; after an automatic move, the next `tab` does nothing."""
        if self.cursor.go_to(field, is_automatic=is_automatic):
            self._fit()

    def step(self, by: int, *, is_automatic: bool = False) -> None:
        if self.cursor.step(by, is_automatic=is_automatic):
            self._fit()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport, width
        return len(self.cursor.lines) + 1

    def _fit(self) -> None:
        window = self._window
        window.fit(self.outer_size.height, len(self.cursor.lines))
        own = self.cursor.lines_of_row
        if own and window.height > 0:
            window.move_to(min(max(window.top, own[-1] - window.height + 1), own[0]))
        self._place_input()
        self.refresh()
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        self._lay_out()

    # Typing

    async def type(self, line: FieldInput) -> None:
        """Open an input on its field: right of its label for `value`, else over the whole row."""
        await self._end()
        self.go_to(line.field)
        self._input = line
        self._place_input()
        await self.mount(line)
        self.focus_input()
        self.post_message(self.Moved())

    def focus_input(self) -> None:
        """Focus the open input, if any: hidden below a question, it loses the focus."""
        if self._input is not None:
            self.screen.set_focus(self._input)

    async def _end(self) -> None:
        line, self._input = self._input, None
        if line is not None:
            self.screen.set_focus(self)
            await line.remove()
            self.refresh()
            self.post_message(self.Moved())

    def leave(self) -> Typed | None:
        """Close the input of a form that is left; return its text, unless it is masked."""
        line, self._input = self._input, None
        if line is None:
            return None
        self.screen.set_focus(self)
        line.remove()
        self.post_message(self.Moved())
        return None if line.password else self.Typed(line.field, line.part, line.value)

    def _place_input(self) -> None:
        if self._input is None:
            return
        y = next(iter(self.cursor.lines_of_row), 0)
        x = MARGIN + (self.cursor.labels if self._input.part == VALUE else 0)
        self._input.styles.offset = (x, y - self._window.top)
        self._input.styles.width = max(1, self.outer_size.width - x - 1)

    @on(Input.Submitted)
    async def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        await self._take(event.value, entered=True)

    async def _take(self, text: str, *, entered: bool = False) -> None:
        if self._input is not None:
            typed = self.Typed(self._input.field, self._input.part, text)
            typed.is_entered = entered
            await self._end()
            self.post_message(typed)

    @on(Input.Changed)
    async def _changed(self, event: Input.Changed) -> None:
        event.stop()
        line = self._input
        if line is None or event.input is not line:
            return
        if line.part == HIDDEN_KEY and "=" in event.value:
            await self._take(event.value)  # the value is typed in a masked input
        elif line.is_live:
            self.post_message(self.Editing(line.field, line.part, event.value))

    @on(FieldInput.PastedLines)
    async def _lines_pasted(self, event: FieldInput.PastedLines) -> None:
        """Accept a value of several lines, such as a certificate."""
        event.stop()
        line = self._input
        if line is None:
            return
        if line.part == VALUE:
            await self._take(event.text)
        elif "=" in line.value:  # the value of the key that was typed
            await self._take(f"{line.value}{event.text}")
        elif line.part == HIDDEN_KEY and line.value.strip() and is_pem(event.text):
            await self._take(f"{line.value}={event.text}")
        else:
            await self._end()
            self.post_message(self.Pasted(line.field, line.part, event.text))

    def on_paste(self, event: events.Paste) -> None:
        """Post text that was pasted while no input was open."""
        self.cursor.clear_automatic()
        if self._input is None:
            event.stop()
            self.post_message(self.Pasted(self.cursor.field, "", event.text))

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        del key
        takes = self.cursor.row is not None and self.cursor.row.takes is not Takes.KEYS
        return takes and not self.is_typing and character is not None and character.isprintable()

    def _starts_text(self, event: events.Key) -> bool:
        row = self.cursor.row
        if row is not None and row.starts_input and event.is_printable:
            return event.key not in self.screen.active_bindings
        return self.check_consume_key(event.key, event.character)

    def on_key(self, event: events.Key) -> None:
        row = self.cursor.row
        takes_text = row is not None and row.takes is Takes.TEXT
        if event.key == "ctrl+u" and takes_text and not self.is_typing:
            chosen = self.Chosen(self.cursor.field, EMPTIED, "")
        elif self._starts_text(event) and event.character:
            chosen = self.Chosen(self.cursor.field, "", event.character)
        else:
            return
        event.stop()
        event.prevent_default()
        self.post_message(chosen)

    async def action_discard(self) -> None:
        await self._end()

    async def take(self) -> None:
        if self._input is not None:
            await self._take(self._input.value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "discard":
            return self.is_typing
        if action == "next":
            return self.is_typing or not self.cursor.is_last or parameters == (-1,)
        if action == "toggle_value":
            return self.cursor.row is not None and self.cursor.row.switches and not self.is_typing
        if action in {"page", "top", "end", "edit"} and self.is_typing:
            return False
        return super().check_action(action, parameters)

    # Keys and mouse

    def action_edit(self) -> None:
        if self.cursor.field in self.complete_fields:
            self.step(1)
        else:
            self.action_toggle_value()

    def action_toggle_value(self) -> None:
        """Post that the user changes the field at the cursor."""
        if self.cursor.field:
            self.post_message(self.Chosen(self.cursor.field, "", ""))

    async def action_next(self, by: int) -> None:
        """Move to another field; a `tab` right after an automatic move does nothing."""
        if by != 1 or not self.cursor.clear_automatic():
            await self.action_move(by)

    async def action_move(self, by: int) -> None:  # type: ignore[override]  # Textual awaits both
        await self.take()
        self.step(by)

    def page(self, rows: int) -> None:
        self.step(rows)

    def action_end(self) -> None:
        if self.cursor.go_to_end():
            self._fit()

    def wheel(self, rows: int) -> None:
        if not self.is_typing:
            self._window.scroll(rows)
            self.refresh()

    # Painting

    def render_line(self, y: int) -> Strip:
        palette = palette_of(self.app)
        width = self.size.width
        line = self.cursor.line(self._window.top + y)
        ground = palette.base
        if line.is_current:
            focused = self.has_focus or self.is_typing
            ground += palette.cursor if focused else palette.cursor_unfocused
        right = fit_pieces(line.right, width // 2, ground, palette)
        segments = beside(line.left, right, width - 1, ground, palette)
        return self.row_strip(y, segments, ground)
