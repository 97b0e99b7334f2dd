"""Keys for all logs of the pipeline that one is at, from wherever one meets it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.models.values.places import Place, View
from platui.ui.messages import GoTo, Told
from platui.ui.screens.base import PlaceScreen

if TYPE_CHECKING:
    from textual.binding import BindingType


class WholePipeline(PlaceScreen):
    """A view from which one looks at every log of a pipeline.

    It stands last among the bases of a screen: Textual takes styles from the first one only.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "M",
            "many_logs",
            "Follow all",
            id="pipeline.many",
            show=False,
            tooltip="Follow the logs of all jobs of this pipeline that run or failed, in one",
        ),
    ]

    def action_many_logs(self) -> None:
        """Follow all jobs of the pipeline that run or failed."""
        if (place := self._of_pipeline(View.MANY)) is not None:
            self.post_message(GoTo(place))

    def _of_pipeline(self, view: View) -> Place | None:
        """Return a view of the pipeline here; say so where there is none."""
        here = self.pipeline_here()
        if here is None:
            self.post_message(Told("Of which pipeline? Put the cursor on it first."))
            return None
        return Place(view, here.project, here.project_name, here.pipeline)
