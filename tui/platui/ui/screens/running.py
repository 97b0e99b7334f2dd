"""Keys that open the run form, from wherever one meets a project or a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.models.values.places import Place, View
from platui.ui.messages import GoTo, UnlockWanted
from platui.ui.screens.unlocking import UnlocksWrites

if TYPE_CHECKING:
    from textual.binding import BindingType


class RunsPipelines(UnlocksWrites):
    """A view from which a pipeline is started, or run again.

    It stands last among the bases of a screen: Textual takes styles from the first one only.
    """

    RERUNS: ClassVar[bool] = True
    """Whether there are pipelines here that can be run again."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "t",
            "run",
            "Run",
            id="write.run",
            tooltip="Start or trigger a pipeline of this project: a form, which asks first",
        ),
        Binding(
            "R",
            "rerun",
            "Rerun",
            id="write.rerun",
            tooltip="The same form, filled in with what is known of this pipeline",
        ),
    ]

    def action_run(self) -> None:
        """Open the form, empty."""
        here = self.subject()
        if here is not None and here.project is not None:
            self._open_form(Place(View.RUN, here.project, here.project_name))

    def action_rerun(self) -> None:
        """Open the form with what is known of the pipeline here."""
        here = self.pipeline_here()
        if here is not None:
            self._open_form(Place(View.RUN, here.project, here.project_name, here.pipeline))

    def _open_form(self, place: Place) -> None:
        if self.service.writes == "off":
            self.post_message(UnlockWanted())  # which says why nothing can be unlocked
        else:
            self.post_message(GoTo(place))

    def why_not(self, action: str) -> str:
        """Return that the form lacks a project, or a pipeline."""
        if action == "write.run":
            return "Nothing to run: put the cursor on a project first."
        if action == "write.rerun":
            return "Nothing to run again: put the cursor on a pipeline first."
        return super().why_not(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what there is nothing to run of."""
        if action == "rerun" and not self.RERUNS:
            return False
        if action in {"run", "rerun"} and self.is_whole:
            here = self.subject() if action == "run" else self.pipeline_here()
            return True if here is not None and here.project is not None else None
        return super().check_action(action, parameters)
