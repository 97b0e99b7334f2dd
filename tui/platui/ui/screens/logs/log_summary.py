"""Summary of a log: numbers of lines and errors, and the exit code of its script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.log import LogState
from platui.present.logs.status import LogFacts
from platui.present.status import FAILED

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument
    from platui.ui.screens.logs.growing_log import GrowingLog


class LogSummary:
    """Counts a log, and finds once where a failed job ended."""

    def __init__(self, log: GrowingLog) -> None:
        self._log = log
        self._failed_facts: tuple[LogDocument, LogFacts] | None = None

    def forget(self) -> None:
        self._failed_facts = None

    def facts(self) -> LogFacts:
        update = self._log.update
        if update is None or update.is_tail or not update.document.line_count:
            return LogFacts()
        document = update.document
        counted = LogFacts(
            document.line_count, document.error_count, more_errors=not document.has_all_errors
        )
        if update.state is not LogState.ENDED or update.job_status != FAILED:
            return counted
        if self._failed_facts is None or self._failed_facts[0] is not document:
            self._failed_facts = (document, _failure_facts(document))
        return self._failed_facts[1]._replace(lines=counted.lines, errors=counted.errors)


def _failure_facts(document: LogDocument) -> LogFacts:
    from platui.service.logs.errors import exit_code, failure_in  # noqa: PLC0415  (for a failure)

    sections = failure_in(document).sections
    if not sections:
        return LogFacts(exit_code=exit_code(document))
    section = document.sections[sections[-1]]
    return LogFacts(exit_code=exit_code(document), section=section.name, seconds=section.seconds)
