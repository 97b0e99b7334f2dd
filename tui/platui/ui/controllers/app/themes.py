"""Themes, typed or chosen from a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import ConfigError
from platui.ui.controller import AppController

if TYPE_CHECKING:
    from platui.ui.command_app import CommandApp, Verbs


class Themes(AppController):
    """Shows another theme until the app is left."""

    _app: CommandApp

    def show(self, theme: str) -> None:
        in_use = self._app.theme_in_use
        try:
            in_use.use(f"platui-{theme}" if theme in {"dark", "light"} else theme)
        except ConfigError as error:
            self._app.tell(error)
            return
        in_use.warn()

    async def choose(self) -> None:
        """List the themes; the one under the cursor is shown meanwhile, and for good if chosen."""
        from platui.ui.dialogs.themes import ThemeMenu  # noqa: PLC0415  (on first use)

        app = self._app
        before = app.theme_in_use.name

        def show(chosen: str | None) -> None:
            name = before if chosen is None else chosen
            if name != app.theme_in_use.name:
                self.show(name)
            if name not in {before, app.settings.theme}:
                app.hint(f'{name}, until you leave; for good: theme = "{name}" in config.toml.')

        await app.push_screen(ThemeMenu(before), show)

    def verbs(self) -> Verbs:
        return {
            "theme": lambda name: self.show(name) if name else self._app.call_later(self.choose)
        }
