"""The columns of the triage board, apart from it: a first frame has kept rows, and no board."""

from __future__ import annotations

from typing import Final

from platui.models.values.table import Column

TRIAGE_COLUMNS: Final = (
    Column("glyph", "", 2),
    Column("project", "PROJECT", 18, minimum=12, flexible=True),
    Column("ref", "REF", 13, minimum=7, flexible=True, priority=1),
    Column("red", "RED", 7, right=True),
    Column("since", "SINCE", 19, minimum=12),
    Column("job", "JOB", 10, minimum=4, flexible=True, priority=2),
)
"""In the first one the sign of what can be opened stands beside the glyph.

Where it is narrow the job leaves first, then the branch: how often it failed, and since when, stay.
"""

QUIET: Final = "quiet"
"""Key of the row above what was acknowledged or snoozed."""
REST: Final = "rest"
"""Key of the row between that and what is late, runs or recovered."""
