"""The columns of the triage board, apart from it: a first frame has kept rows, and no board."""

from __future__ import annotations

from typing import Final

from platui.models.values.table import Column

TRIAGE_COLUMNS: Final = (
    Column("glyph", "", 2),
    Column("project", "PROJECT", 18, minimum=12, flexible=True),
    Column("ref", "REF", 13, minimum=6, flexible=True, priority=2),
    Column("red", "RED", 7, right=True, priority=1),
    Column("since", "SINCE", 18, minimum=12),
    Column("job", "JOB", 10, minimum=7, flexible=True),
)
"""In the first one the sign of what can be opened stands beside the glyph."""
