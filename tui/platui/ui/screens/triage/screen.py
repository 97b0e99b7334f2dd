"""Triage, the home screen: failures of all watched projects, since when, and why."""

from __future__ import annotations

from platui.ui.controllers.list_keys import (
    BrowseRow,
    CopyMenu,
    CopyRow,
    Details,
    FilterFailed,
    FilterRows,
    NextPane,
    PreviousPane,
    ReadRow,
)
from platui.ui.controllers.run_keys import RerunPipeline, RunPipeline, Unlock
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.screens.triage.body import TriageBody
from platui.ui.screens.triage.causes import CauseKeys
from platui.ui.screens.triage.incident_marks import MarkIncidents
from platui.ui.screens.triage.keys import (
    ChooseWatched,
    HandOff,
    IncidentLogs,
    IncidentWatch,
    IncidentWrites,
    OpenIncident,
    WrapErrors,
)


class TriageScreen(ViewScreen):
    BODY = TriageBody
    SHOWS_FAILURES = True
    DEFAULT_CSS = """
    TriageScreen.-wide #detail { width: 36; }
    """
    CONTROLLERS = (
        *VIEW_KEYS, CopyMenu, Details, CauseKeys, NextPane, PreviousPane, FilterRows, FilterFailed,
        ReadRow, BrowseRow, CopyRow, HandOff, MarkIncidents, ChooseWatched,
        IncidentWatch, IncidentLogs, Unlock, RunPipeline, RerunPipeline, IncidentWrites,
        OpenIncident, WrapErrors,
    )  # fmt: skip
    FOOTER = (
        "table.open", "triage.wrap", "triage.expand", "triage.broken_since", "triage.acknowledge",
        "triage.snooze", "list.filter", "triage.note", "triage.expand_all", "triage.hand_off",
        "triage.undo", "list.details", "write.rerun", "write.retry", "write.cancel",
        "list.failed", "list.copy", "view.refresh", "app.command",
    )  # fmt: skip
