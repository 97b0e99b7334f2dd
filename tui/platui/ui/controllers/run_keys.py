"""Start a pipeline or run one again, by a form; unlock writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.routes import Route
from platui.ui.controller import Controller, command
from platui.ui.messages import GoTo, ToggleWriteLock
from platui.ui.screens.parts.body import Body

if TYPE_CHECKING:
    from platui.ui.screens.parts.view_screen import ViewScreen


class Unlock(Controller[Body]):
    """Let writes through for a while."""

    @command(
        "U",
        "write.unlock",
        "Unlock",
        "Let writes through for 15 minutes, or lock them again",
    )
    def unlock(self) -> None:
        self.screen.post_message(ToggleWriteLock())


class RunPipeline(Controller[Body]):
    """Start a pipeline of the project here."""

    @command(
        "t",
        "write.run",
        "Run",
        "Start or trigger a pipeline of this project: a form, which asks first",
    )
    def run_pipeline(self) -> None:
        if (here := self.body.context.resource()) is not None:
            _open_form(self.screen, Route("run", here.project, here.project_name))

    def disabled_reason(self, _command: str) -> str:
        here = self.body.context.resource()
        if here is not None and here.project is not None:
            return ""
        return "Nothing to run: put the cursor on a project first."


class RerunPipeline(Controller[Body]):
    """Run the pipeline here again."""

    @command(
        "R",
        "write.rerun",
        "Rerun",
        "The same form, filled in with what is known of this pipeline",
    )
    def rerun_pipeline(self) -> None:
        if (here := self.body.context.pipeline()) is not None:
            _open_form(self.screen, Route("run", here.project, here.project_name, here.pipeline))

    def disabled_reason(self, _command: str) -> str:
        here = self.body.context.pipeline()
        if here is not None and here.project is not None:
            return ""
        return "Nothing to run again: put the cursor on a pipeline first."


class NothingToRerun(RerunPipeline):
    """Say why nothing is run again where there are no pipelines."""

    @classmethod
    def offers(cls, _command: str) -> bool:
        return False


def _open_form(screen: ViewScreen, route: Route) -> None:
    if screen.service.writes == "off":
        screen.post_message(ToggleWriteLock())  # which shows why nothing can be unlocked
    else:
        screen.post_message(GoTo(route))
