"""Match log lines against the error rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.blocks import Followed, Goroutines, OneLine, Stack, Traceback
from platui.analysis.errors.cause import unmarked_cause
from platui.analysis.errors.prefixes import is_by_task_runner, without_origin, without_prefix
from platui.analysis.errors.rule import LONGEST, CustomRule, Rule, Shape
from platui.analysis.errors.rule_table import ERROR_RULES
from platui.core.named_tuple import NamedTuple
from platui.logs.error_index import letters_of

if TYPE_CHECKING:
    from platui.config.settings import ErrorPattern
    from platui.models.values.log import ErrorBlock


class _HarmlessLine(NamedTuple):
    pattern: str  # Searched in the line, or matched at its beginning if there are no hints
    hints: tuple[str, ...] = ()  # Every such line contains one
    unless: str = "(?!)"  # Never found in such a line; only with hints


# A line like these never begins an error.
_NEVER: Final = (
    _HarmlessLine(r"\$ "),  # a command of the script
    _HarmlessLine(r"\++ (?!Exception Group)\S"),  # the same with `set -x`
    _HarmlessLine(r"\s*(?:=== (?:RUN|PAUSE|CONT)|--- (?:PASS|SKIP)|ok\s|PASS\b|[✓✔√] )"),
    _HarmlessLine(r"go: (?:downloading|extracting|finding|added)"),
    _HarmlessLine(r"Unable to do partial parsing"),  # dbt parses all files then
    _HarmlessLine(r"ERROR: pip's dependency resolver does not"),  # it installed them
    _HarmlessLine(
        r"\s*(?:Collecting|Downloading|Installing|Requirement already|Successfully|Using cached|"
        r"Compiling|Get:\d|Hit:\d|Unpacking|Setting up) "
        r"(?!(?:.* )?(?:failed|[Ee]rror|ERROR)(?:[: ]|$))"
    ),
    _HarmlessLine(
        r"\s*(?:npm warn|npm WARN|yarn warn|WARN(?:ING)?\b"
        r"|(?:##\[|::)(?:warning|notice|debug|group))"
    ),
    _HarmlessLine(r"(?<!\d )\bPASSED\b|\[PASS\b[^\]]*\]$|^\d+ of \d+ PASS ", ("pass",)),
    _HarmlessLine(r"\.\.\. ok$|\[(?:OK|SUCCESS)\b[^\]]*\]$|\d+ of \d+ OK ", ("ok", "success")),
    _HarmlessLine(
        r"\b(?:level|lvl|severity)[\"']?\s*[=:]\s*[\"']?(?i:warn|info|debug|trace|notice)",
        ("level", "lvl", "severity"),
    ),
    _HarmlessLine(
        r"(?i:\bretry(?:ing)? (?:in|after|attempt|\d)|\bwill retry\b|\bretrying\b)",
        ("retry",),
        unless=r"(?i:\b(?:up after retry|(?:after|timed out) retrying\b))",
    ),
    _HarmlessLine(
        r"(?i:\b(?:no|zero|without|any|(?<![\d.])0) (?:\w+ )?(?:errors?|failures?|failed"
        r"|exceptions?)\b(?! code))",
        ("error", "fail", "exception"),
        unless=r"\b[1-9]\d* (?:errors?|failed|failures?)\b|\bexpected no\b"
        r"|^(?:E {3,}|\s*)[\w.]*(?:Error|Exception): ",
    ),
    _HarmlessLine(
        r"(?i:\b(?:(errors|failures|failed|exceptions)|error|failure|fatal|exception)\b[\"']?\s*[=:]"
        r"\s*(?:0|none|null|false|nil|\[\]|\"\"|'')"
        r"(?(1)(?=[\s,;)}\]]|$)|(?=\s*(?:$|[,;)}\]])|\s+[\w.\"']+(?:=|:\s*\d))))",
        ("error", "fail", "fatal", "exception"),
        unless=r"(?i:\b(?:errors?|failed|failures)[\"']?\s*[=:]\s*[1-9])",
    ),
)

_CALM_LEVEL: Final = r"\b(?:INFO|DEBUG|TRACE|NOTICE|WARN|WARNING)\b"

# A line like these begins an error only for rules marked `calm`.
_HARMLESS: Final = (
    # Also after ERROR, if a program's own line was logged; but not a word in a sentence.
    _HarmlessLine(rf"(?:\S+ ){{0,4}}(?<![a-z] )\S*{_CALM_LEVEL}"),
    _HarmlessLine(
        rf"(?:(?!\S*(?:\b(?:ERROR|FATAL|CRITICAL)\b|[Ee]rror: ))\S+ ){{0,4}}\S*{_CALM_LEVEL}"
    ),
    _HarmlessLine(r"\[?(?:info|debug|warn|warning|trace|notice|I|D|W)\]?:? "),
    _HarmlessLine(r"(?i:\bif (?:this|it|that|any\w*|one|there) \w*\s?(?:fails?|errors?))", ("if",)),
    _HarmlessLine(r"(?i:\bon (?:error|failure)\b|continue.on.error)", ("on error", "on failure")),
    _HarmlessLine(r"allow_failure", ("allow failure",)),
    _HarmlessLine(
        r"(?i:\bfall(?:ing|s)? back to\b|\busing (?:the )?default)",
        ("falling back", "fall back", "default"),
    ),
    _HarmlessLine(r"(?i:\bignor(?:e|ed|ing)\b.*\berror|\berror\b.*\bignored\b)", ("ignor",)),
    _HarmlessLine(r"(?i:log.?level|level set|verbosity)", ("level", "verbosity")),
)

# Every hint of a rule contains one of these: few of them make the search fast.
HINTS: Final = (
    "error", "fail", "fatal", "exception", "traceback", "denied", "not found", "no such file",
    "panic", "killed", "critical", "refused", "unable to", "could not", "cannot", "timed out",
    "no space left", "out of memory", "core dumped", "segmentation fault", "unbound variable",
    "does not exist", "sqlstate", "msg level state", "npm err", "no rule to make", "undefined",
    "unauthorized", "curl", "multiple definition", "unresolved", "return code", "exited with",
    "relocation", "err pnpm",
)  # fmt: skip

_MOST_COMBINATIONS: Final = 2_000  # of `HINTS` in a line whose rules are kept; logs have some 100


def _holds_one(text: str, parts: Sequence[str]) -> bool:
    # A loop: a generator for `any` costs more than most of these comparisons.
    for part in parts:  # noqa: SIM110  (see above)
        if part in text:
            return True
    return False


def _is_anchored(pattern: str) -> bool:
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


class _CompiledRule:
    """A rule whose patterns are compiled on first use."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.hints = tuple(map(letters_of, rule.hints))
        self.calm = rule.calm
        # `may_match` is exact if the only hint is one of `HINTS`.
        self.is_plain = len(rule.hints) == 1 and rule.hints[0] in HINTS
        self._also = rule.also

    def may_match(self, held: Sequence[str], words: Sequence[str]) -> bool:
        """Return whether a line with these of `words` can contain a hint of the rule."""
        return any(all(word in held for word in words if word in hint) for hint in self.hints)

    @cached_property
    def _find(self) -> Callable[[str], re.Match[str] | None]:
        pattern = re.compile(self.rule.pattern)
        # For an anchored pattern, `search` would still try every position.
        return pattern.match if _is_anchored(self.rule.pattern) else pattern.search

    @cached_property
    def _unless(self) -> re.Pattern[str] | None:
        return re.compile(self.rule.unless) if self.rule.unless else None

    @cached_property
    def _goes_on(self) -> re.Pattern[str]:
        return re.compile(self.rule.goes_on)

    def knows(self, line: str) -> bool:
        """Return whether a line that contains a hint matches."""
        if self._also and not _holds_one(line, self._also):
            return False
        if self._find(line) is None:
            return False
        return self._unless is None or self._unless.search(line) is None

    def block(self, line: str) -> ErrorBlock:
        name, rank = self.rule.name, int(self.rule.rank)
        match self.rule.shape:
            case Shape.LINE:
                return OneLine(name, rank)
            case Shape.FOLLOWED:
                return Followed(name, rank, self._goes_on, self.knows)
            case Shape.RUN:
                return Followed(name, rank, self._goes_on, lambda _: False)
            case Shape.TRACEBACK:
                return Traceback(name, rank, line)
            case Shape.STACK:
                return Stack(name, rank)
            case Shape.GOROUTINES:
                return Goroutines(name, rank)


class _HarmlessLines:
    def __init__(self, kinds: Sequence[_HarmlessLine]) -> None:
        beginnings = [f"(?:{one.pattern})" for one in kinds if not one.hints]
        self._begins = re.compile("|".join(beginnings))
        self._anywhere = [
            (tuple(map(letters_of, one.hints)), re.compile(one.pattern), re.compile(one.unless))
            for one in kinds
            if one.hints
        ]

    def found(self, line: str, letters: str) -> bool:
        if self._begins.match(line):
            return True
        for hints, pattern, unless in self._anywhere:
            if _holds_one(letters, hints) and pattern.search(line) and not unless.search(line):
                return True
        return False


class ErrorMatcher:
    """Matches lines with custom and built-in rules; implements `ErrorRules`."""

    unmarked_cause = staticmethod(unmarked_cause)

    def __init__(self, own: Sequence[ErrorPattern] = ()) -> None:
        """`own` rules are tried first, on any line."""
        self._own = tuple(map(CustomRule, own))
        self._rules = tuple(map(_CompiledRule, ERROR_RULES))
        self._words = tuple(map(letters_of, HINTS))
        self._possible: dict[tuple[str, ...], tuple[_CompiledRule, ...]] = {}
        self._never = _HarmlessLines(_NEVER)
        self._calm = _HarmlessLines(_HARMLESS)
        self.hints: tuple[str, ...] = (*HINTS, *(word for one in self._own for word in one.hints))

    def begin(self, line: str) -> ErrorBlock | None:
        line = line[:LONGEST]
        letters = letters_of(line)
        for one in self._own:
            if _holds_one(letters, one.hints) and one.knows(line):
                return OneLine(one.name, one.rank)
        possible = self._rules_for(letters)
        if not possible:
            return None
        message = without_prefix(line)
        if self._never.found(message, letters):
            return None
        is_calm = self._calm.found(message if is_by_task_runner(line) else line, letters)
        texts = tuple(dict.fromkeys((message, without_origin(line), line)))
        for ready in possible:
            if is_calm and not ready.calm:
                continue
            if ready.is_plain or _holds_one(letters, ready.hints):
                for text in texts:
                    if ready.knows(text):
                        return ready.block(line)
        return None

    @property
    def disabled_rules(self) -> tuple[str, ...]:
        return tuple(one.name for one in self._own if one.gave_up)

    def _rules_for(self, letters: str) -> tuple[_CompiledRule, ...]:
        """Return the few rules that may match a line with these letters."""
        held = tuple([word for word in self._words if word in letters])
        known = self._possible.get(held)
        if known is None:
            if len(self._possible) >= _MOST_COMBINATIONS:
                self._possible.clear()  # a hostile log has another combination on each line
            known = tuple(one for one in self._rules if one.may_match(held, self._words))
            self._possible[held] = known
        return known
