"""`W`: tell me when this ends, whatever is on the screen then."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.ui.messages import EndWanted
from platui.ui.screens.base import PlaceScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from platui.models.values.places import Place


class AwaitsEnds(PlaceScreen):
    """A view of pipelines that can be awaited."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "W",
            "await_end",
            "Tell me when",
            id="pipeline.await",
            show=False,
            tooltip="Tell me when this pipeline ends, or every marked one; again: no more",
        ),
    ]

    def pipelines_chosen(self) -> Sequence[Place]:
        """Return the pipelines that a key of this view is about."""
        here = self.pipeline_here()
        return () if here is None else (here,)

    def action_await_end(self) -> None:
        """Ask to be told."""
        if places := self.pipelines_chosen():
            self.post_message(EndWanted(places))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey it where there is no pipeline."""
        if action == "await_end" and self.is_whole and not self.pipelines_chosen():
            return None
        return super().check_action(action, parameters)
