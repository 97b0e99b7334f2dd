"""Display settings of the app: theme, and times in UTC or local."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import ConfigError
from platui.present.times import zone_name
from platui.ui.controller import AppController, command

if TYPE_CHECKING:
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import CommandApp, Verbs


class Themes(AppController):
    """Switches themes until the app exits."""

    _app: CommandApp

    def show(self, theme: str) -> None:
        in_use = self._app.theme_switcher
        try:
            in_use.use(f"platui-{theme}" if theme in {"dark", "light"} else theme)
        except ConfigError as error:
            self._app.show_error(error)
            return
        in_use.warn()

    async def choose(self) -> None:
        from platui.ui.dialogs.themes import ThemeMenu  # noqa: PLC0415  (on first use)

        app = self._app
        before = app.theme_switcher.name

        def show(chosen: str | None) -> None:
            name = before if chosen is None else chosen
            if name != app.theme_switcher.name:
                self.show(name)
            if name not in {before, app.settings.theme}:
                app.hint(f'{name} for this session. To save it: theme = "{name}" in config.toml.')

        await app.push_screen(ThemeMenu(before), show)

    def verbs(self) -> Verbs:
        return {
            "theme": lambda name: self.show(name) if name else self._app.call_later(self.choose)
        }


class Times(AppController):
    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        # The setting wins over the saved choice.
        self.utc = app.settings.utc or app.service.local_state.shows_utc()

    @command("u", "app.utc", "UTC or local")
    def toggle(self) -> None:
        """Show times in UTC or in the local time zone."""
        self.show(utc=not self.utc)

    def show(self, *, utc: bool) -> None:
        """Show times in UTC or local, and save the choice."""
        app = self._app
        self.utc = utc
        app.service.local_state.show_utc(utc)
        # Dialogs last: they may describe the views below.
        for screen in (*app.navigation.made.values(), *app.screen_stack):
            if show := getattr(screen, "show_times", None):
                show(utc=utc)
        zone = "UTC" if utc else f"local ({zone_name(app.service.clock.now(), utc=False)})"
        app.hint(f"Showing times in {zone}.")

    def verbs(self) -> Verbs:
        return {"utc": lambda _: self.show(utc=True), "local": lambda _: self.show(utc=False)}
