"""Open, compare or delete saved access reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.ui.controller import Controller, command
from platui.ui.screens.access.body import ReportBody

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.access import ReportInfo
    from platui.models.values.reports import DamagedReport
    from platui.ui.screens.parts.view_screen import Choice

_CANNOT: Final = "cannot be opened; enter shows why"


class SavedReports(Controller[ReportBody[Any]]):
    @command("v", "access.reports", "Reports")
    async def choose(self) -> None:
        """Open or delete a saved report."""

        def take(chosen: ReportInfo | DamagedReport | None) -> None:
            if chosen is None:
                self.screen.call_later(self._choose_deletion)
            else:
                self.body.observed.show(chosen.id)

        forget = (None, "Delete a report …")
        await self.screen.choose("Saved reports", [*self._choices(), forget], take)

    def disabled_reason(self, _command: str) -> str:
        state = self.body.observed.state
        return "" if state.saved or state.damaged else "No saved reports yet."

    def _choices(self) -> list[Choice]:
        """Return all saved reports, newest first, including damaged ones."""
        state, time_of = self.body.observed.state, self.body.observed.time_of
        damaged = ((one, time_of(one), _CANNOT, "damaged") for one in state.damaged)
        choices = [*report_choices(self.body, state.saved or ()), *damaged]
        return sorted(choices, key=lambda choice: choice[0].id, reverse=True)

    async def _choose_deletion(self) -> None:
        choices = self._choices()
        await self.screen.choose("Delete which report?", choices, self._confirm_deletion)

    def _confirm_deletion(self, one: ReportInfo | DamagedReport) -> None:
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        words = [
            (f"Delete the access report of {self.body.observed.time_of(one)}?", "text"),
            ("The platform has no earlier reports: it cannot be restored.", "warning"),
        ]

        def forget(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes:
                self.body.observed.delete(one.id)

        title = ((" Access report", "strong"),)
        self.screen.app.push_screen(QuestionDialog(title, words, lambda: True), forget)


class CompareWith(Controller[ReportBody[Any]]):
    @command("b", "access.compare_with", "Since…")
    async def choose(self) -> None:
        """Choose the earlier report to compare with."""
        body = self.body
        if not body.content.IS_COMPARED:
            words = "{access.compare_with} chooses a report to compare with in Changes: "
            self.screen.show_hint(self.screen.keyed(words + "press {access.changes} first."))
            return

        def compare(chosen: ReportInfo) -> None:
            body.content.before_id = chosen.id
            body.found.refresh()
            body.draw()

        choices = report_choices(body, body.observed.earlier)
        await self.screen.choose("Show changes since", choices, compare)

    def disabled_reason(self, _command: str) -> str:
        if self.body.observed.earlier or not self.body.content.IS_COMPARED:
            return ""
        return "No earlier report to compare with."


def report_choices(body: ReportBody[Any], infos: Sequence[ReportInfo]) -> list[Choice]:
    report = body.observed.report
    return [
        (
            info,
            body.observed.time_of(info),
            f"{info.people:,} people · {info.memberships:,} memberships · {info.origin}",
            "shown" if report is not None and report.info.id == info.id else "",
        )
        for info in infos
    ]
