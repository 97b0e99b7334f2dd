"""Groups and projects of the access report as a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from platui.models.values.access import PLACE_TERMS, AccessPlace, AccessReport, PlaceKind
from platui.models.values.reports import ExportContent, ExportRequest
from platui.present.access.report import found_of, term_signs
from platui.present.tables.access import Node, arranged_places, place_rows, places_table, tree
from platui.ui.controller import Controller, command
from platui.ui.screens.access.body import ReportBody, report_body
from platui.ui.screens.access.content import Export, ReportContent, members_route, place_words
from platui.ui.screens.access.report_keys import LIST_KEYS, ShowAllMembers
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.routes import Route
    from platui.models.values.table import Row
    from platui.present.chrome import Pieces


class PlaceTree(ReportContent):
    """Groups and projects as a tree; search results are a flat list."""

    NOUN = "groups and projects"
    DEFAULT_COPY = "path"
    COLUMNS = places_table(None).layout
    TERMS = PLACE_TERMS

    def __init__(self, body: ReportBody[Any]) -> None:
        super().__init__(body)
        self.opened: frozenset[int] = frozenset()  # Rows of expanded groups
        self._ids: tuple[int, ...] = ()  # Their ids, valid in every report
        self._goal: tuple[PlaceKind, int] | None = None  # Kind and id to select in the next report

    @property
    def is_tree(self) -> bool:
        """Return whether all are shown, each below its group."""
        return not self.body.found.words.strip()

    def search_key(self) -> object:
        return (super().search_key(), self.opened if self.is_tree else None)

    def search(self, report: AccessReport) -> Callable[[], tuple[Sequence[Row], Sequence[str]]]:
        is_tree, opened, query = self.is_tree, self.opened, self.body.found.words
        sort = self.sort

        def find() -> tuple[Sequence[Row], Sequence[str]]:
            found = () if is_tree else arranged_places(report, report.places(query), sort)
            nodes = tree(report, opened, sort) if is_tree else [Node(row, 0) for row in found]
            unmatched = () if is_tree else report.unmatched_places(query)
            return place_rows(report, nodes, opened, is_tree=is_tree), unmatched

        return find

    def report_changed(self) -> None:
        """Save expanded groups and the cursor as ids: rows differ between reports."""
        report, shown = self.body.observed.report, self.report
        if shown is None and report is not None and not self._ids:
            roots = report.children(None)
            # Most organizations are one group: expand it at first.
            self._ids = (report.place(roots[0]).id,) if len(roots) == 1 else ()
        if (place := self.place_here()) is not None:
            self._goal = (place.kind, place.id)
        if shown is not None:
            self._ids = tuple(shown.place(row).id for row in self.opened)
        if report is not None:
            rows = (report.place_row("group", id_) for id_ in self._ids)
            self.opened = frozenset(row for row in rows if row is not None)

    def take(self, report: AccessReport, answer: tuple[Sequence[Row], Sequence[str]]) -> None:
        table = self.body.table
        table.set_columns(places_table(report, is_tree=self.is_tree).layout)
        self.mark_sort()
        self.body.found.rows, self.unmatched = answer
        goal, self._goal = self._goal, None
        table.show(self.body.found.rows)
        if goal is not None and (row := report.place_row(*goal)) is not None:
            table.move_to(str(row))

    def row_of(self, number: int) -> str:
        if (report := self.report) is None:
            return ""
        row = report.place_row("group", number)
        row = report.place_row("project", number) if row is None else row
        return "" if row is None else str(row)

    def tab_text(self, name: str) -> str:
        report, found = self.body.observed.report, self.body.found
        if name != self.body.route.view or report is None or self.is_tree:
            return super().tab_text(name)
        if found.is_searching:
            return f"… of {report.place_count:,}"
        return found_of(len(found.rows), report.place_count, found.words)

    def levels(self) -> Pieces:
        report = self.body.observed.report
        if report is None or not report.is_whole:
            return ()
        return self.level_bars("memberships", report, report.level_counts(None))

    def place_here(self) -> AccessPlace | None:
        key = self.body.table.cursor_key if self.body.is_whole else None
        return self.report.place(int(key)) if self.report is not None and key is not None else None

    def target(self, report: AccessReport, key: str) -> Route:
        return members_route(report, int(key))

    def set_open(self, opened: frozenset[int]) -> None:
        self.opened = opened
        self.body.found.refresh()

    def exports(self, report: AccessReport) -> Sequence[Export]:
        order = ExportRequest(ExportContent.PLACES, self.body.found.words)
        count = report.place_count if self.is_tree else len(self.body.found.rows)
        what = f"{count:,} groups and projects" if count != 1 else "the group or project"
        return (self.export(what, report, order),)

    def copies(self, report: AccessReport, key: str) -> Mapping[str, str]:
        place = report.place(int(key))
        return {
            "path": place.path,
            "name": place.name,
            "id": str(place.id),
            "command": self.body.context.open_command(*place_words(place)),
        }


class OpenGroups(Controller[ReportBody[PlaceTree]]):
    @command("right", "access.expand", "Expand")
    def expand(self) -> None:
        """Expand this group; if it is expanded, go to its first entry."""
        content, place = self.body.content, self.body.content.place_here()
        if place is None or content.report is None:
            return
        if place.row in content.opened:
            self.body.table.action_move(1)
        elif place.kind == "group" and content.report.children(place.row):
            content.set_open(content.opened | {place.row})

    @command("left", "access.collapse", "Collapse")
    def collapse(self) -> None:
        """Collapse this group, or go to its parent group."""
        content, place = self.body.content, self.body.content.place_here()
        if place is None:
            return
        if place.row in content.opened:
            content.set_open(content.opened - {place.row})
        elif place.parent is not None:
            self.body.table.move_to(str(place.parent))

    def disabled_reason(self, _command: str) -> str:
        is_tree = self.body.content.is_tree
        return "" if is_tree else "Search results are not a tree: clear the search first."


class PlacesScreen(ViewScreen):
    BODY = report_body(PlaceTree)
    CONTROLLERS = (*LIST_KEYS, ShowAllMembers, OpenGroups)
    SIGNS = term_signs(PLACE_TERMS)
    FOOTER = (
        "table.open", "access.expand", "access.all_members", "list.filter", "list.next_pane",
        "view.refresh", "access.export", "list.details", "app.command",
    )  # fmt: skip
