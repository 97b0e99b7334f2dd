"""One group or project of the access report: who is a member of it, and at which level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.exports import Exported, ExportOrder
from platui.models.values.places import View
from platui.present.access import fitting, level_bars, tabs_line
from platui.present.access_holdings import (
    MEMBERS_COLUMNS,
    member_rows,
    members_of,
    owners_pieces,
    place_pieces,
)
from platui.present.counts import counted
from platui.ui.screens.access import person_place, place_command
from platui.ui.screens.access_page import AccessPage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from platui.models.values.access import AccessPlace, AccessReport
    from platui.models.values.table import Row
    from platui.present.chrome import Pieces
    from platui.ui.screens.access_deeds import Export


class MembersScreen(AccessPage):
    """`enter` opens a person; levels are counted in it and in all below."""

    VIEW = View.MEMBERS
    LIST = View.GROUPS
    NOUN = "members"
    COPIED = "e-mail"
    COLUMNS = MEMBERS_COLUMNS

    _owners: Pieces = ()
    """Who owns it directly, in words."""
    _above = 0
    """Members of the groups above whom it does not list itself."""

    def row_in(self, report: AccessReport) -> int | None:
        """Return the row of the group or project."""
        kind = self.place.entry.partition(" ")[0]
        return report.place_row("group" if kind == "group" else "project", self.entry_id)

    @property
    def group_or_project(self) -> AccessPlace | None:
        """Return what this is about, as soon as there is a report that has it."""
        if self.shown is None or self.subject_row is None:
            return None
        return self.shown.place(self.subject_row)

    def heading(self) -> str:
        """Return the path."""
        place = self.group_or_project
        return "Members" if place is None else place.path or place.name or str(place.id)

    # rows

    def search(self, report: AccessReport) -> Callable[[], tuple[Sequence[Row], Pieces, int]]:
        """Return what finds the members, and names the owners among them."""
        row, words = self.row_in(report), self.query_text

        def find() -> tuple[Sequence[Row], Pieces, int]:
            if row is None:
                return (), (), 0
            owners = owners_pieces(report, report.members_of(row))
            found = members_of(report, row, words)
            return member_rows(report, row, found), owners, len(report.members_above(row))

        return find

    def found(self, report: AccessReport, answer: tuple[Sequence[Row], Pieces, int]) -> None:
        """Show the members."""
        self.subject_row = self.row_in(report)
        self.found_rows, self._owners, self._above = answer
        self.tell_header()

    # lines

    def draw_summary(self) -> None:
        """Show what the group or project is."""
        place = self.group_or_project
        pieces = () if place is None else place_pieces(place, self._above)
        self.summarize(fitting(pieces, self.size.width - 1))

    def draw_levels(self) -> None:
        """Show the memberships in it and in all below, by level."""
        place, report = self.group_or_project, self.shown
        if place is None or report is None or not report.is_whole:
            self.levels.show(())
            return
        held = report.level_counts(place.row)
        counts = list(zip(reversed(report.levels), reversed(held), strict=True))
        heading = "in it and below" if place.kind == "group" else "members"
        self.levels.show(level_bars(heading, counts, self.size.width))

    def draw_tabs(self) -> None:
        """Show who owns it, and what is searched for."""
        _, right = tabs_line((), "", self.query_text, more=self.more_told())
        is_whole = self.shown is not None and self.shown.is_whole
        self.tabs.show(self._owners if is_whole else (), right)

    # keys

    def open_row(self, key: str) -> None:
        """Go to everything that the person holds."""
        if self.shown is not None:
            self.go_to(person_place(self.shown.person(int(key))))

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return all members as they are listed, and the direct ones alone."""
        place = self.group_or_project
        if place is None:
            return ()
        direct = f"{counted(place.members, 'direct member')} of {self.heading()}"
        alone = self.exported(direct, report, ExportOrder(Exported.MEMBERS, place=place.row))
        if not self._above:
            return (alone,)
        listed = f"{direct}, and {self._above:,} from above"
        every = ExportOrder(Exported.EFFECTIVE, place=place.row)
        return (self.exported(listed, report, every), alone)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return what names the person, and the group or project."""
        place = self.group_or_project
        if self.shown is None or place is None:
            return {}
        person = self.shown.person(int(key))
        return {
            "e-mail": person.email,
            "user name": person.username,
            "id": str(person.id),
            f"path of this {place.kind}": place.path,
            "command": place_command(place),
        }

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave members in their order: the highest level first."""
        return False if action == "sort" else super().check_action(action, parameters)
