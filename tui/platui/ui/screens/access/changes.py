"""Changes of the access report: people who came, left or got another level."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.access_changes import AccessChanges, Change, PlaceChange
from platui.present.access.changes import (
    ChangeGrouping,
    ChangeSearch,
    change_columns,
    change_pieces,
    change_test,
    member_delta,
)
from platui.present.access.report import fitting, found_of
from platui.present.access.states import trouble_page
from platui.present.chrome import Pieces, joined
from platui.present.counts import counted
from platui.ui.controller import Controller, command
from platui.ui.controllers.list_keys import FocusDetails
from platui.ui.screens.access.body import ReportBody, report_body
from platui.ui.screens.access.content import (
    Export,
    ReportContent,
    members_route,
    person_route,
)
from platui.ui.screens.access.report_keys import LIST_KEYS
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.access import AccessReport
    from platui.models.values.routes import Route
    from platui.present.access.changes import ChangeRows

_ALONE = (
    "No earlier report to compare with.\n\n"
    "platui saves fetched reports: the newest ones, and the last of each month.\n"
    "Changes appear here after the next fetch.\n\n"
    "{view.refresh}  fetch now      {access.reports}  saved reports      esc  back"
)


class ChangeList(ReportContent):
    IS_COMPARED = True
    NOUN = "changes"
    DEFAULT_COPY = "e-mail"
    COLUMNS = change_columns(ChangeGrouping.KIND)

    def __init__(self, body: ReportBody[Any]) -> None:
        super().__init__(body)
        self.order = ChangeGrouping.KIND
        self._search_of: ChangeSearch | None = None
        self._shown: ChangeRows | None = None
        self._failure: PlatuiError | None = None

    def search_key(self) -> object:
        before = self.compared_with()
        return (super().search_key(), before.id if before is not None else "")

    async def answer(self, report: AccessReport) -> ChangeRows | None:
        """Group the changes; the comparison itself is made once."""
        before, current = self.compared_with(), self.body.observed.current
        self._failure = None
        if before is None or current is None or not report.is_whole:
            self._search_of = None
            return None
        ids, known, search = (before.id, report.info.id), self._changes, self._search_of
        if search is None or known is None or (known.before.id, known.after.id) != ids:
            self._search_of = None
            try:
                search = self._search_of = ChangeSearch(await current.compare(*ids))
            except PlatuiError as failure:
                self._failure = failure
                return None
        wanted = self.search_key()
        found = await asyncio.to_thread(
            search.rows,
            self.order,
            self.body.found.words,
            lambda: self.search_key() == wanted,
            self.sort,
        )
        return self._shown if found is None else found

    @property
    def _changes(self) -> AccessChanges | None:
        return None if self._search_of is None else self._search_of.changes

    def take(self, _report: AccessReport, answer: ChangeRows | None) -> None:
        self._shown = answer
        if answer is not None:
            self.body.table.set_columns(change_columns(answer.arranged))
            self.mark_sort()
        self.body.found.rows = () if answer is None else answer.rows

    def tab_text(self, name: str) -> str:
        text, words, changes = super().tab_text(name), self.body.found.words, self._changes
        if name != self.body.route.view or changes is None or self._shown is None:
            return text
        found = delta = member_delta(changes)
        if words.strip():
            found = found_of(self._shown.found, sum(changes.counts.values()), words)
        return f"{text.removesuffix(f'  {delta}')}  {found}"

    def levels(self) -> Pieces:
        pieces = () if self._changes is None else change_pieces(self._changes)
        return ((" ", "text"), *joined(fitting(pieces, self.body.width - 1)))

    def order_text(self) -> str:
        return "" if self.order is ChangeGrouping.KIND else self.order.value

    def empty(self) -> str:
        before, host = self.compared_with(), self.body.host
        if self._failure is not None:
            return trouble_page(self._failure, host.key_of("view.refresh"))
        if before is None:
            return host.keyed(_ALONE)
        since = self.body.observed.time_of(before)
        if self._changes is None:
            return f"Comparing with the report of {since} …"
        if self.body.found.words.strip():
            return super().empty()
        return f"Nothing changed since {since}.\n\nb  compare with another report"

    def _change(self, key: str) -> Change | None:
        return None if self._shown is None else self._shown.change(key)

    def target(self, report: AccessReport, key: str) -> Route | None:
        change = self._change(key)
        if change is None:
            return None
        row = change.place.after if isinstance(change, PlaceChange) else change.person.after
        if row is None:
            self.body.host.show_hint("Only the earlier report has this entry.")
            return None
        if isinstance(change, PlaceChange):
            return members_route(report, row)
        return person_route(report.person(row))

    def exports(self, _report: AccessReport) -> Sequence[Export]:
        changes, words = self._changes, self.body.found.words.strip()
        if changes is None:
            return ()
        every = self._export(counted(sum(changes.counts.values()), "change"), changes)
        if not words:
            return (every,)
        return (self._export(f"those with {clean(words)}", changes, words), every)

    def _export(self, what: str, changes: AccessChanges, words: str = "") -> Export:
        from platui.service.access.export import sheet_of_changes  # noqa: PLC0415  (on first use)

        keep = change_test(words) if words else None
        return Export(what, "changes", partial(sheet_of_changes, changes, keep, words))

    def copies(self, _report: AccessReport, key: str) -> Mapping[str, str]:
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


class GroupChanges(Controller[ReportBody[ChangeList]]):
    @command("S", "list.sort", "Group by")
    async def choose(self) -> None:
        """Group changes by kind, by person, or by group and project."""
        orders = ((one, one.value) for one in ChangeGrouping)
        await self.body.content.choose_order("Group changes by", orders)


class ChangesScreen(ViewScreen):
    BODY = report_body(ChangeList)
    CONTROLLERS = (*LIST_KEYS, FocusDetails, GroupChanges)
    FOOTER = (
        "table.open", "list.filter", "list.next_pane", "list.sort", "access.compare_with",
        "access.export", "view.refresh", "app.command",
    )  # fmt: skip
