"""The cause of a failed job in its log, with its signature."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.cause import excerpt_of, find_cause
from platui.analysis.errors.novelty import KnownLines
from platui.analysis.triage.signatures.error_text import message_of, without_secrets
from platui.analysis.triage.signatures.signature import make_signature
from platui.core.named_tuple import NamedTuple
from platui.models.values.log import Confidence, LogDocument

if TYPE_CHECKING:
    from platui.models.values.triage import FailedStep, Signature

_MOST_LINES: Final = 12  # of an excerpt


class LogCause(NamedTuple):
    line: int  # From 0
    text: str  # The message, with the heading that names its subject; clean
    signature: Signature
    first: int  # Line of the excerpt's first line, from 0
    excerpt: tuple[str, ...]  # Lines of the error around the message; clean
    rule: str  # Name of the rule that knows the line

    @property
    def is_certain(self) -> bool:
        return self.signature.confidence is Confidence.HIGH


def known_lines(document: LogDocument) -> KnownLines:
    """Return the lines of a successful log for comparisons; 36 MB take half a second."""
    return KnownLines(document)


def cause_in(
    document: LogDocument, step: FailedStep | None = None, known: KnownLines | None = None
) -> LogCause | None:
    """Return the cause of a finished log, or None without a failure; call it in a thread."""
    error = excerpt_of(document, find_cause(document, known))
    if error is None:
        return None
    offset = error.mark.message_offset
    start = max(0, min(offset - _MOST_LINES // 2, len(error.lines) - _MOST_LINES))
    return LogCause(
        error.mark.message_line,
        message_of(error),
        replace(make_signature(error, step), was_compared=bool(known)),
        error.mark.first + start,
        tuple(map(without_secrets, error.lines[start : start + _MOST_LINES])),
        error.mark.rule,
    )
