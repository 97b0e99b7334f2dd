"""Errands that screens ask of the app: copy, open a page, tell a sentence, take a token."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from textual import on

from platui.config.choose import for_profile
from platui.core.errors import ConfigError, PlatuiError
from platui.core.text import clean
from platui.ui.base_app import BaseApp
from platui.ui.messages import CopyWanted, Failed, PageWanted, TokenWanted, Told
from platui.ui.pace import pace_for
from platui.ui.works import work

if TYPE_CHECKING:
    from platui.config.settings import Settings
    from platui.core.secrets import Secret
    from platui.service import PlatformService
    from platui.ui.terminal import Terminal


class ErrandApp(BaseApp[int]):
    """An app with a service, that does what its screens ask for."""

    def __init__(self, service: PlatformService, settings: Settings, terminal: Terminal) -> None:
        self.service = service
        settings = for_profile(settings, service.profile)
        self.settings = settings
        ascii_only = not terminal.unicode if settings.ascii is None else settings.ascii
        self._told_once: set[str] = set()
        accent = service.profile.accent
        self.pace: Final = pace_for(settings, os.environ)
        super().__init__(terminal, theme=settings.theme, accent=accent, ascii_only=ascii_only)

    # what is told

    def hint(self, sentence: str) -> None:
        """Show a sentence of low weight for a moment."""
        self.notify(clean(sentence), timeout=4, markup=False)

    def tell(self, error: PlatuiError) -> None:
        """Show why something the user asked for did not work."""
        text = f"{error.sentence} {error.hint}" if error.hint else error.sentence
        lines = "\n".join(clean(line) for line in text.splitlines())
        # A sentence that begins with its title says it already.
        title = "" if lines.startswith(error.title) else clean(error.title)
        self.notify(lines, title=title, severity="error", timeout=8, markup=False)

    def look_again(self) -> None:
        """Fetch again what is on the screen."""

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        message.stop()
        if message.once and message.error.sentence in self._told_once:
            return
        if message.once:
            self._told_once.add(message.error.sentence)
        self.tell(message.error)

    @on(Told)
    def _told(self, message: Told) -> None:
        message.stop()
        self.hint(message.sentence)

    def wear(self, theme: str) -> None:
        """Show a theme, or say what is wrong with it."""
        try:
            self.use_theme(f"platui-{theme}" if theme in {"dark", "light"} else theme)
        except ConfigError as error:
            self.tell(error)
            return
        self.warn_of_theme()

    # what screens ask for

    @on(CopyWanted)
    def _copy_wanted(self, message: CopyWanted) -> None:
        message.stop()
        self.run_worker(
            work(self._copy, message.text, message.what), group="copy", description="copy a text"
        )

    async def _copy(self, text: str, what: str) -> None:
        from platui.ui.clipboard import copy  # noqa: PLC0415  (on first use)

        outcome = await copy(self, text)
        said = outcome.sentence
        self.hint(f"{what}: {said[0].lower()}{said[1:]}" if what else said)

    @on(PageWanted)
    def _page_wanted(self, message: PageWanted) -> None:
        message.stop()
        self.run_worker(work(self._open_page, message), group="page", description="open a page")

    async def _open_page(self, wanted: PageWanted) -> None:
        from platui.ui.browser import open_address  # noqa: PLC0415  (on first use)

        outcome = await open_address(wanted.address, wanted.origin or self.service.profile.url)
        if outcome.opened or not outcome.address:
            self.hint(outcome.sentence)
        else:
            # Long enough to be selected with the mouse; `y` copies it.
            self.notify(f"{outcome.sentence}\n{outcome.address}", timeout=20)

    # token

    @on(TokenWanted)
    def _token_wanted(self, message: TokenWanted) -> None:
        message.stop()
        self.ask_token()

    def ask_token(self) -> None:
        """Ask for a token in place of the one that is not accepted."""
        from platui.present.profiles import keeping_command  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.token import TokenDialog  # noqa: PLC0415  (on first use)

        def use(token: Secret | None) -> None:
            if token is not None:
                self.run_worker(
                    work(self._replace_token, token), group="token", exclusive=True,
                    description="sign in with another token",
                )  # fmt: skip

        profile = self.service.profile
        reason = self.service.line.value.reason
        self.push_screen(
            TokenDialog(profile.name, profile.url, reason, keeping_command(profile)), use
        )

    async def _replace_token(self, token: Secret) -> None:
        try:
            await self.service.replace_token(token)
            self.look_again()
        except PlatuiError as error:
            self.tell(error)
