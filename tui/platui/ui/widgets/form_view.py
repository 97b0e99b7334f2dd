"""A form as rows, one below the other: moved over by keys, and typed on in its place.

All forms are of this one kind. What a letter does depends on the row under the cursor alone,
and the keys at the bottom say which it is:

- on a row that takes text, letters are text: typing begins at once, over what is there;
  `enter` goes on from what is there instead, `ctrl+u` from nothing. Nothing that is typed runs
  as a key;
- on all others - a choice, a list that opens, a variable that has its value, the row that adds
  one - letters are keys, as in the lists of the dashboard: `j k`, `S` sends, `i` shows the
  request.

Arrows, `tab` and `enter` do the same on every row. While something is typed they take it; `esc`
leaves the row as it was, then the request that was opened, then the form, which keeps what was
typed. Where a secret is wanted, what is typed or pasted is masked from its first letter on: a
token that is typed a row too early would otherwise run as keys, or stand on the screen.
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
from platui.ui.keys_in_use import bind
from platui.ui.theming import palette_of
from platui.ui.widgets.bar import fitted
from platui.ui.widgets.detail_lines import wrapped
from platui.ui.widgets.form_parts import (
    MARGIN,
    FieldInput,
    form_hints,
    label_width,
    problem_pieces,
    row_pieces,
)
from platui.ui.widgets.moves import move_keys
from platui.ui.widgets.scrolling import RowsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.geometry import Size
    from textual.suggester import Suggester

    from platui.present.chrome import KeyHint, Pieces

_TAKEN: Final = "; what is typed is taken"

VALUE: Final = "value"  # The part of a field that stands right of its label
HIDDEN_KEY: Final = "hidden key"
"""The key of a secret that is to be: what follows its `=` is not typed on the same line."""
EMPTIED: Final = "emptied"  # What is chosen of a field that is to be typed from nothing


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

    def __init__(self, *, id: str | None = None, at: int = 0) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self._rows: Sequence[FormRow] = ()
        self._lines: list[tuple[int, str]] = []
        """Each line: of which row it is, and what it tells of the row's problem."""
        self._at = at
        self._input: FieldInput | None = None
        self._typing: tuple[str, str] | None = None  # Field and part that is being typed
        self._is_live = False  # Whether what stands on the line is told while it is typed

    # What it shows

    def show(self, rows: Sequence[FormRow]) -> None:
        """Show other rows; the cursor stays on its field, or on the nearest."""
        field, before = self.field, len(self._lines)
        self._rows = rows
        self._lay_out()
        places = [at for at, row in enumerate(rows) if row.field]
        if field in {rows[at].field for at in places}:
            self._at = next(at for at in places if rows[at].field == field)
        elif places:
            self._at = min(places, key=lambda at: abs(at - self._at))
        self._fit()
        if before != len(self._lines):
            self.refresh(layout=True)

    def _lay_out(self) -> None:
        room = max(1, self.size.width - MARGIN - self._label_width - 1)
        self._lines = []
        for at, row in enumerate(self._rows):
            self._lines.append((at, ""))
            if row.problem:
                self._lines += [(at, line) for line in wrapped(row.problem, room)]

    @property
    def row(self) -> FormRow | None:
        """Return the row under the cursor."""
        return self._rows[self._at] if self._at < len(self._rows) else None

    @property
    def hints(self) -> Sequence[KeyHint]:
        """Return the keys where letters are text; nothing where they are keys."""
        return form_hints(self.row, is_typing=self.is_typing)

    @property
    def is_last(self) -> bool:
        """Return whether no field comes below the one under the cursor."""
        return not any(row.field for row in self._rows[self._at + 1 :])

    @property
    def field(self) -> str:
        """Return the field under the cursor; empty where there is none."""
        return self._rows[self._at].field if self._at < len(self._rows) else ""

    @property
    def is_typing(self) -> bool:
        """Return whether something is being typed."""
        return self._typing is not None

    def go_to(self, field: str) -> None:
        """Put the cursor on a field."""
        at = next((at for at, row in enumerate(self._rows) if row.field == field), None)
        if at is not None and at != self._at:
            self._at = at
            self._fit()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines there are, and one that is free."""
        del container, viewport, width
        return len(self._lines) + 1

    def _fit(self) -> None:
        window = self._window
        window.fit(self.size.height, len(self._lines))
        own = [y for y, (row, _) in enumerate(self._lines) if row == self._at]
        if own and window.height > 0:
            window.move_to(min(max(window.top, own[-1] - window.height + 1), own[0]))
        self._place_input()
        self.refresh()
        self.post_message(self.Moved())

    def on_resize(self, event: events.Resize) -> None:
        """Stay with the cursor; lay out anew what was laid out for another width."""
        del event
        before = len(self._lines)
        self._lay_out()
        self._fit()
        if before != len(self._lines):
            self.refresh(layout=True)

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
        """Let the user type on a field: a `value` right of its label, any other part in its place.

        What is masked does not show; with `live` each change is posted as `Writing`.
        """
        await self._end()
        self.go_to(field)
        line = FieldInput(
            text, hint, password=masked, compact=True, select_on_focus=False, suggester=suggester
        )
        line.cursor_blink = False
        line.is_key_of_secret = part == HIDDEN_KEY
        self._typing, self._input, self._is_live = (field, part), line, live and not masked
        self._place_input()
        await self.mount(line)
        self.screen.set_focus(line)
        self.post_message(self.Moved())

    async def _end(self) -> None:
        line, self._input, self._typing = self._input, None, None
        if line is not None:
            self.screen.set_focus(self)
            await line.remove()
            self.refresh()
            self.post_message(self.Moved())

    def _place_input(self) -> None:
        if self._input is None or self._typing is None:
            return
        y = next((y for y, (row, _) in enumerate(self._lines) if row == self._at), 0)
        x = MARGIN + (self._label_width if self._typing[1] == VALUE else 0)
        self._input.styles.offset = (x, y - self._window.top)
        self._input.styles.width = max(1, self.size.width - x - 1)

    @on(Input.Submitted)
    async def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        await self._take(event.value, entered=True)

    async def _take(self, text: str, *, entered: bool = False) -> None:
        if self._typing is not None:
            typed = self.Typed(*self._typing, text)
            typed.is_entered = entered
            await self._end()
            self.post_message(typed)

    @on(Input.Changed)
    async def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input is not self._input or self._typing is None:
            return
        field, part = self._typing
        if part == HIDDEN_KEY and "=" in event.value:
            await self._take(event.value)  # its value is not typed where it shows
        elif self._is_live:
            self.post_message(self.Writing(field, part, event.value))

    @on(FieldInput.PastedLines)
    async def _lines_pasted(self, event: FieldInput.PastedLines) -> None:
        """Take a value of several lines whole: certificates have them."""
        event.stop()
        if self._typing is None:
            return
        field, part = self._typing
        if part == VALUE:
            await self._take(event.text)
        else:
            await self._end()
            self.post_message(self.Pasted(field, part, event.text))

    def on_paste(self, event: events.Paste) -> None:
        """Pass on what was pasted while nothing was typed on."""
        if self._typing is None:
            event.stop()
            self.post_message(self.Pasted(self.field, "", event.text))

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Return whether a key is text here, and no key of anybody."""
        del key
        takes = self.row is not None and self.row.takes is not Takes.KEYS
        return takes and not self.is_typing and character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """Begin to type where a row takes text."""
        takes_text = self.row is not None and self.row.takes is Takes.TEXT
        if event.key == "ctrl+u" and takes_text and not self.is_typing:
            event.stop()
            event.prevent_default()
            self.post_message(self.Chosen(self.field, EMPTIED, ""))
            return
        if self.check_consume_key(event.key, event.character) and event.character:
            event.stop()
            event.prevent_default()
            self.post_message(self.Chosen(self.field, "", event.character))

    async def action_drop(self) -> None:
        """Leave the field as it was."""
        await self._end()

    async def take(self) -> None:
        """Take what is typed, as `enter` would."""
        if self._input is not None:
            await self._take(self._input.value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Have `esc` here while typing, and the keys that go far while not."""
        if action == "drop":
            return self.is_typing
        if action == "next":
            return self.is_typing or not self.is_last or parameters == (-1,)
        if action == "switch":
            return self.row is not None and self.row.switches and not self.is_typing
        if action in {"page", "top", "end", "choose"} and self.is_typing:
            return False
        return super().check_action(action, parameters)

    # Keys and mouse

    def action_choose(self) -> None:
        """Tell which field is to be changed."""
        if self.field:
            self.post_message(self.Chosen(self.field, "", ""))

    def action_switch(self) -> None:
        """Change what has few choices."""
        self.action_choose()

    async def action_next(self, by: int) -> None:
        """Go to the next field, or the one before; what is typed is taken."""
        await self.action_move(by)

    async def action_move(self, by: int) -> None:  # type: ignore[override]  # Textual awaits both
        """Go to the next field, or the one before; what is typed is taken."""
        await self.take()
        self.step(by)

    def step(self, by: int) -> None:
        """Go by so many fields."""
        places = [at for at, row in enumerate(self._rows) if row.field]
        if self._at in places:
            index = min(max(0, places.index(self._at) + by), len(places) - 1)
            self._at = places[index]
            self._fit()

    def page(self, rows: int) -> None:
        """Go by so many fields."""
        self.step(rows)

    def wheel(self, rows: int) -> None:
        """Move the window alone."""
        if self._typing is None:
            self._window.scroll(rows)
            self.refresh()

    # Painting

    @property
    def _label_width(self) -> int:
        return label_width(self._rows, self.size.width)

    def render_line(self, y: int) -> Strip:
        """Paint a row, or what is wrong with the one above."""
        palette = palette_of(self.app)
        width = self.size.width
        number = self._window.top + y
        ground = palette.base
        pieces: Pieces = ()
        right: Pieces = ()
        if number < len(self._lines):
            at, problem = self._lines[number]
            row = self._rows[at]
            if problem:
                pieces = problem_pieces(problem, self._label_width)
            else:
                here = at == self._at and bool(row.field)
                if here:
                    focused = self.has_focus or self.is_typing
                    ground += palette.cursor if focused else palette.cursor_unfocused
                pieces, right = row_pieces(row, self._label_width, here=here)
        right_part = fitted(right, width // 2, ground, palette)
        taken = sum(cell_len(part.text) for part in right_part)
        left = fitted(pieces, width - 1 - taken, ground, palette)
        gap = width - 1 - taken - sum(cell_len(part.text) for part in left)
        blank = Segment(" " * gap, ground)
        return Strip([*left, blank, *right_part, self.edge(y, ground)], width)
