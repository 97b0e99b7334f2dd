"""The command that unlocks writes, by the profile's name, and locks them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import WritesOffError
from platui.ui.controller import AppController, handles
from platui.ui.messages import UnlockWanted

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.ui.app import PlatuiApp


class LockController(AppController):
    """Unlocks writes and locks them again."""

    _app: PlatuiApp

    @property
    def is_locked(self) -> bool:
        service = self._app.service
        return service.writes == "locked" and service.writes_open_until.value is None

    @handles(UnlockWanted)
    def turn_lock(self, _: UnlockWanted) -> None:
        hint, service = self._app.hint, self._app.service
        profile = service.profile.name
        if service.writes == "off":
            self.say_off()
        elif service.writes == "confirm":
            hint(f"Profile {profile} has no lock: each write is asked about.")
        elif self.is_locked:
            self.unlock(lambda: hint(f"Writes on {profile} are unlocked for 15 minutes."))
        else:
            service.write_desk.lock.lock()
            hint(f"Writes on {profile} are locked again.")

    def say_off(self) -> None:
        if self._app.settings.read_only:
            error = WritesOffError("platui runs read-only.", hint="Start it without that.")
        else:
            error = WritesOffError(
                "Writes are off in this profile (writes = off in config.toml).", hint=""
            )
        self._app.tell(error)

    def unlock(self, then: Callable[[], None]) -> None:
        """Ask for the profile's name, and call `then` once writes are unlocked."""
        from platui.ui.dialogs.typed_name import UnlockDialog  # noqa: PLC0415  (on first use)

        profile, unlock = self._app.service.profile, self._app.service.write_desk.lock.unlock
        self._app.push_screen(
            UnlockDialog(profile.name, unlock, production=profile.production),
            lambda unlocked: then() if unlocked else None,
        )
