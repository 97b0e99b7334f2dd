"""Errors of a log: rules, failure and exit code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.cause import find_cause, find_verdict
from platui.analysis.errors.matcher import ErrorMatcher
from platui.core.errors import ConfigError
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.config.settings import ErrorPattern
    from platui.models.values.log import ErrorRules, LogDocument

_NAME: Final = 40
_EXIT: Final = re.compile(r"\bexit (?:code|status) (\d{1,10})\b")


def error_rules(own: Sequence[ErrorPattern] = ()) -> ErrorRules:
    return ErrorMatcher(own=own)


def slow_patterns(names: Sequence[str]) -> ConfigError | None:
    """Return the error for custom patterns disabled as too slow; None without any."""
    if not names:
        return None
    named = ", ".join(shorten(name, _NAME) for name in names)
    if len(names) == 1:
        what, it = f"The error pattern {named} is too slow and was", "it"
    else:
        what, it = f"The error patterns {named} are too slow and were", "them"
    return ConfigError(f"{what} disabled.", hint=f"Simplify {it} in config.toml, under [[errors]].")


failure_in = find_cause


def has_verdict(document: LogDocument) -> bool:
    return find_verdict(document.errors) is not None


def exit_code(document: LogDocument) -> int | None:
    verdict = find_verdict(document.errors)
    found = None if verdict is None else _EXIT.search(document.text(verdict.message_line))
    return None if found is None else int(found[1])
