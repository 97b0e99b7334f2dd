"""What calls itself an error, whoever says it."""

from __future__ import annotations

from typing import Final

from platui.analysis.errors.rule import Rank, Rule

_LEVELS: Final = r"(?:error|err|fatal|critical|panic|dpanic)"
_WORDS: Final = ("error", "fatal", "critical", "panic")
_NOT_A_LEVEL: Final = (
    r"\bON ERROR\b|\b(?:PASS|WARN|OK|SKIP)\W{1,3}(?:FAIL|ERROR)|\bERROR\W{1,3}(?:SKIP|WARN|FATAL|PASS)\b"
    r"|\bERROR\b\s*[=:]\s*0\b|\bERROR_|[/\\]ERROR\b"
)

GENERIC: Final = (
    Rule(
        "log",
        Rank.GENERIC,
        _WORDS,
        rf"(?i:(?:^|[\s{{,])[\"']?(?:level|lvl|severity|levelname|log[._]level|loglevel)[\"']?"
        rf"\s*[=:]\s*[\"']?{_LEVELS}\b)",
        also=("level", "lvl", "everity", "LEVEL", "Level"),
    ),
    Rule(
        "log",
        Rank.GENERIC,
        _WORDS,
        r"(?:^|[\s\[(|<:\-*])(?:ERROR|FATAL|CRITICAL|PANIC)(?=[\s\]):>|\-,!\[]|$)",
        unless=_NOT_A_LEVEL,
        also=("ERROR", "FATAL", "CRITICAL", "PANIC"),
    ),
    Rule(
        "error",
        Rank.GENERIC,
        ("error", "fatal"),
        r"(?:^|[\s\]:])(?:[Ff]atal |[Ii]nternal |[Uu]nexpected )?(?:[Ee]rror|[Ff]atal)"
        r"(?: ?\([\w .-]+\)| [A-Z]{1,4}-?\d+| \d{2,5}|\[[\w-]+\])?: +\S",
        also=("rror", "atal"),
    ),
    Rule(
        "error",
        Rank.GENERIC,
        ("error", "exception"),
        r"(?:^|[\s\]:])(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?: +\S",
        unless=r"\bexcept\b|\braises?\b",
        also=("Error: ", "Exception: ", "] : ", "]: "),
    ),
    Rule(
        "error",
        Rank.GENERIC,
        ("error",),
        r"(?i:^\W*(?:an )?(?:unexpected |unhandled |internal |fatal )?error "
        r"(?:occurred|while|when|during|in|on|reading|writing|parsing|loading|creating|executing|"
        r"connecting|processing|running|opening|opening)\b)",
    ),
    Rule(
        "failure",
        Rank.NOTICE,
        ("failed", "failure"),
        r"(?:^|^\S+ |: |\] |- )(?:FAILED|FAILURE|Failed|failed)(?= to\b|: \S|!|$| -| with\b)",
        unless=r"(?i:\bif\b|\bunless\b|\b0 failed|\bnot failed)",
    ),
    Rule(
        "failure",
        Rank.NOTICE,
        ("unable to", "could not", "cannot"),
        r"(?:^\W*|^\S+: |\] )(?:Unable to|unable to|Could not|could not|Cannot|cannot) \w+",
        unless=r"(?i:\bif\b|\bunless\b|\bwhen you\b)",
    ),
    Rule(
        "failure",
        Rank.SUMMARY,
        ("failed", "error"),
        r"(?i:\b(?:failed|error).{0,40}\b(?:exit )?(?:status|code):? [1-9]\d*\b)",
        also=("status", "code", "Status", "Code"),
    ),
    Rule("failure", Rank.SUMMARY, ("failed",), r"(?i:^\W*[1-9]\d* (?:\w+ )?failed\b)"),
)
