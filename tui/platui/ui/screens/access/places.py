"""Groups and projects of the access report: a tree that opens, with who holds what below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from platui.models.values.access_terms import PLACE_TERMS
from platui.models.values.reports import Exported, ExportOrder
from platui.present.access.places import found_places, place_rows, tree
from platui.present.access.report import found_of, term_signs
from platui.present.tables.access import places_table
from platui.ui.keys_in_use import bind
from platui.ui.screens.access.base import members_place, place_words
from platui.ui.screens.access.page import SeesEverybody

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from platui.models.values.access import AccessPlace, AccessReport
    from platui.models.values.table import Row
    from platui.present.chrome import Pieces
    from platui.ui.screens.access.actions import Export


class _Found(NamedTuple):
    """What was found in another thread."""

    rows: Sequence[Row]
    slips: tuple[str, ...]  # What leads to no place


class PlacesScreen(SeesEverybody):
    """`right` opens a group, `left` closes it; a search finds them wherever they lie."""

    NOUN = "groups and projects"
    WITHOUT = SeesEverybody.WITHOUT | {"sort"}
    COPIED = "path"
    COLUMNS = places_table(None).layout
    TERMS = PLACE_TERMS
    SIGNS = term_signs(PLACE_TERMS)
    FOOTER = (
        "table.open", "access.unfold", "access.everybody", "list.filter", "list.pane",
        "place.refresh", "access.export", "list.details", "app.command",
    )  # fmt: skip
    BINDINGS = [
        bind(
            "right",
            "access.unfold",
            "Open group",
            "Show what lies in this group; in one that is open, go to the first in it",
        ),
        bind(
            "left",
            "access.fold",
            "Close group",
            "Close this group, or go to the group that this lies in",
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._opened: frozenset[int] = frozenset()  # Rows of the groups that are open
        self._ids: tuple[int, ...] = ()  # Their ids, which hold in another report too
        self._goal: tuple[str, int] | None = None  # Kind and id to select in the next report

    @property
    def is_tree(self) -> bool:
        """Return whether all are shown, each in the group it lies in."""
        return not self.query_text.strip()

    def wanted(self) -> object:
        """Return report, search and what is open."""
        opened = self._opened if self.is_tree else None
        return (self.told.report, self.query_text, opened)

    def search(self, report: AccessReport) -> Callable[[], _Found]:
        """Return what lays out the tree, or searches it."""
        is_tree, opened, query = self.is_tree, self._opened, self.query_text

        def find() -> _Found:
            nodes = tree(report, opened) if is_tree else found_places(report, query)
            slips = () if is_tree else report.unmatched_places(query)
            return _Found(place_rows(report, nodes, opened, is_tree=is_tree), slips)

        return find

    def report_changed(self) -> None:
        """Remember what is open and where the cursor is, by ids: rows are others in another one."""
        report, shown = self.told.report, self.shown
        if shown is None and report is not None and not self._ids:
            roots = report.children(None)
            # Most organizations are one group: it stands open.
            self._ids = (report.place(roots[0]).id,) if len(roots) == 1 else ()
        key = self.table.cursor_key if self.is_whole else None
        if shown is not None and key is not None:
            place = shown.place(int(key))
            self._goal = (place.kind, place.id)
        if shown is not None:
            self._ids = tuple(shown.place(row).id for row in self._opened)
        if report is not None:
            rows = (report.place_row("group", id_) for id_ in self._ids)
            self._opened = frozenset(row for row in rows if row is not None)

    def found(self, report: AccessReport, answer: _Found) -> None:
        """Show the tree, or what was found."""
        self.table.set_columns(places_table(report, is_tree=self.is_tree).layout)
        self.found_rows, self.slips = answer
        goal, self._goal = self._goal, None
        self.table.show(self.found_rows)
        if goal is not None:
            row = report.place_row("group" if goal[0] == "group" else "project", goal[1])
            if row is not None:
                self.table.move_to(str(row))

    def go_to_number(self, number: int) -> bool:
        """Put the cursor on the group or project with this id, if it is in sight."""
        report = self.shown
        if report is None:
            return False
        rows = (report.place_row("group", number), report.place_row("project", number))
        return any(row is not None and self.table.move_to(str(row)) for row in rows)

    def tab_told(self, name: str) -> str:
        """Return how many groups and projects the search finds."""
        report = self.told.report
        if name != self.place.view or report is None or self.is_tree:
            return super().tab_told(name)
        if self.is_searching:
            return f"… of {report.place_count:,}"
        return found_of(len(self.found_rows), report.place_count, self.query_text)

    def level_line(self, report: AccessReport) -> Pieces:
        """Return all memberships of the report by their level."""
        return self.level_bars("memberships", report, report.level_counts(None))

    def place_here(self) -> AccessPlace | None:
        """Return the group or project under the cursor."""
        key = self.table.cursor_key if self.is_whole else None
        return self.shown.place(int(key)) if self.shown is not None and key is not None else None

    def open_row(self, key: str) -> None:
        """Go to the members of the group or project."""
        if self.shown is not None:
            self.go_to(members_place(self.shown.place(int(key))))

    def action_unfold(self) -> None:
        """Open the group under the cursor; go into one that is open."""
        report, key = self.shown, self.table.cursor_key
        if report is None or key is None or not self.is_tree:
            return
        row = int(key)
        if row in self._opened:
            self.table.action_move(1)
        elif report.children(row) if report.place(row).kind == "group" else ():
            self._set_open(self._opened | {row})

    def action_fold(self) -> None:
        """Close the group under the cursor; else go to the group it lies in."""
        report, key = self.shown, self.table.cursor_key
        if report is None or key is None or not self.is_tree:
            return
        row = int(key)
        if row in self._opened:
            self._set_open(self._opened - {row})
        elif (parent := report.place(row).parent) is not None:
            self.table.move_to(str(parent))

    def _set_open(self, opened: frozenset[int]) -> None:
        self._opened = opened
        self.seek()

    def exports(self, report: AccessReport) -> Sequence[Export]:
        """Return all groups and projects, or those found; not only those of open groups."""
        order = ExportOrder(Exported.PLACES, self.query_text)
        count = report.place_count if self.is_tree else len(self.found_rows)
        return (self.exported(f"{count:,} groups and projects", report, order),)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return what names a group or project."""
        if self.shown is None:
            return {}
        place = self.shown.place(int(key))
        return {
            "path": place.path,
            "name": place.name,
            "id": str(place.id),
            "command": self.opening(*place_words(place)),
        }

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Open and close groups in the tree only."""
        if action in {"unfold", "fold"} and not self.is_tree:
            return None
        return super().check_action(action, parameters)
