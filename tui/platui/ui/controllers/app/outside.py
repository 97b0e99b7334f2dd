"""What goes out of the terminal: texts to the clipboard, pages to the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.ui.controller import AppController, handles
from platui.ui.messages import CopyWanted, PageWanted
from platui.ui.works import work

if TYPE_CHECKING:
    from platui.ui.command_app import CommandApp


class Outside(AppController):
    """Copies texts and opens pages, and says what became of it."""

    _app: CommandApp

    @handles(CopyWanted)
    def copy_soon(self, request: CopyWanted) -> None:
        self._app.run_worker(work(self._copy, request.text, request.what), group="copy")

    async def _copy(self, text: str, what: str) -> None:
        from platui.ui.terminal.clipboard import copy  # noqa: PLC0415  (on first use)

        said = await copy(text, self._app.terminal, self._app.write_to_terminal)
        self._app.hint(f"{what}: {said[0].lower()}{said[1:]}" if what else said)

    @handles(PageWanted)
    def open_soon(self, request: PageWanted) -> None:
        self._app.run_worker(work(self._open, request), group="page")

    async def _open(self, wanted: PageWanted) -> None:
        from platui.ui.browser import open_address  # noqa: PLC0415  (on first use)

        app = self._app
        outcome = await open_address(wanted.address, wanted.origin or app.service.profile.url)
        if outcome.opened or not outcome.address:
            app.hint(outcome.sentence)
        else:
            # Long enough to be selected with the mouse; `y` copies it.
            app.notify(f"{outcome.sentence}\n{outcome.address}", timeout=20)
