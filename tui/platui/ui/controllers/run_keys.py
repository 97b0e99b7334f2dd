"""Run or rerun a pipeline by a form; unlock writes."""

from __future__ import annotations

from platui.models.values.routes import Route
from platui.ui.controller import Controller, command
from platui.ui.messages import GoTo, ToggleWriteLock
from platui.ui.screens.parts.body import Body


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
            self._open_form(Route("run", here.project, here.project_name))

    @command("R", "write.rerun", "Rerun")
    def rerun_pipeline(self) -> None:
        """Run this pipeline again (filled-in form), after confirmation."""
        if (here := self.body.context.pipeline()) is not None:
            self._open_form(Route("run", here.project, here.project_name, here.pipeline))

    def disabled_reason(self, command: str) -> str:
        here = self.body.context
        if reason := here.unfocused_reason():
            return reason
        if command == "write.run":
            return "Select a project first." if here.resource() is None else ""
        return "Select a pipeline first." if here.pipeline() is None else ""

    def _open_form(self, route: Route) -> None:
        # Where writes are off, the request to unlock them shows why.
        is_off = self.screen.service.writes == "off"
        self.screen.post_message(ToggleWriteLock() if is_off else GoTo(route))


class RunInProject(RunPipeline):
    """Disables rerun in views without pipelines."""

    @classmethod
    def offers(cls, command: str) -> bool:
        return command != "write.rerun"
