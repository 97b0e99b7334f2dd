"""From a group or project to everybody in it and below: the people, searched by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from platui.models.values.access_terms import term_of
from platui.models.values.places import Place, View
from platui.ui.messages import GoTo
from platui.ui.screens.access import AccessScreen

if TYPE_CHECKING:
    from textual.binding import BindingType

    from platui.models.values.access import AccessPlace


class SeesEverybody(AccessScreen):
    """A view that is about a group or project, or has one under its cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "e", "everybody", "Everybody", id="access.everybody",
            tooltip="Everybody who is a direct member of this group or project, or of any below it",
        ),
    ]  # fmt: skip

    def place_here(self) -> AccessPlace | None:
        """Return the group or project; None: there is none."""
        raise NotImplementedError

    def action_everybody(self) -> None:
        """Go to the people, with the term that finds those in it and below."""
        place = self.place_here()
        if place is not None and place.path:
            self.post_message(GoTo(Place(View.ACCESS), term_of(place.kind, place.path)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what has no path to search by."""
        if action == "everybody":
            place = self.place_here()
            return True if place is not None and place.path else None
        return super().check_action(action, parameters)
