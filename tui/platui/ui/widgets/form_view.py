"""A form as rows, one below the other: moved over by keys, and typed on in its place.

On a row that takes text, typing begins at once, over what is there; `enter` goes on from what is
there instead, `ctrl+u` from nothing. On all others letters are keys, as in lists.

Arrows, `tab` and `enter` do the same on every row, and take what is typed; `esc` leaves the row as
it was. Where a secret is wanted, what is typed or pasted is masked from its first letter on: a
token that is typed a row too early would otherwise run as keys, or show on the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual import on
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Input

from platui.present.form_rows import FormRow, Takes
from platui.ui.active_keys import bind
from platui.ui.themes import palette_of
from platui.ui.widgets.bar import fitted
from platui.ui.widgets.field_input import EMPTIED, HIDDEN_KEY, VALUE, FieldInput, form_hints
from platui.ui.widgets.form_cursor import FormCursor
from platui.ui.widgets.form_lines import MARGIN, FormLines
from platui.ui.widgets.movement_keys import move_keys
from platui.ui.widgets.scrolling import RowsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.geometry import Size
    from textual.suggester import Suggester

    from platui.present.chrome import KeyHint

_TAKEN: Final = "; what is typed is taken"


class FormView(RowsView):
    """Shows `FormRow`s; those with a field can be gone to."""

    DEFAULT_CSS = """
    FormView { width: 1fr; height: 1fr; }
    FormView > FieldInput, FormView > FieldInput:focus {
        position: absolute; border: none; height: 1; padding: 0; background: $surface;
    }
    """
    BINDINGS = [
        *move_keys("form", "field"),
        bind("enter", "form.choose", "Change", "Change this field"),
        bind(
            "space,left,right", "form.switch", "Change", "Change what has few choices in its place"
        ),
        bind("escape", "form.drop", "Leave as it was"),
        bind("tab", "form.next", "Next field", f"Go to the next field{_TAKEN}", action="next(1)"),
        bind(
            "shift+tab",
            "form.before",
            "Field before",
            f"Go to the field before{_TAKEN}",
            action="next(-1)",
        ),
    ]

    class _OfText(Message):
        """Something typed or pasted for a field. It may be a secret: it shows in no repr."""

        def __init__(self, field: str, part: str, text: str) -> None:
            super().__init__()
            self.field = field
            self.part = part  # What of the field; empty: nothing was being typed
            self.text = text

        def __repr__(self) -> str:
            return f"{type(self).__name__}({self.field!r}, {self.part!r})"

    class Chosen(_OfText):
        """A field is to be changed; there is text where typing has begun with it."""

    class Typed(_OfText):
        """Something was typed for a field, and taken."""

        is_entered = False  # Whether by `enter`: other keys have gone to another field already

    class Writing(_OfText):
        """This stands on the line now, and is not taken yet."""

    class Pasted(_OfText):
        """A text came in one piece that is not one line for the line being typed."""

    class Moved(Message):
        """The cursor is on another field, or typing has begun or ended."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002  (Textual's name)
        at: int = 0,
        end: str = "",
    ) -> None:
        """Begin at a row; `end` is the field that the key for the end goes to first."""
        super().__init__(id=id)
        self.settled: frozenset[str] = frozenset()
        """The fields that need nothing: `enter` goes on from them."""
        self.cursor = FormCursor(at, end)
        self._lines = FormLines()
        self._input: FieldInput | None = None

    # What it shows

    def show(self, rows: Sequence[FormRow]) -> None:
        """Show other rows; the cursor stays on its field, or on the nearest."""
        self.cursor.take(rows)
        self._lay_out()

    def _lay_out(self) -> None:
        before = len(self._lines)
        self._lines.lay_out(self.cursor.rows, self.size.width)
        self._fit()
        if before != len(self._lines):
            self.refresh(layout=True)

    @property
    def hints(self) -> Sequence[KeyHint]:
        return form_hints(self.cursor.row, is_typing=self.is_typing)

    @property
    def is_typing(self) -> bool:
        return self._input is not None

    def go_to(self, field: str, *, is_automatic: bool = False) -> None:
        """Go to a field; led there, unasked, a `tab` out of habit skips none."""
        if self.cursor.go_to(field, is_automatic=is_automatic):
            self._fit()

    def step(self, by: int, *, is_automatic: bool = False) -> None:
        if self.cursor.step(by, is_automatic=is_automatic):
            self._fit()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport, width
        return len(self._lines) + 1

    def _fit(self) -> None:
        window = self._window
        window.fit(self.size.height, len(self._lines))
        own = self._lines.of_row(self.cursor.at)
        if own and window.height > 0:
            window.move_to(min(max(window.top, own[-1] - window.height + 1), own[0]))
        self._place_input()
        self.refresh()
        self.post_message(self.Moved())

    def on_resize(self) -> None:
        self._lay_out()

    # Typing

    async def type(
        self,
        field: str,
        part: str,
        text: str = "",
        *,
        masked: bool = False,
        live: bool = False,
        hint: str = "",
        suggester: Suggester | None = None,
    ) -> None:
        """Type on a field: a `value` right of its label, any other part in its place."""
        await self._end()
        self.go_to(field)
        line = self._input = FieldInput(
            field, part, text, masked=masked, live=live, hint=hint, suggester=suggester
        )
        self._place_input()
        await self.mount(line)
        self.screen.set_focus(line)
        self.post_message(self.Moved())

    async def _end(self) -> None:
        line, self._input = self._input, None
        if line is not None:
            self.screen.set_focus(self)
            await line.remove()
            self.refresh()
            self.post_message(self.Moved())

    def _place_input(self) -> None:
        if self._input is None:
            return
        y = next(iter(self._lines.of_row(self.cursor.at)), 0)
        x = MARGIN + (self._lines.labels(self.size.width) if self._input.part == VALUE else 0)
        self._input.styles.offset = (x, y - self._window.top)
        self._input.styles.width = max(1, self.size.width - x - 1)

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
            await self._take(event.value)  # its value is not typed where it shows
        elif line.is_live:
            self.post_message(self.Writing(line.field, line.part, event.value))

    @on(FieldInput.PastedLines)
    async def _lines_pasted(self, event: FieldInput.PastedLines) -> None:
        """Take a value of several lines whole: certificates have them."""
        event.stop()
        line = self._input
        if line is None:
            return
        if line.part == VALUE:
            await self._take(event.text)
        else:
            await self._end()
            self.post_message(self.Pasted(line.field, line.part, event.text))

    def on_paste(self, event: events.Paste) -> None:
        """Pass on what was pasted while nothing was typed on; a `tab` behind it is one again."""
        self.cursor.clear_automatic()
        if self._input is None:
            event.stop()
            self.post_message(self.Pasted(self.cursor.field, "", event.text))

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Return whether a key is text here, and no key of anybody."""
        del key
        takes = self.cursor.row is not None and self.cursor.row.takes is not Takes.KEYS
        return takes and not self.is_typing and character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        row = self.cursor.row
        takes_text = row is not None and row.takes is Takes.TEXT
        if event.key == "ctrl+u" and takes_text and not self.is_typing:
            chosen = self.Chosen(self.cursor.field, EMPTIED, "")
        elif self.check_consume_key(event.key, event.character) and event.character:
            chosen = self.Chosen(self.cursor.field, "", event.character)
        else:
            return
        event.stop()
        event.prevent_default()
        self.post_message(chosen)

    async def action_drop(self) -> None:
        await self._end()

    async def take(self) -> None:
        if self._input is not None:
            await self._take(self._input.value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "drop":
            return self.is_typing
        if action == "next":
            return self.is_typing or not self.cursor.is_last or parameters == (-1,)
        if action == "switch":
            return self.cursor.row is not None and self.cursor.row.switches and not self.is_typing
        if action in {"page", "top", "end", "choose"} and self.is_typing:
            return False
        return super().check_action(action, parameters)

    # Keys and mouse

    def action_choose(self) -> None:
        if self.cursor.field in self.settled:
            self.step(1)
        else:
            self.action_switch()

    def action_switch(self) -> None:
        """Tell which field is to be changed: in its place, what has few choices."""
        if self.cursor.field:
            self.post_message(self.Chosen(self.cursor.field, "", ""))

    async def action_next(self, by: int) -> None:
        """Go to the next field, or the one before; a `tab` out of habit skips none."""
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
        line = self._lines.line(self._window.top + y, width, self.cursor.at)
        ground = palette.base
        if line.is_here:
            focused = self.has_focus or self.is_typing
            ground += palette.cursor if focused else palette.cursor_unfocused
        right = fitted(line.right, width // 2, ground, palette)
        taken = sum(cell_len(part.text) for part in right)
        left = fitted(line.left, width - 1 - taken, ground, palette)
        gap = width - 1 - taken - sum(cell_len(part.text) for part in left)
        blank = Segment(" " * gap, ground)
        return Strip([*left, blank, *right, self.edge(y, ground)], width)
