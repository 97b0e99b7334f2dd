"""The signature of a failure: equal for failures of one cause, and different for different ones."""

from __future__ import annotations

import re
from hashlib import blake2s
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.errors.rule import Rank
from platui.analysis.triage.signatures.kinds import KINDS, STUCK, About
from platui.analysis.triage.signatures.subjects import host_of, model_of, relation_named
from platui.analysis.triage.signatures.wording import (
    LONGEST,
    code_of,
    headline,
    normal,
    sentence,
    words_of,
)
from platui.core.text import clean, shorten
from platui.models.values.triage_causes import Signature

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.analysis.triage.signatures.kinds import Kind
    from platui.models.values.log import TellingError
    from platui.models.values.triage_causes import FailedStep

LONGEST_LINE: Final = 200
_KEY_BYTES: Final = 6
"""Of ten thousand causes two share a key once in five million boards."""

_SPECIFIC: Final = re.compile(r"['\"`“][^'\"`]{3,}['\"`”]|\b[a-z0-9]+_[a-z0-9_]+|\w://\w|[\w-]==")
"""A name of something: what two projects hardly say both by accident."""

_EVERYWHERE: Final = frozenset({"public", "dbo", "main", "default"})
"""Schemas that every database has."""


class _Failure(NamedTuple):
    """What is looked at."""

    text: str
    """The words of the error as one sentence."""
    head: str
    """As much of it as says what is wrong."""
    quoted: str
    """All lines of it."""
    step: FailedStep | None


def signature_of(error: TellingError | None, step: FailedStep | None, words: str = "") -> Signature:
    """Return the signature of a failure.

    Args:
        error: of the log of what failed, the error nearest to the cause, without lines around
            it; None where the log tells none, or there is no log.
        step: what failed, as its name and the platform's own reason say a part of it.
        words: why there is nothing that failed: what is wrong with the pipeline file.
    """
    lines = [clean(words)] if error is None else words_of(error)
    quoted = "\n".join(error.lines) if error is not None else ""
    failure = _Failure(sentence(lines)[:LONGEST], headline(lines), quoted[:LONGEST], step)
    kind = _kind_of(failure)
    if kind is not None:
        return _of_kind(kind, failure)
    return _of_words(failure, error)


def _kind_of(failure: _Failure) -> Kind | None:
    step = failure.step
    reason = step.failure_reason if step is not None else ""
    if step is not None and step.has_log and reason == STUCK:
        reason = ""  # it began: some runner did take it
    for kind in KINDS:
        if reason in kind.reasons or kind.pattern.search(failure.text):
            return kind
    return None


def _of_kind(kind: Kind, failure: _Failure) -> Signature:
    subjects = [_subject(about, kind, failure) for about in kind.about]
    about = " ".join(filter(None, subjects))
    shared = f"{kind.name}: {about}" if about else kind.of_nobody or kind.name
    return Signature(
        key=_key(f"{kind.name}\n{about}"),
        line=shorten(failure.head or shared + _waited(kind, failure.step), LONGEST_LINE),
        shared=shorten(shared, LONGEST_LINE),
        kind=kind.name,
        is_local=kind.is_local or _is_vague(kind, dict(zip(kind.about, subjects, strict=True))),
        is_symptom=kind.is_symptom,
    )


def _waited(kind: Kind, step: FailedStep | None) -> str:
    """Return for how long what no runner took has waited: `, it waited 60m`."""
    if STUCK not in kind.reasons or step is None or step.waited is None:
        return ""
    minutes = round(step.waited / 60)
    return f", it waited {minutes}m" if minutes else ""


def _is_vague(kind: Kind, subjects: Mapping[About, str]) -> bool:
    """Return whether it is not told whom an error is about, so that it may be about anyone."""
    if About.RELATION in subjects:
        # A bare name of a table is one in every schema.
        schema, _, _ = subjects[About.RELATION].rpartition(".")
        return not schema or schema in _EVERYWHERE
    if About.HOST in subjects:
        return not subjects[About.HOST]
    return bool(kind.about) and not any(subjects.values())


def _subject(about: About, kind: Kind, failure: _Failure) -> str:
    step = failure.step
    match about:
        case About.HOST:
            return host_of(failure.text)
        case About.MODEL:
            return model_of(failure.text)
        case About.JOB:
            return clean(step.name) if step is not None else ""
        case About.TAGS:
            return ", ".join(sorted(map(clean, step.tags))) if step is not None else ""
        case _:
            what = _what(kind, failure.text)
    match about:
        case About.RELATION:
            return relation_named(what, failure.quoted)
        case About.NAMED:
            return normal(what.casefold())
        case About.EXACT:
            return what
        case _:
            return normal(what)


def _what(kind: Kind, text: str) -> str:
    """Return what one of the groups of the pattern has found."""
    found = kind.pattern.search(text)
    groups = found.groupdict().values() if found is not None else ()
    return next(filter(None, groups), "").rstrip(":,.;)")


def _of_words(failure: _Failure, error: TellingError | None) -> Signature:
    """Return the signature of what has no name: its words are what it is known by."""
    step, rank = failure.step, error.mark.rank if error is not None else Rank.VERDICT
    own = code_of(error) if error is not None else ""
    shared, text = normal(failure.head), failure.head
    is_symptom = rank <= Rank.VERDICT and step is not None
    if is_symptom and step is not None:
        # What the runner says of every job that fails is said of this job only.
        shared = f"{clean(step.name)}: {shared or clean(step.failure_reason) or 'failed'}"
        text = text or shared
    return Signature(
        key=_key(f"\n{shared}\n{own}"),
        line=shorten(text or shared, LONGEST_LINE),
        shared=shorten(shared, LONGEST_LINE),
        is_local=rank < Rank.TOOL or bool(own) or _SPECIFIC.search(shared) is None,
        is_symptom=is_symptom,
    )


def _key(text: str) -> str:
    return blake2s(text.encode("utf-8", "replace"), digest_size=_KEY_BYTES).hexdigest()
