"""Going over to another profile: this dashboard ends in order, and another follows it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.service.remembrance import last_uses
from platui.ui.attentive import AttentiveApp
from platui.ui.works import work

if TYPE_CHECKING:
    from platui.config.switchboard import Switchboard
    from platui.ui.following import Following

_ALONE: Final = "There is one platform here: that of the demo. Leave it to open a profile."


class SwitcherApp(AttentiveApp):
    """An app that another one can follow on the same terminal.

    Nothing of a platform lives on in the next app: that has a service, screens and a history
    of its own, and begins with what was kept of its profile.
    """

    def __init__(
        self,
        *arguments: Any,
        switchboard: Switchboard | None = None,
        said: str = "",
        **options: Any,
    ) -> None:
        """Prepare the app.

        Args:
            arguments: of the app itself.
            switchboard: the profiles that can be gone over to; None: there are no others.
            said: what is told at first.
            options: of the app itself.
        """
        super().__init__(*arguments, **options)
        self.switchboard = switchboard
        self.following: Following | None = None
        """What is to follow, once this app is told to end for it."""
        self._said = said

    def after_first_frame(self) -> None:
        """Say what brought this app here."""
        super().after_first_frame()
        if self._said:
            self.hint(self._said)

    @property
    def hands_over(self) -> bool:
        """Return whether another app follows; not where a signal or a mistake has ended this."""
        return self.following is not None and not self.return_code

    def hand_over(self, following: Following) -> None:
        """End, and let another app follow."""
        self.following = following
        self.exit(0)

    def do(self, verb: str, argument: str) -> None:
        """Do what a typed verb says."""
        if verb not in {"profile", "reload"}:
            super().do(verb, argument)
        elif self.switchboard is None:
            self.hint(_ALONE)
        elif verb == "reload":
            self.run_worker(
                work(self._read_again, self.switchboard), group="profiles", exclusive=True,
                exit_on_error=True, description="read config.toml again",
            )  # fmt: skip
        elif argument:
            self.go_over(self.switchboard, argument)
        else:
            self.run_worker(
                work(self._choose_profile, self.switchboard), group="profiles", exclusive=True,
                exit_on_error=True, description="list the profiles",
            )  # fmt: skip

    def go_over(self, switchboard: Switchboard, name: str) -> None:
        """Go over to the profile of that name; where something is under way, after a yes."""
        from platui.present.profiles import arrived  # noqa: PLC0415  (on first use)
        from platui.ui.following import Following  # noqa: PLC0415  (as above)

        before = self.service.profile
        if name == before.name:
            self.hint(f"This is {clean(name)} already.")
            return
        try:
            profile = switchboard.named(name)
        except ConfigError as error:
            self.tell(error)
            return
        following = Following(switchboard, profile, arrived(profile, before))
        self._hand_over_once_free(f"Go over to {clean(name)}", following)

    def go_over_to(self, address: str) -> bool:
        """Open an address of another profile's platform there; return whether there is one."""
        from platui.present.profiles import arrived  # noqa: PLC0415  (on first use)
        from platui.service.addresses import place_at  # noqa: PLC0415  (as above)
        from platui.ui.following import Following  # noqa: PLC0415  (as above)

        board, before = self.switchboard, self.service.profile
        for profile in () if board is None else board.profiles:
            found = place_at(address, profile.url)
            if board is not None and found is not None and profile.name != before.name:
                following = Following(board, profile, arrived(profile, before), *found)
                self._hand_over_once_free(f"Go over to {clean(profile.name)}", following)
                return True
        return False

    async def _choose_profile(self, switchboard: Switchboard) -> None:
        """List the profiles; the chosen one is gone over to."""
        from platui.present.profiles import profile_words  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (as above)

        profiles, here, now = switchboard.profiles, self.screen, self.service.clock.now()
        used = await asyncio.to_thread(last_uses, profiles)
        if self.screen is not here:
            return
        current = self.service.profile.name
        items = [
            MenuItem(
                one.name,
                one.name,
                profile_words(one, used.get(one.name), now),
                key="here" if one.name == current else "",
            )
            for one in profiles
        ]

        def chosen(name: str | None) -> None:
            if name is not None:
                self.go_over(switchboard, name)

        await self.push_screen(Menu("Which profile?", items), chosen)

    async def _read_again(self, switchboard: Switchboard) -> None:
        """Open this place with what config.toml says now; where that cannot be, stay as it is."""
        from platui.config.changes import changes_between  # noqa: PLC0415  (on first use)
        from platui.present.profiles import taken_anew  # noqa: PLC0415  (as above)
        from platui.ui.following import Following  # noqa: PLC0415  (as above)

        before = self.service.profile
        try:
            board = await asyncio.to_thread(switchboard.read_again)
            profile = board.named(before.name)
        except ConfigError as error:
            self.tell(error)
            return
        changes = changes_between(
            (switchboard.settings, switchboard.profiles), (board.settings, board.profiles)
        )
        said = taken_anew(*changes)
        if not changes.taken:
            self.hint(said)
            return
        place = self.trail.here if profile.url == before.url else None
        following = Following(board, profile, said, place)
        self._hand_over_once_free("Begin anew with other settings", following)

    def _hand_over_once_free(self, verb: str, following: Following) -> None:
        """Let another app follow; after a yes where it would cost what is under way, or typed."""
        self.once_free(verb, lambda: self.hand_over(following), unsent=self.has_unsent)
