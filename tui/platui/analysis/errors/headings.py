"""Lines that give no reason: headings of a message, and messages that only report an end."""

from __future__ import annotations

import re
from typing import Final

from platui.analysis.errors.prefixes import without_prefix

_LONGEST: Final = 500  # Characters of a line that are matched

_LEVEL: Final = r"(?:\[?(?:ERROR|FATAL|CRITICAL|SEVERE|Error|error|fatal)\]?(?::| -)?\s+)?"
_DBT_ERROR: Final = (
    r"(?:Database|Compilation|Runtime|Parsing|Dependency|Validation|Internal|dbt|Semantic) Error"
)
_RESOURCE: Final = (
    r"(?:unit_?)?(?:test|contract|model|seed|snapshot|source|operation|macro|analysis"
    r"|sql_operation)"
)

# Nothing but the notice that a message follows.
_EMPTY: Final = re.compile(
    rf"(?:[\w.]+(?:Error|Exception): )?{_LEVEL}(?:"
    r"Task failed with exception"
    r"|Encountered an error(?: while .*)?:?$|Traceback \(most recent call last\):$"
    r"|FAILURE: Build (?:failed|completed) with .{1,30}\.?$"
    r"|(?:\* What went wrong|\* Where|Build file '.*' line: \d+$)"
    r"|(?:The )?(?:following )?(?:An? )?(?:unexpected |unhandled |fatal )?(?:errors?|exceptions?) "
    r"(?:has |have |was |were )?(?:occurred|encountered|raised|found)[.!:]?$"
    r"|npm (?:ERR!|error)(?: (?:code|syscall|errno|path|dest|cwd|workspace|location|network)\b.*)?$"
    r"|error: subprocess-exited-with-error|HTTP response headers: .*"
    r"|ERROR in \S+(?: \d+:\d+(?:-\d+)?)?$|Error Trace:.*|\S+\.go:\d+$"
    r"|\W*(?i:errors?|fail(?:ed|ures?)?|fatal|exception|traceback|build failed|details?|output"
    r"|std(?:out|err)|message|reason)\W*$"
    r")"
)

# It names what the message is about.
_NAMING: Final = re.compile(
    rf"{_LEVEL}(?:(?:{_DBT_ERROR}|Failure)(?: in {_RESOURCE} \S+(?: \(.*\))?)?\s*$"
    r"|Execution failed for (?:task|node)\b(?!.*: \S)|A problem (?:occurred|was found) .*"
    r"|(?:Error: )?Error acquiring the state lock$|.* at position \d+$"
    r"|CMake Error(?: at .*)?:?|[\w.]*ApiException: \(\d+\)|Reason: \w+(?: \w+)?"
    r"|[\w.]*ValidationError: \d+ validation errors? for .*|[\w.]+(?: -> [\w.]+)+$"
    r"|FAIL +\S+\.[cm]?[jt]sx?\b.*|FAIL\s+\S+\s+(?:[\d.]+s|\[\w+ failed\])$|● .*"
    r"|--- FAIL: \S+ \(.*"
    r"|(?:An? )?(?:unexpected |unhandled )?[Ee]rror (?:occurred )?(?:during|while|when)\b[^:]*"
    r"|(?!(?:Error:)?\s*Not equal:|.*\(no such package\):$).*:\s*$)"
)

_INNER: Final = re.compile(r"\s*> \S|\s+Caused by: \S|HTTP response |Reason: ")

_SEPARATOR: Final = re.compile(r"(?:\[(?:INFO|WARNING|ERROR)\])?[\W_]*$")

_CODE: Final = r"(?:code|status|value)(?: is)?:? ?-?\d+"

# A program's end, reported by the program that started it: the reason is before.
_END: Final = re.compile(
    rf"(?:[\w.]+(?:Error|Exception|Failure): )?{_LEVEL}(?:"
    r"g?make(?:\[\d+\])?: \*\*\* \[.*\] Error \d+"
    r"|g?make(?:\[\d+\])?: (?:Leaving|Entering) directory"
    r"|ninja: build stopped: (?:subcommand|interrupted)"
    r"|Bash command failed|Cannot execute: "
    rf"|(?:[$+] )?(?:[Ee]xit(?:ed|ing)?|[Rr]eturn)(?: with)?(?: {_CODE}| \(?\d+\)?)?[.!]?$"
    r"|##\[error\](?:Process|Terraform|The process|Bash) .*exit"
    r"|(?:Completed|Finished|Done)(?:[.! ]*$| (?:in|at|after) .*)|Completed with \d+ errors?\b.*"
    r"|Finished running .*|Finished '\w+' .*|Done\. PASS=.*"
    r"|(?:Found )?\d+ errors?(?: generated| in \d+ files?(?: \(checked .*\))?"
    r"| \(\d+ fixed, .*\))?\.?$"
    r"|\[\*\] \d+ fixable\b|No fixes available\b|Your code has been rated at\b"
    r"|Command `.*` failed at\b"
    r"|(?:[Aa]bort(?:ed|ing)|[Tt]erminat(?:ed|ing)|[Gg]iving up|[Ss]hutting down|[Bb]ye|[Ff]ailed"
    r"|FAILED|BUILD FAILED.*)[.! ]*$"
    r"|.*: There are test failures"
    r"|(?:error: )?(?:aborting due to|could not compile|build failed)\b"
    r"|[\w.-]+ exited with code \d+$|collect2: error: ld returned|.* did not run successfully\.?$"
    r"|(?:ERROR: )?(?:Failed building wheel|Failed to build|Could not build wheels)\b"
    r"|npm (?:ERR!|error) (?:A complete log of this run|\s|code ELIFECYCLE|errno \d|Exit status"
    r"|This is probably not|Failed at the|command |path |Lifecycle script .* failed|Test failed"
    r"|\S+@\S+ \S+: `)"
    r"|\[(?:INFO|error)\] (?:BUILD FAILURE|Total time|Finished at)"
    r"|ELIFECYCLE\b|ERR_PNPM_RECURSIVE_\w+_FIRST_FAIL\b"
    r"|\d+ downstream tasks? |Task instance |Marking task as |Failed to execute job \d"
    r"|Tests: \d|.*\b\d+ problems? \("
    r"|error Command failed with exit code|info Visit https?://"
    r"|For more information|See (?:the )?\S+ for|Run with --|> Run with|> Get more help"
    r"|.*\.go:\d+ \+0x[0-9a-f]+$"
    r")"
)


# The same anywhere in a line that is about a program.
_PROGRAM: Final = re.compile(
    r"\b(?:[Cc]ommand|[Pp]rocess|[Ss]cript|[Pp]od|[Tt]ask|[Tt]erraform|[Jj]ob|[Ss]tep)\b"
)
_FINISHED: Final = re.compile(
    rf"\b(?:returned|exited|failed|completed|terminated|finished)\b.{{0,60}}\b{_CODE}"
    r"|\breturned (?:a failure|(?:a )?non-zero)"
)
_EXIT_CODE: Final = re.compile(r".*\bexit (?:status|code) ?[=:]? ?\d+\)?[.;]?$")

# A reason behind the code; there execa writes the command.
_REASON_BEHIND: Final = re.compile(
    rf"(?!.*\b[Cc]ommand \w+ with (?:exit )?code\b).*\b{_CODE}\b(?: \(\w+\))?: \S"
)
# A reason before an aside with the code.
_REASON_BEFORE: Final = re.compile(
    r"(?:\S+: )?(?:ERROR|FATAL|CRITICAL)\b\S* +(?:.*: )?(?P<reason>[^:]+?)"
    r"[,(;][^:]*\b(?:code|status)\b"
)
_ENDED: Final = re.compile(r"(?i:\b(?:fail|abort|exit|terminat|stop|return|finish|complet)\w*)")


def is_heading(line: str) -> bool:
    """Return whether the message follows in another line."""
    return is_empty_heading(line) or names_subject(line)


def is_empty_heading(line: str) -> bool:
    return _EMPTY.match(_body(line)) is not None


def names_subject(line: str) -> bool:
    """Return whether a heading names the subject of the message below."""
    body = _body(line)
    return _NAMING.match(body) is not None and _EMPTY.match(body) is None


def is_below(line: str, heading: str) -> bool:
    """Return whether a line belongs to the heading above it."""
    above = without_prefix(heading)
    if above.rstrip().endswith(":") or is_empty_heading(heading):
        return True
    below = without_prefix(line)
    return _indentation(below) > _indentation(above) or below[:1] in {">", "|", "│"}


def is_inner(line: str) -> bool:
    """Return whether a line gives the reason of the line above it."""
    return _INNER.match(without_prefix(line)) is not None


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def is_separator(line: str) -> bool:
    """Return whether a line has no words: blank, or a rule of dashes."""
    return _SEPARATOR.match(_body(line)) is not None


def reports_end(line: str) -> bool:
    """Return whether a line only reports that a program ended, without the reason."""
    body = _body(line)
    if _END.match(body) is not None:
        return True
    is_end = _EXIT_CODE.match(body) or (_PROGRAM.search(body) and _FINISHED.search(body))
    return bool(is_end) and not _gives_reason(body)


def _gives_reason(body: str) -> bool:
    if _REASON_BEHIND.match(body) is not None:
        return True
    found = _REASON_BEFORE.match(body)
    return (
        found is not None
        and _PROGRAM.search(body, 0, found.end("reason")) is None
        and _ENDED.search(found["reason"]) is None
    )


def _body(line: str) -> str:
    return without_prefix(line[:_LONGEST]).strip()
