"""Compute the signature of a failure: equal for failures of one cause."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2s
from ipaddress import AddressValueError, IPv4Address
from typing import Final

from platui.analysis.errors.rule import Rank
from platui.analysis.triage.signatures.error_text import (
    LONGEST,
    headline,
    normal,
    sentence,
    user_code_location,
    words_of,
)
from platui.analysis.triage.signatures.kinds import KINDS, STUCK, About, Kind
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.models.values.log import CauseSource, Confidence, ErrorExcerpt
from platui.models.values.triage import FailedStep, Signature

LONGEST_LINE: Final = 200
_KEY_BYTES: Final = 6  # Among 10,000 causes, a collision once in five million boards

# Names that two projects hardly share by accident.
_SPECIFIC: Final = re.compile(r"['\"`“][^'\"`]{3,}['\"`”]|\b[a-z0-9]+_[a-z0-9_]+|\w://\w|[\w-]==")
_SYMPTOMS: Final = frozenset({CauseSource.LAST_LINE, CauseSource.VERDICT})  # Not the reason
_MODEL: Final = re.compile(r"\b(?:in|for) (?:model|test|snapshot|seed|sql_operation) (\w+)")
_EVERYWHERE: Final = frozenset({"public", "dbo", "main", "default"})  # Schemas of every database


class _Failure(NamedTuple):
    """The parts of a failure used for its signature."""

    text: str  # Error text in one line
    head: str  # Its first part
    quoted: str  # All lines of the error
    step: FailedStep | None


def make_signature(
    error: ErrorExcerpt | None, step: FailedStep | None, words: str = ""
) -> Signature:
    """Return the signature of a failure; `words` is the problem of a pipeline file."""
    lines = [clean(words)] if error is None else words_of(error)
    quoted = "\n".join(error.lines) if error is not None else ""
    failure = _Failure(sentence(lines)[:LONGEST], headline(error, lines), quoted[:LONGEST], step)
    kind = _kind_of(failure)
    found = _of_words(failure, error) if kind is None else _of_kind(kind, failure)
    if error is None:
        return found
    return replace(
        found,
        source=error.source,
        confidence=error.confidence,
        line_number=error.mark.message_line,
    )


def _kind_of(failure: _Failure) -> Kind | None:
    step = failure.step
    reason = step.failure_reason if step is not None else ""
    if step is not None and step.has_log and reason == STUCK:
        reason = ""  # it started, so a runner took it
    for kind in KINDS:
        if reason in kind.reasons or kind.pattern.search(failure.text):
            return kind
    return None


def _of_kind(kind: Kind, failure: _Failure) -> Signature:
    subjects = [_subject(about, kind, failure) for about in kind.about]
    about = " ".join(filter(None, subjects))
    shared = f"{kind.name}: {about}" if about else kind.without_subject or kind.name
    return Signature(
        key=_key(f"{kind.key}\n{about}"),
        line=shorten(failure.head or shared + _waited(kind, failure.step), LONGEST_LINE),
        shared=shorten(shared, LONGEST_LINE),
        kind=kind.name,
        is_local=kind.is_local or _is_vague(kind, dict(zip(kind.about, subjects, strict=True))),
        is_symptom=kind.is_symptom,
    )


def _waited(kind: Kind, step: FailedStep | None) -> str:
    """Return the time spent waiting for a runner: `, waited 60m`."""
    if STUCK not in kind.reasons or step is None or step.waited is None:
        return ""
    minutes = round(step.waited / 60)
    return f", waited {minutes}m" if minutes else ""


def _is_vague(kind: Kind, subjects: Mapping[About, str]) -> bool:
    if About.RELATION in subjects:
        # An unqualified table name is not unique.
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
            found = _MODEL.search(failure.text)
            return found[1] if found is not None else ""
        case About.JOB:
            return clean(step.name) if step is not None else ""
        case About.TAGS:
            return ", ".join(sorted(map(clean, step.tags))) if step is not None else ""
        case About.RELATION:
            return normalize_relation(_what(kind, failure.text), failure.quoted)
        case About.NAMED:
            return normal(_what(kind, failure.text).casefold())
        case About.EXACT:
            return _what(kind, failure.text)
        case About.COMMAND:
            return normal(_what(kind, failure.text))


def _what(kind: Kind, text: str) -> str:
    found = kind.pattern.search(text)
    groups = found.groupdict().values() if found is not None else ()
    return next(filter(None, groups), "").rstrip(":,.;)")


def _of_words(failure: _Failure, error: ErrorExcerpt | None) -> Signature:
    """Return a signature of normalized error text, for failures without a kind."""
    step, source = failure.step, CauseSource.VERDICT if error is None else error.source
    own = user_code_location(error) if error is not None else ""
    shared, text = normal(failure.head), failure.head
    is_end = error is None or source in _SYMPTOMS or error.confidence is Confidence.LOW
    is_symptom = is_end and step is not None
    if is_symptom and step is not None:
        # A generic message needs the job to be specific.
        shared = f"{clean(step.name)}: {shared or clean(step.failure_reason) or 'failed'}"
        text = text or shared
    is_vague = error is None or (
        is_end or (source is not CauseSource.NOVELTY and error.mark.rank < Rank.TOOL)
    )
    return Signature(
        key=_key(f"\n{shared}\n{own}"),
        line=shorten(text or shared, LONGEST_LINE),
        shared=shorten(shared, LONGEST_LINE),
        is_local=is_vague or bool(own) or _SPECIFIC.search(shared) is None,
        is_symptom=is_symptom,
    )


def _key(text: str) -> str:
    return blake2s(text.encode("utf-8", "replace"), digest_size=_KEY_BYTES).hexdigest()


_NAME: Final = r"(?P<host>[\w.-]*\w)"

# The target address of a connection.
_ADDRESS: Final = re.compile(
    r"(?:->|\bdial tcp |\b[Cc]onnection to |\bconnect(?:ing)? to )(?P<ip>\d{1,3}(?:\.\d{1,3}){3})\b"
)

# Texts with a host name, the most reliable first.
_HOSTS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bfor url:? '?https?://(?:[^/\s'\"@]*@)?{_NAME}",
        rf"\b(?:lookup|ENOTFOUND|EAI_AGAIN|UnknownHostException:) {_NAME}",
        rf"Failed to resolve '{_NAME}",
        rf"host ?name \"{_NAME}\"",
        rf"\bresolve host(?:name)?:? '?{_NAME}",
        rf"(?:^|: ){_NAME}:\d{{2,5}}: ",
        rf"\bhost=['\"]{_NAME}['\"]",
        rf"\bserver at \"{_NAME}\"",
        rf"\bDB: {_NAME}:\d",
        rf"\b[Cc]onnect(?:ion|ing)? to (?:host )?{_NAME}(?: port |:)\d",
        r"\b[Cc]onnect(?:ion|ing)? to (?:host )?(?P<host>[\w-]+(?:\.[\w-]+)+)",
        r"\b(?:image|for|from|access) [\"']?(?P<host>[\w-]+(?:\.[\w-]+)+)(?::\d+)?/[\w./@:-]+",
        rf"\b(?:https?|ssh|git|ftp|jdbc:\w+)://(?:[^/\s'\"@]*@)?{_NAME}",
        rf"\bat '?{_NAME}'?:\d{{2,5}}\b",
        r"\bdial tcp (?P<host>\d{1,3}(?:\.\d{1,3}){3})",
    )
)

# Links to documentation.
_HELP: Final = re.compile(
    r"https?://(?:docs?\.|www\.docker\.com|developer\.mozilla\.org|sqlalche\.me|aka\.ms|go\.microsoft"
    r"|pip\.pypa\.io|errors\.pydantic\.dev|help\.|support\.)\S*"
)

_HEX: Final = re.compile(r"(?=.*\d)[0-9a-f]{6,}|[0-9a-f]{10,}|(?:ip)?(?:-?\d{1,3}){4}|\d{3,}")


def host_of(text: str) -> str:
    """Return the host of an error, a private address before a name; "" if none."""
    found = _ADDRESS.search(text)
    if found is not None and _is_private(found["ip"]):
        return found["ip"]
    text = _HELP.sub("", text)
    for pattern in _HOSTS:
        match = pattern.search(text)
        if match is not None:
            return _mask_host(match["host"])
    return ""


def _is_private(text: str) -> bool:
    try:
        return IPv4Address(text).is_private
    except AddressValueError:
        return False


def _mask_host(host: str) -> str:
    if host.replace(".", "").isdigit():
        return host
    parts = host.casefold().strip(".").split(".")
    return ".".join("#" if _HEX.fullmatch(part) else part for part in parts)


_FROM: Final = re.compile(
    r"\b(?:from|join|into|update|table)\s+[\"`]?(?P<name>\w+(?:[\"`]?\.[\"`]?\w+)+)", re.IGNORECASE
)
_DATE: Final = re.compile(r"(?<=_)\d{4,}|\b\d{4,}\b")


def normalize_relation(name: str, statement: str = "") -> str:
    """Return a normalized table name, in full if `statement` contains it."""
    short = _plain_name(name)
    for found in _FROM.finditer(statement):
        full = _plain_name(found["name"])
        if full.endswith(f".{short}"):
            return full
    return short


def _plain_name(name: str) -> str:
    return _DATE.sub("#", re.sub(r"[\"'`]", "", name).replace(":", ".").casefold().strip("."))
