"""Times of day: in UTC, or in the zone of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from platui.present.times import zone_name
from platui.ui.controller import AppController, command

if TYPE_CHECKING:
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs


@runtime_checkable
class ShowsTimes(Protocol):
    """A view or dialog with times of day."""

    def show_times(self, *, utc: bool) -> None:
        """Show them in UTC, or in the local zone."""


class Times(AppController):
    """Switches all views and dialogs between UTC and the local zone."""

    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        # The setting wins over the choice of the last run.
        self.utc = app.settings.utc or app.service.local_state.shows_utc()

    @command("u", "app.utc", "UTC or local", "Show times in UTC, or in this machine's zone")
    def toggle(self) -> None:
        self.show(utc=not self.utc)

    def show(self, *, utc: bool) -> None:
        """Show times in UTC or in the local zone, and keep the choice for the next start."""
        app = self._app
        self.utc = utc
        app.service.local_state.show_utc(utc)
        # Dialogs last: the views below describe what they show.
        for screen in (*app.navigation.made.values(), *app.screen_stack):
            if isinstance(screen, ShowsTimes):
                screen.show_times(utc=utc)
        zone = "UTC" if utc else f"local ({zone_name(app.service.clock.now(), utc=False)})"
        app.hint(f"Times are {zone} now.")

    def verbs(self) -> Verbs:
        return {"utc": lambda _: self.show(utc=True), "local": lambda _: self.show(utc=False)}
