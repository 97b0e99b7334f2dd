"""One group or project of the access report: who is a member of it, and at which level."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui.core.text import clean
from platui.models.values.reports import Exported, ExportOrder
from platui.present.access.details import place_details
from platui.present.access.holdings import (
    EFFECTIVE_SAID,
    HELD_SAID,
    MemberOrder,
    member_rows,
    members_of,
    owners_pieces,
    place_pieces,
)
from platui.present.access.report import fitting, tabs_line
from platui.present.chrome import Sign
from platui.present.counts import counted
from platui.present.tables.memberships import MEMBERS
from platui.ui.screens.access.base import person_place, place_words
from platui.ui.screens.access.page import AccessPage, SeesEverybody

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from platui.models.values.access import AccessPlace, AccessReport
    from platui.models.values.table import Row
    from platui.present.access.holdings import MembersFound
    from platui.present.chrome import Pieces
    from platui.present.details.layout import Details
    from platui.ui.screens.access.actions import Export

_ARROWS: Final = {
    MemberOrder.EFFECTIVE: "effective", MemberOrder.DIRECT: "held", MemberOrder.NAME: "name",
}  # fmt: skip
"""The column that each order goes by."""
_ORDERS_TOLD: Final = {MemberOrder.DIRECT: "direct first", MemberOrder.NAME: "by name"}


class _Answer(NamedTuple):
    """What was found in another thread."""

    members: MembersFound
    rows: Sequence[Row]
    owners: Pieces  # Who owns it, in words


class MembersScreen(SeesEverybody, AccessPage):
    """`enter` opens a person; levels of a group are counted in it and in all below."""

    NOUN = "members"
    COPIED = "e-mail"
    COLUMNS = MEMBERS.layout
    SIGNS = (Sign("EFFECTIVE", "column", EFFECTIVE_SAID), Sign("HELD", "column", HELD_SAID))
    FOOTER = (
        "table.open", "place.up", "access.everybody", "list.filter", "list.sort", "access.export",
        "list.copy", "list.details", "app.command",
    )  # fmt: skip

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._order = MemberOrder.EFFECTIVE
        self._members: MembersFound | None = None  # All of them, counted, and those found

    _owners: Pieces = ()  # Who owns it, in words

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

    def wanted(self) -> object:
        """Return report, search, group or project, and order."""
        return (super().wanted(), self._order)

    def search(self, report: AccessReport) -> Callable[[], _Answer | None]:
        """Return what finds the members, and names the owners among them."""
        row, words, order = self.row_in(report), self.query_text, self._order

        def find() -> _Answer | None:
            if row is None:
                return None
            members = members_of(report, row, words, order)
            return _Answer(
                members,
                member_rows(report, row, members.holdings),
                owners_pieces(report, members.owners),
            )

        return find

    def found(self, report: AccessReport, answer: _Answer | None) -> None:
        """Show the members."""
        self.subject_row = self.row_in(report)
        self._members = answer.members if answer is not None else None
        self._owners = answer.owners if answer is not None else ()
        self.found_rows = answer.rows if answer is not None else ()
        sort = _ARROWS[self._order]
        self.table.sort_by(sort, descending=sort == "effective")
        self.tell_header()

    def draw_summary(self) -> None:
        """Show what the group or project is."""
        place, members = self.group_or_project, self._members
        pieces: Pieces = ()
        if place is not None and members is not None:
            pieces = place_pieces(place, members.direct, members.above)
        self.summarize(fitting(pieces, self.size.width - 1))

    def level_line(self, report: AccessReport) -> Pieces:
        """Return who owns it, by the level that counts."""
        del report
        return self._owners

    def draw_tabs(self) -> None:
        """Show its levels, and what is searched for."""
        _, right = tabs_line((), "", self.query_text, more=self.more_told())
        room = self.size.width - sum(len(text) for text, _ in right)
        self.tabs.show(self._level_bars(room), right)

    def _level_bars(self, room: int) -> Pieces:
        """Return memberships in a group and in all below by level; of a project its members."""
        place, report, members = self.group_or_project, self.shown, self._members
        if place is None or report is None or members is None or not report.is_whole:
            return ()
        held, heading = report.level_counts(place.row), "in it and below"
        if place.kind == "project":
            held, heading = members.levels, counted(members.direct + members.above, "member")
        return self.level_bars(heading, report, held, room)

    def order_told(self) -> str:
        """Return in which order members stand."""
        return "" if self._order is MemberOrder.EFFECTIVE else _ORDERS_TOLD[self._order]

    def place_here(self) -> AccessPlace | None:
        """Return whom this is about."""
        return self.group_or_project

    def open_row(self, key: str) -> None:
        """Go to everything that the person holds."""
        if self.shown is not None:
            self.go_to(person_place(self.shown.person(int(key))))

    async def action_sort(self) -> None:
        """Choose the order."""

        def sort(chosen: str) -> None:
            self._order = MemberOrder(chosen)
            self.seek()

        await self.choose("Order of members", ((one.value, one.value) for one in MemberOrder), sort)

    def describe(self, report: AccessReport) -> Details | None:
        """Return everything known of the group or project."""
        place, members = self.group_or_project, self._members
        if place is None or members is None:
            return None
        return place_details(report, place, members, self.service.clock.now(), utc=self.utc)

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return all members as they are listed, and the direct ones alone."""
        place, members = self.group_or_project, self._members
        if place is None or members is None:
            return ()
        direct = f"{counted(place.members, 'direct member')} of {self.heading()}"
        alone = ExportOrder(Exported.MEMBERS, place=place.row)
        found = [self.exported(direct, report, alone)]
        order = alone
        if members.above:
            order = ExportOrder(Exported.EFFECTIVE, place=place.row)
            every = f"{direct}, and {members.above:,} from above"
            found.insert(0, self.exported(every, report, order))
        if (listed := self.listed()) is not None:
            what = f"the {len(listed.rows):,} with {clean(listed.words)}"
            found.insert(0, self.exported(what, report, replace(order, listed=listed)))
        return found

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
            "command": self.opening(*place_words(place)),
        }
