"""Jump: `:` and the palette find projects, pipelines, jobs and more by parts of their names."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from platui.ui.controller import AppController, handles
from platui.ui.messages import CommandTyped, HitClicked

if TYPE_CHECKING:
    from platui.ui.app import PlatuiApp
    from platui.ui.jump_prompt import JumpPrompt


class Jump(AppController):
    _app: PlatuiApp

    @cached_property
    def prompt(self) -> JumpPrompt:
        from platui.ui.jump_prompt import JumpPrompt  # noqa: PLC0415  (on first use)

        return JumpPrompt(self._app)

    @handles(CommandTyped)
    def text_changed(self, request: CommandTyped) -> None:
        if request.is_open:
            self.prompt.typed(request.text)
        else:
            self.prompt.stop()

    @handles(HitClicked)
    def clicked(self, request: HitClicked) -> None:
        self.prompt.enter(request.text)
