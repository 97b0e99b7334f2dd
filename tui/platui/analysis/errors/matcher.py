"""Rules made ready: which error a line begins, if any."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.blocks import Followed, Goroutines, OneLine, Stack, Traceback
from platui.analysis.errors.own import OwnError
from platui.analysis.errors.rule import LONGEST, Shape
from platui.analysis.errors.tables import CALM, KNOWN, NEVER
from platui.logs.error_index import letters_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.analysis.errors.rule import Rule
    from platui.analysis.errors.tables.calm import Calm
    from platui.config.settings import ErrorPattern
    from platui.models.values.log import ErrorBlock

HINTS: Final = (
    "error", "fail", "fatal", "exception", "traceback", "denied", "not found", "no such file",
    "panic", "killed", "critical", "refused", "unable to", "could not", "cannot", "timed out",
    "no space left", "out of memory", "core dumped", "segmentation fault", "unbound variable",
    "does not exist", "sqlstate", "msg level state", "npm err",
)  # fmt: skip
"""What every hint of a rule holds one of: the fewer, the faster a log is looked through."""


def _holds_one(text: str, parts: Sequence[str]) -> bool:
    # A loop: a generator for `any` costs more than most of these comparisons.
    for part in parts:  # noqa: SIM110  (see above)
        if part in text:
            return True
    return False


def _is_anchored(pattern: str) -> bool:
    """Return whether a rule's pattern can match at the beginning of a line only."""
    depth, at, begins = 0, 0, True
    while at < len(pattern):
        if begins and depth == 0 and pattern[at] != "^":
            return False
        begins = False
        match pattern[at]:
            case "\\":
                at += 1
            case "[":
                at = pattern.index("]", at + 2 + pattern.startswith("[^", at))
            case "(":
                depth += 1
            case ")":
                depth -= 1
            case "|":
                begins = True
            case _:
                pass
        at += 1
    return True


class _Ready:
    """A rule made ready; its patterns are compiled when a line first calls for them."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.hints = tuple(map(letters_of, rule.hints))
        self.calm = rule.calm
        self.is_plain = len(rule.hints) == 1 and rule.hints[0] in HINTS
        """Whether `may_know` tells all that there is to know of its hints."""
        self._also = rule.also

    def may_know(self, held: Sequence[str], words: Sequence[str]) -> bool:
        """Return whether a line can hold one of its hints that holds these of some words."""
        return any(all(word in held for word in words if word in hint) for hint in self.hints)

    @cached_property
    def _find(self) -> Callable[[str], re.Match[str] | None]:
        pattern = re.compile(self.rule.pattern)
        # A search for what can only stand at the beginning looks at every place all the same.
        return pattern.match if _is_anchored(self.rule.pattern) else pattern.search

    @cached_property
    def _unless(self) -> re.Pattern[str] | None:
        return re.compile(self.rule.unless) if self.rule.unless else None

    @cached_property
    def _goes_on(self) -> re.Pattern[str]:
        return re.compile(self.rule.goes_on)

    def knows(self, line: str) -> bool:
        """Return whether a line is such an error; its hints were looked for already."""
        if self._also and not _holds_one(line, self._also):
            return False
        if self._find(line) is None:
            return False
        return self._unless is None or self._unless.search(line) is None

    def block(self, line: str) -> ErrorBlock:
        """Return the error that a line begins."""
        name, rank = self.rule.name, int(self.rule.rank)
        match self.rule.shape:
            case Shape.LINE:
                return OneLine(name, rank)
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
            (tuple(map(letters_of, one.hints)), re.compile(one.pattern))
            for one in kinds
            if one.hints
        ]

    def found(self, line: str, letters: str) -> bool:
        """Return whether a line is of one of these kinds."""
        if self._begins.match(line):
            return True
        for hints, pattern in self._anywhere:
            if _holds_one(letters, hints) and pattern.search(line):
                return True
        return False


class KnownErrors:
    """The errors that are known: `ErrorRules` for an index."""

    def __init__(self, rules: Sequence[Rule] = KNOWN, own: Sequence[ErrorPattern] = ()) -> None:
        """Make them ready.

        Args:
            rules: what programs are known to write.
            own: what the user knows besides; they are tried first, on any line.
        """
        self._own = tuple(map(OwnError, own))
        self._rules = tuple(map(_Ready, rules))
        self._words = tuple(map(letters_of, HINTS))
        self._possible: dict[tuple[str, ...], tuple[_Ready, ...]] = {}
        self._never = _Saying(NEVER)
        self._calm = _Saying(CALM)
        self.hints: tuple[str, ...] = (*HINTS, *(word for one in self._own for word in one.hints))

    def begin(self, line: str) -> ErrorBlock | None:
        """Return the error that a line of clean text begins."""
        line = line[:LONGEST]
        letters = letters_of(line)
        for one in self._own:
            if _holds_one(letters, one.hints) and one.knows(line):
                return OneLine(one.name, one.rank)
        possible = self._rules_for(letters)
        if not possible or self._never.found(line, letters):
            return None
        is_calm = self._calm.found(line, letters)
        for ready in possible:
            if is_calm and not ready.calm:
                continue
            if (ready.is_plain or _holds_one(letters, ready.hints)) and ready.knows(line):
                return ready.block(line)
        return None

    @property
    def given_up(self) -> tuple[str, ...]:
        """Return the names of the user's patterns that took too long, and are not tried again."""
        return tuple(one.name for one in self._own if one.gave_up)

    def _rules_for(self, letters: str) -> tuple[_Ready, ...]:
        """Return the rules that can know a line with these letters: few, and found quickly."""
        held = tuple([word for word in self._words if word in letters])
        known = self._possible.get(held)
        if known is None:
            known = tuple(one for one in self._rules if one.may_know(held, self._words))
            self._possible[held] = known
        return known
