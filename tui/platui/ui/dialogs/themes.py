"""The theme menu, with a preview of the theme under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import on

from platui.core.errors import ConfigError
from platui.ui.contrast import contrast_readings
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.terminal.app import TerminalApp
from platui.ui.themes import AUTO, ThemeEntry, all_themes, palette_for
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from textual.timer import Timer

_REST: Final = 0.08  # Seconds before the theme under the cursor is applied
_AUTO: Final = MenuItem(AUTO, AUTO, "platui-dark or platui-light, like the terminal")


class ThemeMenu(Menu):
    """Returns the name of a theme; the caller applies it, or the previous one."""

    def __init__(self, current: str) -> None:
        items = [_AUTO, *(_item(one) for one in all_themes())]
        super().__init__("Theme", items)
        self._applied = self._initial = current
        self._resting: Timer | None = None

    def on_mount(self) -> None:
        names = [item.value for item in self._items]
        if self._initial in names:
            self.call_after_refresh(self.table.move_to, str(names.index(self._initial)))

    @on(Table.CursorMoved)
    def _preview_soon(self, event: Table.CursorMoved) -> None:
        event.stop()
        if self._resting is not None:
            self._resting.stop()
        if event.key is not None:
            item = self._items[int(event.key)]
            self._resting = self.set_timer(_REST, lambda: self._preview(item))

    def _preview(self, item: MenuItem) -> None:
        if item.muted or item.value == self._applied or not isinstance(self.app, TerminalApp):
            return
        self._applied = item.value
        try:
            self.app.theme_switcher.use(item.value)
        except ConfigError as error:
            self.notify(error.sentence, severity="warning")


def _item(one: ThemeEntry) -> MenuItem:
    if one.theme is None:
        problem = "" if one.problem is None else one.problem.sentence
        return MenuItem(one.name, one.name, problem, muted=True)
    palette = palette_for(one.theme)
    found = contrast_readings(palette)
    contrast = f"contrast {found[0].ratio:.1f}" if found else "the terminal's own colours"
    ground = "" if palette.ansi else "dark, " if palette.dark else "light, "
    whose = {"user": ", yours", "textual": ", Textual", "platui": ""}[one.origin]
    return MenuItem(one.name, one.name, f"{ground}{contrast}{whose}")
