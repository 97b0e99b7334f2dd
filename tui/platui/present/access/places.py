"""Groups and projects of the access report, as a tree or as search results."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from platui.models.values.table import keyed_rows
from platui.present.tables.access import PlaceRow, places_table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from platui.models.values.access import AccessReport
    from platui.models.values.table import Cell, LazyRows


class Node(NamedTuple):
    row: int
    depth: int  # Indentation; 0 for search results


def tree(report: AccessReport, opened: Collection[int]) -> list[Node]:
    """Return the visible nodes, top down; run in a thread."""
    nodes: list[Node] = []
    waiting = [Node(row, 0) for row in reversed(report.children(None))]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        if node.row in opened:
            below = report.children(node.row)
            waiting += [Node(row, node.depth + 1) for row in reversed(below)]
    return nodes


def place_rows(
    report: AccessReport, nodes: Sequence[Node], opened: Collection[int], *, is_tree: bool
) -> LazyRows:
    """Return nodes as rows, with full paths unless in a tree; a key is a report's row."""
    table = places_table(report, is_tree=is_tree)

    def cells(at: int) -> tuple[Cell, ...]:
        row, depth = nodes[at]
        counts = report.level_counts(row) if report.is_whole else ()
        return table.cells(PlaceRow(report.place(row), counts, depth, row in opened))

    return keyed_rows([str(node.row) for node in nodes], cells)
