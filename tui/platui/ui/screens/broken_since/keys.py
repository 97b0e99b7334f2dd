"""Keys of "broken since": log, comparison and artifacts of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.present.triage.broken_since import COMMIT
from platui.ui.controller import Controller, command

if TYPE_CHECKING:
    from platui.ui.screens.broken_since.body import BrokenSinceBody


class BrokenSinceKeys(Controller["BrokenSinceBody"]):
    _had_log: bool | None = None

    @command("l", "since.log", "Log")
    def open_log(self) -> None:
        """Open this job's log in the newest failed pipeline, or the log of its cause."""
        self.body.context.open_log("log")

    @command("c", "since.compare", "Compare")
    def compare(self) -> None:
        """Compare that log with the last successful run."""
        self.body.context.open_log("compare")

    @command("D", "since.artifacts", "Artifacts")
    def list_artifacts(self) -> None:
        """List the artifacts of this job in the newest failed pipeline to download."""
        if (job := self.body.context.newest_job()) is not None:
            self.screen.show_artifacts(job)

    def disabled_reason(self, command: str) -> str:
        context = self.body.context
        if command == "since.artifacts":
            return "" if context.newest_job() is not None else "Select a job first."
        return "" if context.job_with_log() is not None else "This row has no log."

    def label(self, command: str) -> str:
        is_commit = self.body.table.cursor_key == COMMIT
        return "commits" if command == "table.open" and is_commit else ""

    def on_changed(self) -> None:
        self.screen.footer_line.show_soon()
        has_log = self.body.context.job_with_log() is not None
        if has_log != self._had_log:
            self._had_log = has_log
            self.screen.refresh_bindings()
