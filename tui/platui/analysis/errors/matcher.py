"""Rules made ready: which error a line begins, if any."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.blocks import Block, Followed, Goroutines, Stack, Traceback
from platui.analysis.errors.rule import Shape
from platui.analysis.errors.tables import CALM, KNOWN, NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.analysis.errors.rule import Rule
    from platui.analysis.errors.tables.calm import Calm
    from platui.models.values.log import ErrorBlock

HINTS: Final = (
    "error", "fail", "fatal", "exception", "traceback", "denied", "not found", "no such file",
    "panic", "killed", "critical", "refused", "unable to", "could not", "cannot", "timed out",
    "no space left", "out of memory", "core dumped", "segmentation fault", "unbound variable",
    "does not exist", "sqlstate", "msg level state", "npm err",
)  # fmt: skip
"""What every hint of a rule holds one of: the fewer, the faster a log is looked through."""

LONGEST: Final = 2_000
"""Characters of a line that are looked at."""

_LETTERS: Final = bytes(range(97, 123))
_SMALL: Final = bytes(range(256)).lower()
_DROPPED: Final = bytes(byte for byte in range(256) if _SMALL[byte] not in _LETTERS)


def _letters(text: str) -> str:
    """Return the letters a to z of a text, small: what hints are compared by."""
    raw = text.encode("ascii", "ignore")
    return raw.translate(_SMALL, _DROPPED).decode("ascii")


class _Ready:
    """A rule made ready; its patterns are compiled when a line first calls for them."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.hints = tuple(map(_letters, rule.hints))
        self.calm = rule.calm
        self._also = rule.also

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.rule.pattern)

    @cached_property
    def _unless(self) -> re.Pattern[str] | None:
        return re.compile(self.rule.unless) if self.rule.unless else None

    @cached_property
    def _goes_on(self) -> re.Pattern[str]:
        return re.compile(self.rule.goes_on)

    def knows(self, line: str) -> bool:
        """Return whether a line is such an error; its hints were looked for already."""
        if self._also and not any(text in line for text in self._also):
            return False
        if self._pattern.search(line) is None:
            return False
        return self._unless is None or self._unless.search(line) is None

    def block(self, line: str) -> ErrorBlock:
        """Return the error that a line begins."""
        name, rank = self.rule.name, int(self.rule.rank)
        match self.rule.shape:
            case Shape.LINE:
                return Block(name, rank)
            case Shape.FOLLOWED:
                return Followed(name, rank, self._goes_on, self.knows)
            case Shape.TRACEBACK:
                return Traceback(name, rank, line)
            case Shape.STACK:
                return Stack(name, rank)
            case Shape.GOROUTINES:
                return Goroutines(name, rank)


class _Saying:
    """Kinds of lines that are no errors, made ready."""

    def __init__(self, kinds: Sequence[Calm]) -> None:
        beginnings = [f"(?:{one.pattern})" for one in kinds if not one.hints]
        self._begins = re.compile("|".join(beginnings))
        self._anywhere = [
            (tuple(map(_letters, one.hints)), re.compile(one.pattern)) for one in kinds if one.hints
        ]

    def found(self, line: str, letters: str) -> bool:
        """Return whether a line is of one of these kinds."""
        if self._begins.match(line):
            return True
        return any(
            pattern.search(line)
            for hints, pattern in self._anywhere
            if any(hint in letters for hint in hints)
        )


class KnownErrors:
    """The errors that are known: `ErrorRules` for an index."""

    def __init__(self, rules: Sequence[Rule] = KNOWN) -> None:
        self._rules = tuple(map(_Ready, rules))
        self._never = _Saying(NEVER)
        self._calm = _Saying(CALM)
        self.hints: tuple[str, ...] = HINTS

    def begin(self, line: str) -> ErrorBlock | None:
        """Return the error that a line of clean text begins."""
        line = line[:LONGEST]
        letters = _letters(line)
        is_calm: bool | None = None
        for ready in self._rules:
            if not any(hint in letters for hint in ready.hints):
                continue
            if is_calm is None:
                if self._never.found(line, letters):
                    return None
                is_calm = self._calm.found(line, letters)
            if (ready.calm or not is_calm) and ready.knows(line):
                return ready.block(line)
        return None
