"""A menu of many choices, loaded from the platform while the user types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final

from textual.widgets import Input

from platui.core.errors import PlatuiError
from platui.core.text import clean, shorten
from platui.models.values.table import Cell, Column, Row
from platui.ui.dialogs.menu import CHOICE_KEYS, Menu, MenuItem
from platui.ui.widgets.bar import Bar
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.timer import Timer

    Finder = Callable[[str], Awaitable[tuple[Sequence[MenuItem], bool]]]
    """Fetches choices that contain a word; returns them, and whether these are all."""

    from platui.models.values.files import RefName
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService


_SHOWN: Final = 300  # Maximum rows
_REST: Final = 0.2  # Seconds without input before a search
_COLUMNS: Final = (
    Column("title", "", 44, minimum=12, flexible=True),
    Column("hint", "", 28, minimum=6),
)


class Picker(Menu):
    """Returns the value of the choice, or the typed text; None: cancelled."""

    IS_SEARCH = True

    def __init__(
        self, title: str, items: Sequence[MenuItem], find: Finder, typed: str = ""
    ) -> None:
        super().__init__(title, items)
        self.typed = typed.strip()
        self._all = {item.value: (item, _search_text(item)) for item in items}
        self._find = find
        self._complete_words: set[str] = set()  # Words with all results loaded
        self._resting: Timer | None = None
        self._words = ""

    def on_mount(self) -> None:
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.table.set_columns(_COLUMNS)
        self.box.styles.height = max(8, self.app.size.height - 2)
        self.filter(self.query_one(Input).value)
        self._load("")

    def filter(self, words: str) -> None:
        """Show the choices with these words, and search for more after a pause."""
        self._words = words.strip()
        self._show()
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_REST, self._search_more) if self._words else None

    def _show(self) -> None:
        parts = self._words.lower().split()
        found = [item for item, text in self._all.values() if all(one in text for one in parts)]
        found.sort(key=lambda item: item.value != self._words)  # a typed name comes first
        items = found[:_SHOWN]
        if self._words and self._words not in self._all:
            items.append(MenuItem(self._words, f'use "{self._words}"'))
        self._items = tuple(items)
        cells = ((Cell(clean(one.title)), Cell(clean(one.hint), "muted")) for one in items)
        self.table.show([Row(str(number), each) for number, each in enumerate(cells)])
        self.table.action_top()
        more = f"{len(found):,} of {len(self._all):,}"
        self.query_one("#foot", Bar).show(CHOICE_KEYS, ((more, "muted"), (" ", "text")))

    def _search_more(self) -> None:
        """Search for the longest word, unless all its results are loaded."""
        word = max(self._words.split(), key=len, default="")
        if not any(known in word for known in self._complete_words):
            self._load(word)

    def _load(self, word: str) -> None:
        self.run_worker(work(self._fetch, word), group="find", exclusive=True)

    async def _fetch(self, word: str) -> None:
        self._show_status("loading …", "muted")
        try:
            items, is_whole = await self._find(word)
        except PlatuiError as error:
            # Loaded choices and typed text can still be chosen.
            self._show_status(clean(error.sentence), "warning")
            return
        self._show_status()
        if is_whole:
            self._complete_words.add(word)
        new = {one.value: (one, _search_text(one)) for one in items if one.value not in self._all}
        if new:
            self._all |= new
            self._show_more()

    def _show_status(self, words: str = "", role: str = "muted") -> None:
        right = ((words, role), (" ", "text")) if words else ()
        self.query_one("#title", Bar).show(((f" {self._title}", "strong"),), right)

    def _show_more(self) -> None:
        row = int(self.table.cursor_key or 0)
        at = self._items[row].value if row < len(self._items) else None
        self._show()
        if row:
            here = next((n for n, item in enumerate(self._items) if item.value == at), 0)
            self.table.move_to(str(here))


def _search_text(item: MenuItem) -> str:
    return f"{clean(item.title)} {clean(item.hint)}".lower()


USED: Final = "used before"


def ref_picker(
    service: PlatformService, project: ProjectRef, default: str = "", used: Sequence[str] = (),
    typed: str = "",
) -> Picker:  # fmt: skip
    """Return a picker of branches and tags: default branch, used ones, then all."""
    items = [MenuItem(default, default, "default branch")] if default else []
    items += [MenuItem(ref, ref, USED) for ref in used if ref != default]

    async def find(word: str) -> tuple[Sequence[MenuItem], bool]:
        repository = await service.repository()
        found = await repository.find_refs(project, word)
        if found is None:
            return (), True
        return [MenuItem(one.name, one.name, _kind(one)) for one in found.names], found.is_whole

    return Picker("Run on which branch or tag? Type to search", items, find, typed)


def _kind(ref: RefName) -> str:
    if ref.is_default:
        return "default branch"
    return "tag" if ref.is_tag else shorten(clean(ref.title), 60)
