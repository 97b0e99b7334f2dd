"""Changes of the access report: who came and left, and whose level is another one, since when."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.access_changes import PlaceChange
from platui.models.values.places import Place
from platui.present.access.changes import (
    Arranged,
    ChangeSearch,
    came_and_left,
    change_columns,
    change_pieces,
    change_test,
)
from platui.present.access.report import fitting, found_of, report_time
from platui.present.access.states import trouble_page
from platui.present.chrome import joined
from platui.present.counts import counted
from platui.ui.keys_in_use import bind
from platui.ui.messages import Told
from platui.ui.screens.access.actions import Export
from platui.ui.screens.access.base import AccessScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges, Change
    from platui.models.values.reports import ExportFormat
    from platui.present.access.changes import ChangeRows
    from platui.ui.dialogs.replacing import WriteRows

_ALONE = (
    "There is no earlier report to compare with.\n\n"
    "Reports that are fetched are kept: the newest ones, and the last of each month.\n"
    "With the next one, what changed stands here.\n\n"
    "{place.refresh}  fetch now      {access.reports}  the saved reports      esc  back"
)


class ChangesScreen(AccessScreen):
    """The report that is looked at, held against an earlier one: the one before, or any."""

    NOUN = "changes"
    COPIED = "e-mail"
    COLUMNS = change_columns(Arranged.KIND)
    FOOTER = (
        "table.open", "list.filter", "list.pane", "list.sort", "access.before", "access.export",
        "place.refresh", "app.command",
    )  # fmt: skip
    BINDINGS = [
        bind(
            "S",
            "list.sort",
            "Arrange",
            "Put changes together by what happened, by person, or by group and project",
        )
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._arranged = Arranged.KIND
        self._before_id = ""  # Id of the earlier report that was chosen; empty: the one before.
        self._search_of: ChangeSearch | None = None
        self._shown_changes: ChangeRows | None = None
        self._failure: PlatuiError | None = None

    @property
    def earlier(self) -> tuple[ReportInfo, ...]:
        """Return the saved reports that came before the one looked at, newest first."""
        report = self.told.report
        if report is None:
            return ()
        return tuple(one for one in self.told.saved or () if one.id < report.info.id)

    @property
    def before(self) -> ReportInfo | None:
        """Return the report that is held against; None: there is no earlier one."""
        chosen = (one for one in self.earlier if one.id == self._before_id)
        return next(chosen, next(iter(self.earlier), None))

    def compared_with(self) -> ReportInfo | None:
        """Return the report that changes are since."""
        return self.before

    def wanted(self) -> object:
        """Return both reports, arrangement and words."""
        before = self.before
        earlier = before.id if before is not None else ""
        return (self.told.report, earlier, self._arranged, self.query_text)

    async def answer(self, report: AccessReport) -> ChangeRows | None:
        """Lay the changes out, compared by the desk where that was not done yet."""
        before, desk = self.before, self.desk
        self._failure = None
        if before is None or desk is None or not report.is_whole:
            self._search_of = None
            return None
        known = self._changes
        if known is None or (known.before.id, known.after.id) != (before.id, report.info.id):
            self._search_of = None
            try:
                changes = await desk.compare(before.id, report.info.id)
            except PlatuiError as failure:
                self._failure = failure
                return None
            self._search_of = ChangeSearch(changes)
        search, wanted = self._search_of, self.wanted()
        if search is None:
            return None
        found = await asyncio.to_thread(
            search.rows, self._arranged, self.query_text, lambda: self.wanted() == wanted
        )
        return self._shown_changes if found is None else found

    @property
    def _changes(self) -> AccessChanges | None:
        return None if self._search_of is None else self._search_of.changes

    def found(self, report: AccessReport, answer: ChangeRows | None) -> None:
        """Show the changes."""
        del report
        self._shown_changes = answer
        if answer is not None:
            self.table.set_columns(change_columns(answer.arranged))
        self.found_rows = () if answer is None else answer.rows

    def tab_told(self, name: str) -> str:
        """Return how many people came and left, and of how many changes some are shown."""
        told = super().tab_told(name)
        if name != self.place.view or self._changes is None or self._shown_changes is None:
            return told
        told = told.removesuffix(f"  {came_and_left(self._changes)}")
        if self.query_text.strip():
            every = sum(self._changes.counts.values())
            return f"{told}  {found_of(self._shown_changes.found, every, self.query_text)}"
        return f"{told}  {came_and_left(self._changes)}"

    def draw_levels(self) -> None:
        """Show how many changes there are of each kind."""
        changes = self._changes
        pieces = () if changes is None else change_pieces(changes)
        self.levels.show(((" ", "text"), *joined(fitting(pieces, self.size.width - 1))))

    def order_told(self) -> str:
        """Return how changes are put together."""
        return "" if self._arranged is Arranged.KIND else self._arranged.value

    def empty_text(self) -> str:
        """Return why there are no changes."""
        before = self.before
        if self._failure is not None:
            return trouble_page(self._failure, self.key_of("place.refresh"))
        if before is None:
            return self.keyed(_ALONE)
        if self._changes is None:
            return self._comparing(before)
        if self.query_text.strip():
            return super().empty_text()
        since = report_time(before, self.service.clock.now(), utc=self.utc)
        return f"Nothing changed since {since}.\n\nb  compare with another report"

    def _comparing(self, before: ReportInfo) -> str:
        since = report_time(before, self.service.clock.now(), utc=self.utc)
        return f"Comparing with the report of {since} …"

    def _change(self, key: str) -> Change | None:
        return None if self._shown_changes is None else self._shown_changes.change(key)

    def open_row(self, key: str) -> None:
        """Go to the person, or to the group or project."""
        change = self._change(key)
        if change is None:
            return
        if isinstance(change, PlaceChange):
            place = change.place
            self._go(place.after, Place("members", entry=f"{place.kind} {place.id}"))
        else:
            self._go(change.person.after, Place("person", entry=f"person {change.person.id}"))

    def _go(self, row: int | None, place: Place) -> None:
        if row is None:
            self.post_message(Told("That is gone: only the earlier report has it."))
        else:
            self.go_to(place)

    async def action_sort(self) -> None:
        """Choose how changes are put together."""

        def arrange(chosen: str) -> None:
            self._arranged = Arranged(chosen)
            self.seek()
            self.draw()

        await self.choose(
            "Put changes together", ((one.value, one.value) for one in Arranged), arrange
        )

    async def action_before(self) -> None:
        """Choose the earlier report."""

        def compare(chosen: str) -> None:
            self._before_id = chosen
            self.seek()
            self.draw()

        await self.choose("What changed since", self.report_items(self.earlier), compare)

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return the changes that are listed, and all."""
        del report
        changes, words = self._changes, self.query_text.strip()
        if changes is None:
            return ()
        every = Export(
            counted(sum(changes.counts.values()), "change"), "changes", self._written(changes)
        )
        if not words:
            return (every,)
        found = Export(f"those with {clean(words)}", "changes", self._written(changes, words))
        return (found, every)

    def _written(self, changes: AccessChanges, words: str = "") -> WriteRows:
        keep = change_test(words) if words else None

        async def write(
            form: ExportFormat, target: Path, tell: Callable[[float], None], *, replace: bool
        ) -> int:
            reports = await self.service.reports()
            return await reports.export_changes(
                changes, form, target, tell, replace=replace, keep=keep, words=words
            )

        return write

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return what names the person, and the group or project."""
        change = self._change(key)
        if change is None:
            return {}
        found: dict[str, str] = {}
        if not isinstance(change, PlaceChange):
            person = change.person
            found |= {"e-mail": person.email, "user name": person.username, "id": str(person.id)}
        place = getattr(change, "place", None)
        if place is not None:
            found["path"] = place.path
        return found

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Choose among earlier reports where there are some."""
        if action == "before":
            return True if self.earlier else None
        return super().check_action(action, parameters)
