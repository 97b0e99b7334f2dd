"""How wide the columns of the triage board are: names get the room they need, if it is there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.cells import cells
from platui.present.triage_columns import TRIAGE_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.models.values.table import Column, Row

_MOST: Final = {"project": 32, "ref": 48, "red": 7, "since": 19, "job": 24}
"""Cells that a text may take while others want them, too."""
_JOB: Final = 10
"""Cells of a job's name that are worth a column."""


def fitting_columns(
    rows: Iterable[Row], folded: Iterable[tuple[str, str, str]]
) -> tuple[Column, ...]:
    """Return the columns of rows, those of names as wide as these are.

    Args:
        rows: the rows.
        folded: project, branch and job of all that is on the board, in folded causes too: who
            opens one finds the rest where it was.
    """
    told = [[cell.text for cell in row.cells] for row in rows if row.heading is None]
    told += [["", project, ref, "", "", job] for project, ref, job in folded]
    if not told:
        return TRIAGE_COLUMNS
    needed = [max(map(cells, texts)) for texts in zip(*told, strict=True)]
    return tuple(map(_fitting, TRIAGE_COLUMNS, needed))


def _fitting(column: Column, needed: int) -> Column:
    most = _MOST.get(column.key)
    if most is None:
        return column
    width = max(1, min(needed, most))
    if column.key == "project":
        # What it does not need is of no use left of the branch.
        return replace(column, width=width, flexible=needed > most)
    if column.key == "since":
        # Cut off it would lose for how long: names give way to it.
        return replace(column, width=width, minimum=width)
    return replace(column, width=width, minimum=_JOB if column.key == "job" else column.minimum)
