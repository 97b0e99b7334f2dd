"""What interpreters and test runners say: Python, Java and Scala, Node, Go, Rust, pytest."""

from __future__ import annotations

from typing import Final

from platui.analysis.errors.rule import Rank, Rule, Shape

_JAVA_NAME: Final = (
    r"(?:java|javax|scala|kotlin|org|com|net|io|py4j)(?:\.[a-z_]\w*)+"
    r"\.[A-Z][\w$]*(?:Exception|Error|Throwable|Failure)"
)

LANGUAGES: Final = (
    Rule(
        "python",
        Rank.CAUSE,
        ("traceback",),
        r"(?:Traceback \(most recent call last\):|Exception Group Traceback)",
        shape=Shape.TRACEBACK,
        calm=True,
    ),
    Rule("go", Rank.CAUSE, ("panic",), r"^(?:\S+ )*?panic: ", shape=Shape.GOROUTINES, calm=True),
    Rule(
        "go",
        Rank.CAUSE,
        ("fatal error",),
        r"^fatal error: (?:all goroutines|concurrent|runtime|stack)",
        shape=Shape.GOROUTINES,
        calm=True,
    ),
    Rule("rust", Rank.CAUSE, ("panicked at",), r"^thread '.*' (?:\(\d+\) )?panicked at", calm=True),
    Rule(
        "java",
        Rank.CAUSE,
        ("exception", "error"),
        rf"^(?:Exception in thread \"|Caused by: )|(?:^|^: |\s){_JAVA_NAME}(?:: |$)",
        also=("Exception", "Error", "Throwable", "Failure", "Caused by"),
        shape=Shape.STACK,
        calm=True,
    ),
    Rule(
        "pytest",
        Rank.CAUSE,
        ("error", "exception", "fail"),
        r"^E {3,}(?:[\w.]*(?:Error|Exception|Failed)\b|assert)",
        shape=Shape.FOLLOWED,
        goes_on=r"E\s",
    ),
    Rule("pytest", Rank.SUMMARY, ("failed", "error"), r"^(?:FAILED|ERROR) \S+\.py(?:::\S+)?"),
    Rule(
        "pytest",
        Rank.SUMMARY,
        ("failed", "error"),
        r"^=*\s*(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s",
    ),
    Rule("tests", Rank.TOOL, ("fail",), r"^\s*(?:--- FAIL: |FAIL(?:\t|\s+\S+\.[jt]sx?\b))"),
    Rule(
        "tests",
        Rank.SUMMARY,
        ("fail",),
        r"^(?:FAILED \((?:failures|errors)=|FAIL$|Tests?:? .*[1-9]\d* failed|Failed tests:|"
        r"test result: FAILED)",
    ),
    Rule("unittest", Rank.TOOL, ("error", "fail"), r"^(?:ERROR|FAIL): \w+ \([\w.]+\)"),
    Rule(
        "node",
        Rank.CAUSE,
        ("error",),
        r"^(?:(?:Uncaught |\[?Unhandled\w*\]? ?)(?:[A-Z]\w*)?Error|Error|[A-Z]\w*Error \[\w+\]): \S",
        shape=Shape.STACK,
        unless=r"^Error: (?:0|none)\b",
    ),
    Rule(
        "exception",
        Rank.CAUSE,
        ("error", "exception"),
        r"^[A-Z]\w*(?:Error|Exception): +\S",
        shape=Shape.STACK,
        calm=True,
    ),
    Rule(
        "python",
        Rank.CAUSE,
        ("error", "exception", "not found", "timed out"),
        r"^(?:[a-z_]\w*\.)+[A-Z]\w*(?:Error|Exception|Interrupt|Timeout|NotFound|Exit)"
        r"(?::\s+\S|$)",
        calm=True,
    ),
    Rule(
        "rust",
        Rank.CAUSE,
        ("error",),
        r"^error\[E\d{4}\]: ",
        shape=Shape.FOLLOWED,
        goes_on=r"\s+(?:-->|\||\d+ \||=)",
    ),
)
