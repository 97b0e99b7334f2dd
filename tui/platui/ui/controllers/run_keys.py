"""Run or rerun a pipeline by a form; unlock writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.routes import Route
from platui.ui.controller import Controller, command
from platui.ui.messages import GoTo, ToggleWriteLock
from platui.ui.screens.parts.body import Body

if TYPE_CHECKING:
    from platui.ui.screens.parts.view_screen import ViewScreen


class Unlock(Controller[Body]):
    @command("U", "write.unlock", "Unlock")
    def unlock(self) -> None:
        """Unlock writes for 15 minutes, or lock them."""
        self.screen.post_message(ToggleWriteLock())


class RunPipeline(Controller[Body]):
    @command("t", "write.run", "Run")
    def run_pipeline(self) -> None:
        """Run or trigger a pipeline of this project (form), after confirmation."""
        if (here := self.body.context.resource()) is not None:
            _open_form(self.screen, Route("run", here.project, here.project_name))

    def disabled_reason(self, _command: str) -> str:
        return "Select a project first." if self.body.context.resource() is None else ""


class RerunPipeline(Controller[Body]):
    @command("R", "write.rerun", "Rerun")
    def rerun_pipeline(self) -> None:
        """Run this pipeline again (filled-in form), after confirmation."""
        if (here := self.body.context.pipeline()) is not None:
            _open_form(self.screen, Route("run", here.project, here.project_name, here.pipeline))

    def disabled_reason(self, _command: str) -> str:
        return "Select a pipeline first." if self.body.context.pipeline() is None else ""


class NothingToRerun(RerunPipeline):
    """Disables rerun in views without pipelines."""

    @classmethod
    def offers(cls, _command: str) -> bool:
        return False


def _open_form(screen: ViewScreen, route: Route) -> None:
    # Where writes are off, the request to unlock them shows why.
    screen.post_message(ToggleWriteLock() if screen.service.writes == "off" else GoTo(route))
