"""One person of the access report: every group and project, and at which level."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from platui.core.text import clean
from platui.models.values.reports import Exported, ExportOrder
from platui.present.access.details import person_details
from platui.present.access.holdings import (
    holdings_of,
    identity_pieces,
    person_columns,
    person_holding_rows,
    person_pieces,
)
from platui.present.access.report import tabs_line
from platui.present.counts import counted
from platui.present.tables.memberships import HOLDINGS
from platui.ui.screens.access.base import members_place, person_words
from platui.ui.screens.access.page import AccessPage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from platui.models.values.access import AccessReport, Person
    from platui.models.values.table import Column, Row
    from platui.present.chrome import Pieces
    from platui.present.details.layout import Details
    from platui.ui.screens.access.actions import Export


class _Found(NamedTuple):
    """What was found in another thread."""

    rows: Sequence[Row]
    columns: tuple[Column, ...]


class PersonScreen(AccessPage):
    """`enter` opens the members of a group or project."""

    COPIED = "path"
    COLUMNS = HOLDINGS.layout

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._by_level = True

    def row_in(self, report: AccessReport) -> int | None:
        """Return the row of the person."""
        return report.person_row(self.entry_id)

    @property
    def person(self) -> Person | None:
        """Return the person, as soon as there is a report that has them."""
        if self.shown is None or self.subject_row is None:
            return None
        return self.shown.person(self.subject_row)

    def heading(self) -> str:
        """Return what the person is called."""
        person = self.person
        return "Person" if person is None else person.name or person.username or str(person.id)

    def wanted(self) -> object:
        """Return report, search, person and order."""
        return (super().wanted(), self._by_level, self.is_roomy_line)

    def on_resize(self) -> None:
        """Say more, or less, of the levels."""
        super().on_resize()
        self.call_after_refresh(self.seek)

    def search(self, report: AccessReport) -> Callable[[], _Found]:
        """Return what finds the memberships of the person."""
        row, words, by_level = self.row_in(report), self.query_text, self._by_level
        is_wide = self.is_roomy_line

        def find() -> _Found:
            if row is None:
                return _Found((), HOLDINGS.layout)
            held = holdings_of(report, row, words, by_level=by_level)
            rows = person_holding_rows(report, held, is_wide=is_wide)
            return _Found(rows, person_columns(report, held, is_wide=is_wide))

        return find

    def found(self, report: AccessReport, answer: _Found) -> None:
        """Show the memberships."""
        self.subject_row, self.found_rows = self.row_in(report), answer.rows
        self.table.set_columns(answer.columns)
        self.table.sort_by("level" if self._by_level else "path", descending=self._by_level)
        self.tell_header()

    def draw_summary(self) -> None:
        """Show who the person is."""
        person = self.person
        self.summarize(() if person is None else person_pieces(person))

    def level_line(self, report: AccessReport) -> Pieces:
        """Return what the person holds, by level."""
        if self.person is None:
            return ()
        counts = self.person.counts
        return self.level_bars(counted(sum(counts), "membership"), report, counts)

    def draw_tabs(self) -> None:
        """Show the service identity, and what is searched for."""
        person = self.person
        _, right = tabs_line((), "", self.query_text, more=self.more_told())
        self.tabs.show(() if person is None else identity_pieces(person), right)

    def open_row(self, key: str) -> None:
        """Go to the members of the group or project."""
        if self.shown is not None:
            self.go_to(members_place(self.shown.place(int(key))))

    async def action_sort(self) -> None:
        """Sort by path, or by level again."""
        self._by_level = not self._by_level
        self.seek()

    def describe(self, report: AccessReport) -> Details | None:
        """Return everything known of the person."""
        person, now = self.person, self.service.clock.now()
        return None if person is None else person_details(report, person, now, utc=self.utc)

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return the memberships that are listed, and all of the person."""
        person = self.person
        if person is None:
            return ()
        order = ExportOrder(Exported.MEMBERSHIPS, f"id:{person.id}")
        what = f"{counted(sum(person.counts), 'membership')} of {self.heading()}"
        every = self.exported(what, report, order)
        listed = self.listed()
        if listed is None:
            return (every,)
        found = f"the {len(listed.rows):,} with {clean(listed.words)}"
        return (self.exported(found, report, replace(order, listed=listed)), every)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return what names the group or project, and the person."""
        person = self.person
        if self.shown is None or person is None:
            return {}
        place = self.shown.place(int(key))
        return {
            "path": place.path,
            "id": str(place.id),
            "e-mail of the person": person.email,
            "user name": person.username,
            "id of the person": str(person.id),
            "command": self.opening(*person_words(person)),
        }
