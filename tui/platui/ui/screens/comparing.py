"""The key that compares a log with that of the job's last green run."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.models.values.places import Place, View
from platui.ui.messages import GoTo
from platui.ui.screens.base import PlaceScreen

if TYPE_CHECKING:
    from textual.binding import BindingType


class ComparesLogs(PlaceScreen):
    """A view of one job's log."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "c",
            "compare",
            "Compare",
            id="log.compare",
            tooltip="Compare with the log of this job's last green run",
        ),
    ]

    def compared_here(self) -> Place | None:
        """Return where this job's log is compared."""
        here = self.place
        if here.project is None or here.job is None:
            return None
        return Place(
            View.COMPARE, here.project, here.project_name, here.pipeline, here.job, here.job_name
        )

    def action_compare(self) -> None:
        """Compare the log with that of the job's last green run."""
        if (place := self.compared_here()) is not None:
            self.post_message(GoTo(place))
