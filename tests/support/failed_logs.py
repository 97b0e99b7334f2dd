"""From the log of a failed job to its signature, as the service goes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from platui.analysis.errors.cause import excerpt_of, find_cause
from platui.analysis.errors.matcher import ErrorMatcher
from platui.analysis.triage.signatures.signature import make_signature
from platui.logs import Log
from platui.models.values.triage import FailedStep

if TYPE_CHECKING:
    from tests.support.failure_texts import FailureText

    from platui.models.values.log import ErrorExcerpt
    from platui.models.values.triage import Signature


@lru_cache(maxsize=1)
def _rules() -> ErrorMatcher:
    return ErrorMatcher()


def telling_error(data: bytes) -> ErrorExcerpt | None:
    """Return the error of a whole log that is nearest to the cause."""
    log = Log(data, errors=_rules())
    log.finish()
    return excerpt_of(log, find_cause(log))


def signature_in(data: bytes, step: FailedStep | None) -> Signature:
    """Return the signature of the job whose whole log this is."""
    return make_signature(telling_error(data), step)


def signature_of_text(one: FailureText) -> Signature:
    """Return the signature of a text of the table."""
    return signature_in(one.text.encode(), FailedStep(1, one.job, failure_reason=one.reason))
