"""Lines that speak of errors and are none."""

from __future__ import annotations

from typing import Final, NamedTuple


class Calm(NamedTuple):
    """One kind of such lines."""

    pattern: str
    """A regular expression that is found in the line."""
    hints: tuple[str, ...] = ()
    """Words of which every such line holds one, as of a rule; none: they begin with it."""


NEVER: Final = (
    Calm(r"\$ "),  # a command of the script, as the runner repeats it
    Calm(r"\++ (?!Exception Group)\S"),  # the same, as `set -x` does
    Calm(r"\s*(?:=== (?:RUN|PAUSE|CONT)|--- (?:PASS|SKIP)|ok\s|PASS\b|[✓✔√] )"),
    Calm(r"go: (?:downloading|extracting|finding|added)"),
    Calm(
        r"\s*(?:Collecting|Downloading|Installing|Requirement already|Successfully|Using cached|"
        r"Compiling|Get:\d|Hit:\d|Unpacking|Setting up) "
    ),
    Calm(r"\s*(?:npm warn|npm WARN|yarn warn|WARN(?:ING)?\b)"),
    Calm(r"\bPASSED\b|\[PASS\b[^\]]*\]$|^\d+ of \d+ PASS ", ("pass",)),
    Calm(r"\.\.\. ok$|\[(?:OK|SUCCESS)\b[^\]]*\]$|\d+ of \d+ OK ", ("ok", "success")),
    Calm(
        r"\b(?:level|lvl|severity)[\"']?\s*[=:]\s*[\"']?(?i:warn|info|debug|trace|notice)",
        ("level", "lvl", "severity"),
    ),
    Calm(r"(?i:\bretry(?:ing)? (?:in|after|attempt|\d)|\bwill retry\b|\bretrying\b)", ("retry",)),
    Calm(
        r"(?i:\b(?:no|zero|without|any|(?<![\d.])0) (?:\w+ )?(?:errors?|failures?|failed|exceptions?)\b"
        r"(?! code))(?!.*\b[1-9]\d* (?:errors?|failed|failures?)\b)",
        ("error", "fail", "exception"),
    ),
    Calm(
        r"(?i:\b(?:errors?|failures?|failed|fatal|exceptions?)\b[\"']?\s*[=:]\s*(?:0|none|null|false|"
        r"nil|\[\]|\"\"|'')(?=[\s,;)}\]]|$))(?!.*\b(?:errors?|failed|failures)\s*[=:]\s*[1-9])",
        ("error", "fail", "fatal", "exception"),
    ),
)
"""Such a line begins no error, whatever rule would know it."""

CALM: Final = (
    Calm(r"(?:\S+ ){0,4}\S*\b(?:INFO|DEBUG|TRACE|NOTICE|WARN|WARNING)\b"),
    Calm(r"\[?(?:info|debug|warn|warning|trace|notice|I|D|W)\]?:? "),
    Calm(r"(?i:\bif (?:this|it|that|any\w*|one|there) \w*\s?(?:fails?|errors?))", ("if",)),
    Calm(r"(?i:\bon (?:error|failure)\b|continue.on.error)", ("on error", "on failure")),
    Calm(r"allow_failure", ("allow failure",)),
    Calm(r"(?i:\bignor(?:e|ed|ing)\b.*\berror|\berror\b.*\bignored\b)", ("ignor",)),
    Calm(r"(?i:log.?level|level set|verbosity)", ("level", "verbosity")),
)
"""Such a line begins an error only for rules that are so sure of theirs that they are `calm`."""
