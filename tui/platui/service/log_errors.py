"""The errors of a log, as values: what they are known by, where they are, and their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.errors.failing import failure_of
from platui.analysis.errors.matcher import KnownErrors
from platui.models.values.log import TellingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.config.settings import Settings
    from platui.models.values.log import ErrorMark, ErrorRules, LogDocument, Section

MOST_LINES = 200
"""Lines of one error that are told: of a longer one its beginning, and what says it."""


def error_rules(settings: Settings | None = None) -> ErrorRules:
    """Return what knows errors: what programs are known to write, and the user's own rules."""
    del settings
    return KnownErrors()


def failing_error(document: LogDocument) -> tuple[ErrorMark | None, tuple[Section, ...]]:
    """Return the error that a failed job's log is opened at, and the sections that failed.

    No error: none of its lines tells one, but that the job failed.
    """
    return failure_of(document.sections, document.errors, document.line_count)


def told_errors(document: LogDocument, context: int = 0) -> Iterator[TellingError]:
    """Yield the errors of a log with their lines.

    Args:
        document: the log.
        context: how many lines before and after each are told with it.
    """
    for mark in document.errors:
        first = max(0, mark.first - context)
        end = min(document.line_count, mark.end + context)
        if end - first > MOST_LINES:
            end = first + MOST_LINES
        yield TellingError(
            mark,
            first,
            tuple(document.text(y) for y in range(first, end)),
            document.text(mark.told),
        )
