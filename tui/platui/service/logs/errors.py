"""The errors of a log, as values: what they are known by, and where a job went wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.failing import failure_of, verdict_of
from platui.analysis.errors.matcher import KnownErrors
from platui.core.errors import ConfigError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.config.settings import ErrorPattern
    from platui.models.values.log import ErrorRules, LogDocument, LogFailure

_NAME: Final = 40
_EXIT: Final = re.compile(r"\bexit (?:code|status) (\d{1,10})\b")


def error_rules(own: Sequence[ErrorPattern] = ()) -> ErrorRules:
    return KnownErrors(own=own)


def slow_patterns(names: Sequence[str]) -> ConfigError | None:
    """Return what to say of the user's own patterns that were given up; None where none was."""
    if not names:
        return None
    named = ", ".join(shorten(name, _NAME) for name in names)
    if len(names) == 1:
        said, it = f"The error pattern {named} takes too long on a line: it is", "it"
    else:
        said, it = f"The error patterns {named} take too long on a line: they are", "them"
    return ConfigError(
        f"{said} not tried any more.", hint=f"Make {it} simpler in config.toml, under [[errors]]."
    )


def failure_in(document: LogDocument) -> LogFailure:
    return failure_of(document.sections, document.errors, document.line_count)


def has_verdict(document: LogDocument) -> bool:
    return verdict_of(document.errors) is not None


def exit_code(document: LogDocument) -> int | None:
    verdict = verdict_of(document.errors)
    found = None if verdict is None else _EXIT.search(document.text(verdict.message_line))
    return None if found is None else int(found[1])
