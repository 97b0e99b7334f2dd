"""Groups of actions, by the parts of their ids: `table.down`."""

from __future__ import annotations

from typing import Final

UP_AND_DOWN: Final = frozenset(
    {"down", "up", "half_page_down", "half_page_up", "page_down", "page_up", "top", "end"}
)
# Second parts of the ids of cursor movements
_MOVES: Final = UP_AND_DOWN | {"left", "right", "line_start", "line_end"}

# First part of an id -> group
GROUPS: Final = {
    "table": "move", "detail": "move", "raw": "move",
    "triage": "incident", "projects": "project", "pipelines": "pipeline", "pipeline": "pipeline",
    "since": "pipeline", "commits": "pipeline", "document": "", "artifacts": "job", "jobs": "job",
    "schedules": "schedule", "access": "report", "watch": "watch",
    "log": "log", "many": "log", "compare": "log", "text": "log",
    "write": "change", "run": "change", "form": "change", "preview": "move", "list": "list",
    "hits": "list", "file": "", "view": "here", "own": "here", "app": "go",
}  # fmt: skip

_IN_DIALOGS: Final = {"chooser": "watch"}  # Dialogs, whose keys cannot be rebound


def group_of(action: str) -> str:
    part, _, name = action.partition(".")
    return "move" if name in _MOVES else GROUPS.get(part, _IN_DIALOGS.get(part, ""))
