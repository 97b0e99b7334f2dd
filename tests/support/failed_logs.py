"""From the log of a failed job to its signature, as the service goes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from platui.analysis.errors.job_failure import find_failure
from platui.analysis.errors.matcher import ErrorMatcher
from platui.analysis.triage.signatures.signature import make_signature, whole_error
from platui.logs import Log
from platui.models.values.log import ErrorExcerpt
from platui.models.values.triage import FailedStep

if TYPE_CHECKING:
    from tests.support.failure_texts import FailureText

    from platui.models.values.triage import Signature


@lru_cache(maxsize=1)
def _rules() -> ErrorMatcher:
    return ErrorMatcher()


def telling_error(data: bytes) -> ErrorExcerpt | None:
    """Return the error of a whole log that is nearest to the cause."""
    log = Log(data, errors=_rules())
    log.finish()
    mark = find_failure(log.sections, log.errors, log.line_count).error
    if mark is None:
        return None
    mark = whole_error(log.errors, mark)
    lines = tuple(log.text(y) for y in range(mark.first, mark.end))
    return ErrorExcerpt(mark, mark.first, lines, log.text(mark.message_line))


def signature_in(data: bytes, step: FailedStep | None) -> Signature:
    """Return the signature of the job whose whole log this is."""
    return make_signature(telling_error(data), step)


def signature_of_text(one: FailureText) -> Signature:
    """Return the signature of a text of the table."""
    return signature_in(one.text.encode(), FailedStep(1, one.job, failure_reason=one.reason))
