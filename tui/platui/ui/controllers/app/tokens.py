"""Another token, in place of the one that is not accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import PlatuiError
from platui.ui.controller import AppController, handles
from platui.ui.messages import TokenWanted
from platui.ui.works import work

if TYPE_CHECKING:
    from platui.core.secrets import Secret
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs


class Tokens(AppController):
    """Asks for a token and uses it for this run."""

    _app: PlatuiApp

    @handles(TokenWanted)
    def ask(self, _: object = None) -> None:
        from platui.present.profiles import keeping_command  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.token import TokenDialog  # noqa: PLC0415  (on first use)

        app, service = self._app, self._app.service

        def use(token: Secret | None) -> None:
            if token is not None:
                app.run_worker(work(self._replace, token), group="token", exclusive=True)

        profile = service.profile
        reason = service.line.value.reason
        keeping = keeping_command(profile)
        app.push_screen(TokenDialog(profile.name, profile.url, reason, keeping), use)

    async def _replace(self, token: Secret) -> None:
        try:
            await self._app.service.replace_token(token)
            self._app.look_again()
        except PlatuiError as error:
            self._app.tell(error)

    def verbs(self) -> Verbs:
        return {"token": self.ask}
