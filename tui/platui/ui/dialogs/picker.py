"""A choice among very many, of which not all are here: found while one types, or typed whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.table import Cell, Column, Row
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.widgets.bar import Bar
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from textual.timer import Timer

    Finder = Callable[[str], Awaitable[tuple[Sequence[MenuItem], bool]]]
    """Asks for choices with a word in them; also tells whether these are all of them."""

_SHOWN: Final = 300
"""Rows that are made; who wants others types more."""
_REST: Final = 0.2
"""Seconds without another letter after which it is asked for more."""
_COLUMNS: Final = (
    Column("title", "", 44, minimum=12, flexible=True),
    Column("hint", "", 28, minimum=6),
)


class Picker(Menu):
    """Returns the value of the choice, or what was typed; None where the user left."""

    def __init__(self, title: str, items: Sequence[MenuItem], find: Finder) -> None:
        """Prepare the question.

        Args:
            title: what is asked.
            items: what is known to choose from, the likeliest first.
            find: brings more.
        """
        super().__init__(title, items)
        self._all = {item.value: item for item in items}
        self._sought = [(item, _sought(item)) for item in items]
        self._find = find
        self._asked: set[str] = set()
        """The words for which all there is has come."""
        self._resting: Timer | None = None
        self._words = ""

    def on_mount(self) -> None:
        """Ask for the first choices at once."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.table.set_columns(_COLUMNS)
        self.box.styles.height = max(8, self.app.size.height - 2)
        self.narrow("")
        self._ask("")

    def narrow(self, words: str) -> None:
        """Show the choices with these words, and after a moment look for more of them."""
        self._words = words.strip()
        self._show()
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_REST, self._look) if self._words else None

    def _show(self) -> None:
        """Show what there is with the words of now, and those themselves."""
        parts = self._words.lower().split()
        found = [item for item, text in self._sought if all(part in text for part in parts)]
        items = found[:_SHOWN]
        if self._words and self._words not in self._all:
            items.append(MenuItem(self._words, f"use “{self._words}” as it is typed"))
        self._items = tuple(items)
        self.table.show([_row(number, item) for number, item in enumerate(items)])
        self.table.action_top()
        more = f"{len(found):,} of {len(self._sought):,}"
        self.query_one("#foot", Bar).show(
            ((" enter", "key"), (" choose   ", "muted"), ("esc", "key"), (" leave", "muted")),
            ((more, "muted"), (" ", "text")),
        )

    def _look(self) -> None:
        """Ask for what the longest of the words is in, unless all of it has come."""
        word = max(self._words.split(), key=len, default="")
        if not any(known in word for known in self._asked):
            self._ask(word)

    def _ask(self, word: str) -> None:
        self.run_worker(
            work(self._bring, word), group="find", exclusive=True, exit_on_error=True,
            description="find more to choose from",
        )  # fmt: skip

    async def _bring(self, word: str) -> None:
        title = self.query_one("#title", Bar)
        title.show(((f" {self._title}", "strong"),), (("asking …", "muted"), (" ", "text")))
        try:
            items, is_whole = await self._find(word)
        except PlatuiError as error:
            # What is known can be chosen, and anything typed: nobody is stopped by it.
            title.show(
                ((f" {self._title}", "strong"),),
                ((clean(error.sentence), "warning"), (" ", "text")),
            )
            return
        title.show(((f" {self._title}", "strong"),))
        if is_whole:
            self._asked.add(word)
        new = [item for item in items if item.value not in self._all]
        if new:
            self._all.update((item.value, item) for item in new)
            self._sought += [(item, _sought(item)) for item in new]
            self._show_more()

    def _show_more(self) -> None:
        """Show what has come below what was there; the cursor stays where it is."""
        row = int(self.table.cursor_key or 0)
        at = self._items[row].value if row < len(self._items) else None
        self._show()
        typed = at == self._words
        here = next((n for n, item in enumerate(self._items) if item.value == at), 0)
        self.table.move_to(str(0 if typed else here))


def _sought(item: MenuItem) -> str:
    return f"{clean(item.title)} {clean(item.hint)}".lower()


def _row(number: int, item: MenuItem) -> Row:
    cells = (Cell(clean(item.title), "text"), Cell(clean(item.hint), "muted"))
    return Row(str(number), cells)
