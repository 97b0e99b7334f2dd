"""Switch the profile, by starting another app, and replace its token."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from platui.core.errors import ConfigError, PlatuiError
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.service.local_state import last_uses
from platui.ui.controller import AppController, handles
from platui.ui.controllers.app.notifications import Notifier
from platui.ui.messages import AskToken
from platui.ui.workers import work

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.config.profile_choice import SessionProfiles
    from platui.core.secrets import Secret
    from platui.models.values.routes import Route
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs

_ALONE: Final = "Not supported in the demo. Quit it to open a profile."


class NextApp(NamedTuple):
    session_profiles: SessionProfiles
    profile: Profile
    hint: str
    route: Route | None = None
    words: str = ""


class Profiles(AppController):
    _app: PlatuiApp

    def verbs(self) -> Verbs:
        return {
            "profile": partial(self._do, "profile"),
            "reload": partial(self._do, "reload"),
            "token": self.ask_token,
        }

    def _do(self, verb: str, name: str) -> None:
        session_profiles = self._app.session_profiles
        if session_profiles is None:
            self._app.hint(_ALONE)
        elif verb == "profile" and name:
            self.switch_profile(session_profiles, name)
        else:
            task = self._read_again if verb == "reload" else self._choose_profile
            self._app.run_worker(work(task, session_profiles), group="profiles", exclusive=True)

    def switch_profile(self, session_profiles: SessionProfiles, name: str) -> None:
        """Open another profile; ask first if work would be lost."""
        from platui.present.profiles import switched_message  # noqa: PLC0415  (on first use)

        before = self._app.service.profile
        if name == before.name:
            self._app.hint(f"Already using profile {clean(name)}.")
            return
        try:
            profile = session_profiles.named(name)
        except ConfigError as error:
            self._app.show_error(error)
            return
        next_app = NextApp(session_profiles, profile, switched_message(profile, before))
        self._hand_over(f"Switch to {clean(name)}", next_app)

    def switch_to_address(self, address: str) -> bool:
        """Open an address in the profile of its platform; return whether one matches."""
        from platui.present.profiles import switched_message  # noqa: PLC0415  (on first use)

        board, before = self._app.session_profiles, self._app.service.profile
        if board is None:
            return False
        from platui.ui.addresses import route_and_filter  # noqa: PLC0415  (on first use)

        for profile in board.profiles:
            found = route_and_filter(address, profile.url)
            if found is not None and profile.name != before.name:
                next_app = NextApp(board, profile, switched_message(profile, before), *found)
                self._hand_over(f"Switch to {clean(profile.name)}", next_app)
                return True
        return False

    async def _choose_profile(self, session_profiles: SessionProfiles) -> None:
        from platui.present.profiles import profile_words  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        app, here = self._app, self._app.screen
        used = await asyncio.to_thread(last_uses, session_profiles.profiles)
        if app.screen is not here:
            return
        items = []
        for one in session_profiles.profiles:
            words = profile_words(one, used.get(one.name), app.service.clock.now())
            current = "current · " * (one.name == app.service.profile.name)
            items.append(MenuItem(one.name, one.name, f"{current}{words}"))
        menu = Menu("Choose a profile", items)
        await app.choose(menu, partial(self.switch_profile, session_profiles))

    async def _read_again(self, session_profiles: SessionProfiles) -> None:
        from platui.config.effective import changes_between  # noqa: PLC0415  (on first use)
        from platui.present.profiles import reload_message  # noqa: PLC0415  (on first use)

        before = self._app.service.profile
        try:
            board = await asyncio.to_thread(session_profiles.reload)
            profile = board.named(before.name)
        except ConfigError as error:
            self._app.show_error(error)
            return
        old = (session_profiles.settings, session_profiles.profiles)
        changes = changes_between(old, (board.settings, board.profiles))
        said = reload_message(*changes)
        if not changes.taken:
            self._app.hint(said)
            return
        route = self._app.navigation.history.current if profile.url == before.url else None
        self._hand_over("Reload with new settings", NextApp(board, profile, said, route))

    def _hand_over(self, verb: str, next_app: NextApp) -> None:
        def end() -> None:
            self._app.next_app = next_app
            self._app.exit(0)

        awaited = self._app.controller(Notifier).awaited
        self._app.running_writes.confirm_leave(verb, end, awaited)

    @handles(AskToken)
    def ask_token(self, _: object = None) -> None:
        from platui.ui.dialogs.inputs import TokenDialog  # noqa: PLC0415  (on first use)

        app, service = self._app, self._app.service

        def use(token: Secret | None) -> None:
            if token is not None:
                app.run_worker(work(self._replace, token), group="token", exclusive=True)

        app.push_screen(TokenDialog(service.profile, service.line.value.reason), use)

    async def _replace(self, token: Secret) -> None:
        try:
            await self._app.service.replace_token(token)
            self._app.refresh_view()
        except PlatuiError as error:
            self._app.show_error(error)
