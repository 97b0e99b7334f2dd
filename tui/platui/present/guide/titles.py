"""What the views of the dashboard are called."""

from __future__ import annotations

from typing import Final

from platui.models.values.places import View

SAVED_LOG: Final = "saved-log"
"""The name of the view of `platui log --file`."""
RAW: Final = "raw"
"""The name of the dialog that shows a record's JSON."""

TITLES: Final[dict[str, str]] = {
    View.TRIAGE: "Triage",
    View.PROJECTS: "Projects",
    View.PIPELINES: "Pipelines",
    View.JOBS: "Jobs",
    View.LOG: "Log",
    View.COMPARE: "Comparison of two logs",
    View.MANY: "All logs of a pipeline",
    View.SEARCH: "Search through a pipeline",
    View.SINCE: "Broken since",
    View.FILE: "File",
    View.SCHEDULES: "Schedules",
    View.ACCESS: "Access: people",
    View.GROUPS: "Access: groups and projects",
    View.CHANGES: "Access: changes",
    View.PERSON: "Access: one person",
    View.MEMBERS: "Access: members",
    View.RUN: "Run form",
    View.REQUESTS: "Requests",
    SAVED_LOG: "A saved log",
    RAW: "Raw JSON of a record",
}
"""Name of a view -> its title."""
