"""Groups and projects of the access report: as a tree that opens, or as those a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from platui.models.values.table import LazyRows, Row
from platui.present.tables.access import PlaceRow, places_table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from platui.models.values.access import AccessReport


class Node(NamedTuple):
    """A group or project in the tree as it is open, or among those found."""

    row: int
    depth: int  # Indentation; 0 for search results


def tree(report: AccessReport, opened: Collection[int]) -> list[Node]:
    """Return the tree as far as the rows in `opened` are open, top down; for a thread."""
    nodes: list[Node] = []
    waiting = [Node(row, 0) for row in reversed(report.children(None))]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        if node.row in opened:
            below = report.children(node.row)
            waiting += [Node(row, node.depth + 1) for row in reversed(below)]
    return nodes


def found_places(report: AccessReport, query: str) -> list[Node]:
    """Raises TermError: the search cannot be read. For a thread."""
    return [Node(row, 0) for row in report.places(query)]


def place_rows(
    report: AccessReport, nodes: Sequence[Node], opened: Collection[int], *, is_tree: bool
) -> LazyRows:
    """Return nodes as rows, by full path unless they stand in a tree; a key is a report's row."""
    places = {str(node.row): at for at, node in enumerate(nodes)}
    table = places_table(report, is_tree=is_tree)

    def make(at: int) -> Row:
        row, depth = nodes[at]
        counts = report.level_counts(row) if report.is_whole else ()
        return Row(str(row), table.cells(PlaceRow(report.place(row), counts, depth, row in opened)))

    return LazyRows(len(nodes), make, places.get)
