"""A searchable menu; base of help, palette, sort and copy menus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar, Final

from textual import getters, on
from textual.containers import Vertical
from textual.widgets import Input

from platui.core.dataclass import dataclass
from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, Column, Row
from platui.present.guide import wrapped
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog, box, keys_line, line_input
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Key


CHOICE_KEYS: Final = keys_line(("enter", "select"), ("esc", "close"))
_FEW_LINES: Final = 32  # Height below which the keys of the footer come before the help text
_LEAD = "lead "  # Prefix of the keys of rows with the lead text
_AROUND = 5  # Lines of border, title, input and keys
_EDGES = 4  # Cells of mark, thumb and padding
_STEPS: Final = {"j": 1, "k": -1}
_ENDS: Final = ("home", "end")
_DIGITS: Final = tuple("123456789")


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One choice: `value` is returned; `key` and `hint` are shown beside the title."""

    value: str
    title: str
    hint: str = ""
    key: str = ""
    group: str = ""
    muted: bool = False


class _SearchInput(Input):
    def on_key(self, event: Key) -> None:
        """Leave a key of the list to the menu."""
        if isinstance(self.screen, Menu) and self.screen.takes(event.key):
            event.prevent_default()


class Menu(BoxDialog[str | None]):
    """Searchable choices; until a text is typed, j and k move, and a shown number chooses."""

    IS_SEARCH: ClassVar[bool] = False  # Whether the first letter or digit is part of a text
    DEFAULT_CSS = "Menu Table { height: 1fr; min-height: 3; }"
    BINDINGS = [
        bind("escape", "menu.leave", "Close"),
        bind("down,ctrl+n", "menu.down", "Down", action="move(1)", priority=True),
        bind("up,ctrl+p", "menu.up", "Up", action="move(-1)", priority=True),
        bind("pagedown", "menu.page_down", "Page down", action="page(1)", priority=True),
        bind("pageup", "menu.page_up", "Page up", action="page(-1)", priority=True),
    ]

    typed = ""  # The text that is searched at first
    table = getters.query_one(Table)
    box = getters.query_one("#box", Vertical)

    def __init__(
        self, title: str, items: Sequence[MenuItem], *, lead: str | None = None, above: int = 0
    ) -> None:
        """Create a menu; with `lead`, the text above the choices, long hints are wrapped."""
        super().__init__()
        self._above = above  # Number of choices above `lead` on a low screen
        self._lead = lead or ""
        self._wraps = lead is not None
        self._title = title
        self._items = tuple(items)
        self._numbered = not self.IS_SEARCH and _can_be_numbered(self._items)

    def compose(self) -> ComposeResult:
        yield box(
            ((f" {self._title}", "strong"),),
            line_input(
                self.typed, kind=_SearchInput, placeholder="type to search", select_on_focus=False
            ),
            Table(_columns(self._items, numbered=self._numbered), lit=True, header=False),
            foot=CHOICE_KEYS,
        )

    def on_mount(self) -> None:
        self.set_focus(self.query_one(Input))
        self.table.can_focus = False
        self.table.set_empty("No matches.")
        self._show_items()
        self._fit()
        self._go_to_first()

    def _fit(self) -> None:
        room = max(8, self.app.size.height - 2)
        self.box.styles.height = room if self._lead else min(len(self._items) + _AROUND, room)

    def on_resize(self) -> None:
        self._fit()
        if self._wraps:
            self.call_after_refresh(self._show_again)

    def _show_again(self) -> None:
        key = self.table.cursor_key or _LEAD
        is_at_first = not self.table.filter_text and (key == "0" or key.startswith(_LEAD))
        self._show_items()
        if is_at_first:
            self._go_to_first()

    def _go_to_first(self) -> None:
        if self._lead and not self.table.filter_text:
            self.table.move_to("0")

    def _show_items(self) -> None:
        columns = _columns(self._items, numbered=self._numbered)
        room = self.table.column_width("hint") if self._wraps else 0
        width = (self.table.size.width or self.app.size.width) - _EDGES
        above = self._above if self.app.size.height < _FEW_LINES else 0
        rows: list[Row] = []
        for number, item in enumerate(self._items):
            if number == above:
                rows += _lead_rows(self._lead, width, len(columns), blank_above=number > 0)
            shown = replace(item, key=str(number + 1)) if self._numbered else item
            rows += _rows(number, shown, columns, room)
        self.table.show(rows)

    def takes(self, key: str) -> bool:
        """Return whether a key moves the cursor or chooses a row, and is not typed."""
        if self.query_one(Input).value:
            return False
        if self.IS_SEARCH:
            return key in _ENDS
        return key in (*_STEPS, *_ENDS) or (self._numbered and key in _DIGITS[: len(self._items)])

    def on_key(self, event: Key) -> None:
        if not self.takes(event.key):
            return
        event.stop()
        if (step := _STEPS.get(event.key)) is not None:
            self.action_move(step)
        elif event.key in _ENDS:
            self._go_to_end(event.key)
        else:
            self._return(str(_DIGITS.index(event.key)))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.filter(event.value)

    def filter(self, words: str) -> None:
        self.table.set_filter(words)
        self.table.action_top()
        self._go_to_first()

    @on(Input.Submitted)
    def _choose(self, event: Input.Submitted) -> None:
        event.stop()
        self._return(self.table.cursor_key)

    @on(Table.RowOpened)
    def _clicked(self, event: Table.RowOpened) -> None:
        event.stop()
        self._return(event.key)

    def _return(self, key: str | None) -> None:
        if key is None or key.startswith(_LEAD):
            return
        if not (item := self._items[int(key.partition(" ")[0])]).muted:
            self.dismiss(item.value)

    def action_move(self, by: int) -> None:
        before = None
        while before != self.table.cursor_key:
            before = self.table.cursor_key
            self.table.action_move(by)
            if " " not in (self.table.cursor_key or ""):
                break

    def _go_to_end(self, key: str) -> None:
        if key == "home":
            self.table.action_top()
            self._go_to_first()
        else:
            self.table.action_end()
            if " " in (self.table.cursor_key or ""):  # a wrapped line of the last choice
                self.action_move(-1)

    def action_page(self, by: int) -> None:
        self.table.action_page(by)


def _can_be_numbered(items: Sequence[MenuItem]) -> bool:
    """Return whether digits select few choices, none of which has a key or begins with a digit."""
    has_own = any(item.key or item.title[:1].isdigit() for item in items)
    return len(items) <= len(_DIGITS) and not has_own


def _columns(items: Sequence[MenuItem], *, numbered: bool) -> tuple[Column, ...]:
    keys = 1 if numbered else max((len(item.key) for item in items), default=0)
    titles = max((len(item.title) for item in items), default=0)
    hints = max((len(item.hint) for item in items), default=0)
    columns = [Column("title", "", max(6, titles), minimum=6, flexible=not hints)]
    if keys:
        columns.insert(0, Column("key", "", 1 if numbered else max(3, keys)))
    if hints:
        columns.append(Column("hint", "", hints, minimum=6, flexible=True))
    return tuple(columns)


def _lead_rows(text: str, width: int, columns: int, *, blank_above: bool) -> Iterator[Row]:
    if not text:
        return
    for number, line in enumerate((*[""] * blank_above, *wrapped(text, width), "")):
        yield Row(f"{_LEAD}{number}", (BLANK,) * columns, heading=Cell(clean(line), "text"))


def _rows(number: int, item: MenuItem, columns: Sequence[Column], room: int) -> Iterator[Row]:
    """Yield the rows of a choice; its hint is wrapped to `room` cells (0: not wrapped)."""
    title, hint = clean(item.title), clean(item.hint)
    search = f"{item.key} {item.group} {title} {hint}".lower()
    for at, part in enumerate((wrap(hint, room) if room else ()) or (hint,)):
        cells = {
            "key": Cell(item.key if at == 0 else "", "accent"),
            "title": Cell(title if at == 0 else "", "muted" if item.muted else "text"),
            "hint": Cell(part, "muted"),
        }
        key = f"{number} {at}" if at else str(number)
        yield Row(key, tuple(cells[column.key] for column in columns), search=search)
