"""What pages of the access report share: of a person, group or project, and who is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from platui.core.text import clean
from platui.models.values.access_terms import term_of
from platui.models.values.places import KeptPlace, Place
from platui.models.values.reports import Listed
from platui.present.access.holdings import EFFECTIVE_SAID
from platui.present.chrome import Sign
from platui.ui import views
from platui.ui.keys_in_use import bind
from platui.ui.messages import GoTo
from platui.ui.screens.access.base import AccessScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.access import AccessPlace, AccessReport


class SeesEverybody(AccessScreen):
    """A view that is about a group or project, or has one under its cursor."""

    BINDINGS = [
        bind(
            "e",
            "access.everybody",
            "Everybody",
            "Everybody who is a direct member of this group or project, or of any below it",
        )
    ]

    def place_here(self) -> AccessPlace | None:
        """Return the group or project; None: there is none."""
        raise NotImplementedError

    def action_everybody(self) -> None:
        """Go to the people, with the term that finds those in it and below."""
        place = self.place_here()
        if place is not None and place.path:
            self.post_message(GoTo(Place("access"), term_of(place.kind, place.path)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what has no path to search by."""
        if action == "everybody":
            place = self.place_here()
            return True if place is not None and place.path else None
        return super().check_action(action, parameters)


class AccessPage(AccessScreen):
    """Facts on top, memberships below; a subclass says of whom or what."""

    IS_LIST = False
    NOUN = "memberships"
    WITHOUT = AccessScreen.WITHOUT | {"turn"}  # One turns to other lists from a list only
    SIGNS: ClassVar[Sequence[Sign]] = (Sign("EFFECTIVE", "column", EFFECTIVE_SAID),)
    FOOTER: ClassVar[tuple[str, ...]] = (
        "table.open", "place.up", "list.filter", "list.sort", "access.export", "list.copy",
        "list.details", "app.command",
    )  # fmt: skip

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.subject_row: int | None = None  # Row of the subject in the report that is shown

    def row_in(self, report: AccessReport) -> int | None:
        """Return the row of whom or what this is about; None: the report has none."""
        raise NotImplementedError

    @property
    def entry_id(self) -> int:
        """Return the id of whom or what this is about."""
        return int(self.place.entry.rpartition(" ")[2] or -1)

    def wanted(self) -> object:
        """Return report, search and of whom or what this is."""
        return (self.told.report, self.query_text, self.place.entry)

    def listed(self) -> Listed | None:
        """Return what a search in this page has found, for an export; None: there is none."""
        words = self.query_text.strip()
        if not words:
            return None
        return Listed(words, frozenset(int(row.key) for row in self.found_rows))

    def forget(self) -> None:
        """Drop whom or what it was about before."""
        super().forget()
        self.query_text, self.subject_row = "", None
        self.shown, self.found_rows, self.found_by = None, (), None

    def keep(self) -> KeptPlace | None:
        """Return the list that this is a page of."""
        above = Place(views.get(self.place.view).parent)
        return KeptPlace(above, saved_at=self.service.clock.now().timestamp())

    def empty_text(self) -> str:
        """Return why nothing is listed."""
        if self.subject_row is None:
            return f"This report does not have {clean(self.place.entry)}.\n\nesc  back"
        return super().empty_text()

    async def action_filter(self) -> None:
        """Open the search with what it holds: here it has words only."""
        await self.prompt.ask("/", self.query_text)
        self._tell_filter()
