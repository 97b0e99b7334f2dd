"""The palette: actions, views and themes, and the objects that `:` finds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from platui.ui.dialogs.menu import CHOICE_KEYS, Menu, MenuItem
from platui.ui.terminal.screen import has_widgets
from platui.ui.widgets.bar import Bar
from platui.ui.workers import work

if TYPE_CHECKING:
    from platui.present.chrome import Pieces
    from platui.ui.dialogs.action_menus import Actions
    from platui.ui.jump import Hit
    from platui.ui.jump_prompt import JumpPrompt

_FOUND: Final = "found:"


class Palette(Menu):
    """Lists the actions with the typed words, then the objects that they find."""

    IS_SEARCH = True

    def __init__(self, items: Sequence[MenuItem], actions: Actions, jump: JumpPrompt) -> None:
        super().__init__("Commands, projects, pipelines, jobs", items)
        self._own_items = tuple(items)
        self._actions, self._jump = actions, jump
        self._words = ""
        self._hits: list[Hit] = []

    @property
    def is_whole(self) -> bool:
        """Return whether all widgets exist: a search may end while the palette closes."""
        return has_widgets(self, ("Table", "#foot"))

    def on_mount(self) -> None:
        self.run_worker(work(self._jump.known.load, self._show_found), group="load")

    def on_unmount(self) -> None:
        self._jump.stop()

    def filter(self, words: str) -> None:
        """Show what matches, and search the platform for more after a pause."""
        self._words = words
        hits = self._list()
        super().filter(words)
        self._jump.known.search_soon(words, hits, self._show_status, self._show_found)

    def _list(self) -> list[Hit]:
        hits = self._hits = self._jump.objects(self._words)
        found = [self._item(f"{_FOUND}{number}", hit) for number, hit in enumerate(hits)]
        self._items = (*self._own_items, *found)
        self._show_items()
        return hits

    def _item(self, value: str, hit: Hit) -> MenuItem:
        self._actions[value] = partial(self._jump.open, hit)
        title = f"{hit.name} {hit.status}".strip()
        # In the group the words match, even if their letters are apart in the name.
        return MenuItem(value, title, hit.place, hit.kind, group=self._words)

    def _show_found(self) -> None:
        """Show new hits; the cursor stays on its own."""
        if not self.is_whole:
            return
        first = len(self._own_items)
        row = int((self.table.cursor_key or "0").partition(" ")[0]) - first
        chosen = self._hits[row] if 0 <= row < len(self._hits) else None
        hits = self._list()
        same = (n for n, hit in enumerate(hits) if chosen is not None and hit.is_of(chosen))
        if (at := next(same, None)) is not None:
            self.table.move_to(str(first + at))

    def _show_status(self, status: Pieces) -> None:
        if self.is_whole:
            self.query_one("#foot", Bar).show(CHOICE_KEYS, (*status, (" ", "text")))
