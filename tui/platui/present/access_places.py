"""Groups and projects of the access report: as a tree that opens, or as those a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.models.values.table import Cell, Column, Row
from platui.present.access import count_width, number, short_level
from platui.present.made_rows import MadeRows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from platui.models.values.access import AccessReport

_UNREAD: Final = Cell("…", "muted")
_BESIDE: Final = 4
_DEEPEST: Final = 12
"""Steps to the right at most: what lies deeper stands under it."""


class Node(NamedTuple):
    """A group or project in the tree as it is open, or among those found."""

    row: int
    depth: int
    """How far it is set in; 0 for all that a search found."""


def place_columns(report: AccessReport | None, *, is_tree: bool = True) -> tuple[Column, ...]:
    """Return the columns of a report: its levels count what is in a place and all below.

    Args:
        report: None: there is none yet.
        is_tree: whether places stand in each other, else each by its full path.
    """
    place = Column("place", "GROUP OR PROJECT", 36, minimum=20, flexible=True, ends=not is_tree)
    people = 0 if report is None else report.person_count
    direct = Column("members", "DIRECT", count_width(people, "DIRECT"), right=True, priority=1)
    levels = [] if report is None else zip(report.levels, report.level_counts(None), strict=True)
    counts = [
        Column(
            f"level {level}",
            short_level(level),
            count_width(most, short_level(level)),
            right=True,
            priority=2 if at < _BESIDE else 6 + at,
        )
        for at, (level, most) in enumerate(reversed([*levels]))
    ]
    return (place, direct, *counts)


def tree(report: AccessReport, opened: Collection[int]) -> list[Node]:
    """Return the tree as far as it is open, top down; for a thread.

    Args:
        report: the report.
        opened: rows of the groups that are open.
    """
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
    """Return the groups and projects that a search finds; for a thread.

    Raises:
        TermError: it cannot be read.
    """
    return [Node(row, 0) for row in report.places(query)]


def place_rows(
    report: AccessReport, nodes: Sequence[Node], opened: Collection[int], *, is_tree: bool
) -> MadeRows:
    """Return nodes as rows, made as they come into sight; a key is a report's row.

    Args:
        report: the report.
        nodes: what is shown, in order.
        opened: rows of the groups that are open.
        is_tree: whether they stand in each other, else each by its full path.
    """
    places = {str(node.row): at for at, node in enumerate(nodes)}

    def make(at: int) -> Row:
        return _row(report, nodes[at], is_open=nodes[at].row in opened, is_tree=is_tree)

    return MadeRows(len(nodes), make, places.get)


def _row(report: AccessReport, node: Node, *, is_open: bool, is_tree: bool) -> Row:
    place = report.place(node.row)
    is_group = place.kind == "group"
    name = place.path.rpartition("/")[2] or place.name or f"{place.kind} {place.id}"
    if is_tree:
        sign = ("▾ " if is_open else "▸ ") if place.groups or place.projects else "  "
        text = "  " * min(node.depth, _DEEPEST) + sign + name
    else:
        text = place.path or name
    counts = [_UNREAD] * len(report.levels)
    if report.is_whole:
        counts = [number(count) for count in reversed(report.level_counts(node.row))]
    parts = ((text, "text"), ("/" if is_group else "", "muted"))
    cell = Cell(text + "/" * is_group, parts=parts)
    members = number(place.members) if report.is_whole else _UNREAD
    return Row(str(node.row), (cell, members, *counts))
