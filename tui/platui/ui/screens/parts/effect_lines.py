"""Lines below the rows of a list: the effects of writes on their records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.models.values.table import Row
    from platui.ui.screens.parts.list_body import ListBody


def with_effects(body: ListBody, rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows with the effects of writes below those that they concern."""
    effects = body.service.write_effects.value
    if not body.RECORD_KIND or not effects:
        return rows
    from platui.present.writes.effects import lines_below  # noqa: PLC0415  (after a write)

    keys = {row.key for row in rows}
    lines = lines_below(effects, body.RECORD_KIND, body.now, keys)
    return [
        replace(row, below=(*row.below, lines[row.key])) if row.key in lines else row
        for row in rows
    ]
