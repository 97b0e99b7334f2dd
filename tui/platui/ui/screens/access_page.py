"""The page of one person, group or project of the access report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from platui.core.text import clean
from platui.models.values.exports import Listed
from platui.models.values.places import KeptPlace, Place, View
from platui.present.access_holdings import EFFECTIVE_SAID
from platui.present.chrome import Sign
from platui.ui.screens.access import AccessScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.access import AccessReport


class AccessPage(AccessScreen):
    """Facts on top, memberships below; a subclass says of whom or what."""

    IS_LIST = False
    LIST: ClassVar[View]
    """The list that lies above."""
    NOUN = "memberships"
    WITHOUT = AccessScreen.WITHOUT | {"turn"}
    """One turns to other lists from a list only."""
    SIGNS: ClassVar[Sequence[Sign]] = (Sign("EFFECTIVE", "column", EFFECTIVE_SAID),)
    FOOTER: ClassVar[tuple[str, ...]] = (
        "table.open", "place.up", "list.filter", "list.sort", "access.export", "list.copy",
        "list.details", "app.command",
    )  # fmt: skip

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.subject_row: int | None = None
        """Row of whom or what this is about, in the report that is shown."""

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

    def heading(self) -> str:
        """Return what whom or what this is about is called."""
        raise NotImplementedError

    def crumbs(self) -> tuple[str, ...]:
        """Return the area, and whom or what this is about."""
        return ("Access", self.heading())

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
        return KeptPlace(Place(self.LIST), saved_at=self.service.clock.now().timestamp())

    def empty_text(self) -> str:
        """Return why nothing is listed."""
        if self.subject_row is None:
            return f"This report does not have {clean(self.place.entry)}.\n\nesc  back"
        return super().empty_text()

    async def action_filter(self) -> None:
        """Open the search with what it holds: here it has words only."""
        await self.prompt.ask("/", self.query_text)
        self._tell_filter()
