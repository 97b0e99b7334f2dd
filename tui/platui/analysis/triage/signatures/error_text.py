"""Extract and normalize error text: without prefixes, secrets and changing values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.headings import is_separator, names_subject
from platui.analysis.errors.prefixes import without_prefix
from platui.analysis.masking import masked
from platui.core.secrets import MASK
from platui.core.text import clean

if TYPE_CHECKING:
    from platui.models.values.log import ErrorExcerpt

LONGEST: Final = 2_000  # Characters of an error that are used
_MOST_LINES: Final = 12  # Lines used from the message on
_HEAD: Final = 3  # Most lines in a headline
_ENOUGH: Final = 300  # Characters of normalized text; the rest is mostly lists and dumps

# Prefixes of lines: frames, tool names, files, times.
_BEFORE: Final = re.compile(
    r"(?:[│|] ?)+|npm (?:ERR!|error) ?|psql:\S+:\d+: |\d\d/\d\d/\d\d \d\d:\d\d:\d\d "
    r"|(?:/\S+/)?(?:ba|z|da|k)?sh: (?:line )?\d+: +"
)

# Levels of loggers.
_LEVEL: Final = re.compile(
    r"\[?(?:\b(?:ERROR|FATAL|CRITICAL|SEVERE)\]?:?|\b(?:Error|error|fatal)(?:\]:?|:))(?=\s)\s+"
    r"(?:[\w.]+(?:\[\d+\])?: (?=\S))?"
)

_MODULES: Final = re.compile(r"^(?:[a-z_]\w*\.)+(?=[A-Z]\w*(?::|$))")  # Modules of an exception

# dbt's path of the resource just named.
_PLACE: Final = re.compile(r" \((?:models|tests|seeds|snapshots|macros|analyses)/[^)\s]*\)")

_POOL: Final = r"HTTPS?ConnectionPool\(host='([^']+)', port=(\d+)\): "
_OBJECT: Final = r"(?:<[\w.]+ object at 0x[0-9a-f]+>[:,] )?"

# Text around the message, and its replacements.
_TRIMS: Final = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        # wrappers of requests and urllib3
        (
            _POOL + r"Max retries exceeded with url: \S+ \(Caused by [\w(, ]*['\"]"
            rf"{_OBJECT}(.+?)['\"]?\)*$",
            r"\1:\2: \3",
        ),
        (_POOL, r"\1:\2: "),
        (r"Job aborted due to stage failure: .*? Reason: ", ""),
        (r"Job aborted due to stage failure: .*?Lost task \S+ in stage \S+ \([^)]*\)[^:]*: ", ""),
        (r"(https?://[^\s?\"']+)\?[^\s\"']{40,}", r"\1?…"),
        # wrappers of Kubernetes, containerd and Google's clients
        (r"^(?:Normal|Warning) +\w+ +\S+(?: \(x\d+ over \S+\))? +[\w-]+ +(?=\S)", ""),
        (r"\brpc error: code = \w+ desc = ", ""),
        (r"\bfailed to (?:pull and unpack image|resolve reference) \"[^\"]+\": ", ""),
        (r"<HttpError (\d+) when requesting \S+ returned \"([^\"]*)\".*", r"\1: \2"),
        (r"^Caused by: (?:java\.util\.concurrent\.ExecutionException: )?", ""),
        (
            r"^(?:(?:fatal|failed): )?\[([^\]]+)\].{0,20}=> \{.*?\"msg\": \"((?:[^\"\\]|\\.)*).*",
            r"\1: \2",
        ),
        (r"^\d+ (?=Killed|Aborted|Terminated|Segmentation fault)", ""),
        (r"@sha256:[0-9a-f]{12,64}", ""),
        (r" ?\(\w+\.go:\d+:\d+s\)", ""),
        (r"^Job failed(?: \(system failure\))?: (?=\D*[a-z]{3} )(?!exit|command)", ""),
    )
)

_NAMED: Final = (
    r"(?i)((?:token|passw(?:or)?d|(?<=;)pwd|secret|api[_-]?key)(?:[_-](?:access[_-])?key)?"
    r"(?:[\"']? ?=|[\"'] ?:|:) ?[\"']?)"
)
_SECRETS: Final = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"(?<=://)[^/?#\s'\"]+@", f"{MASK}@"),
        (_NAMED + r"(?=\S{6})[^\s&'\",;)]+", rf"\1{MASK}"),
        (r"(?i)\b(bearer |basic )[\w.~+/=-]{8,}", rf"\1{MASK}"),
        (r"\bgl[a-z]{2,6}-[\w-]{10,}", MASK),
    )
)

# Lines of an error without information.
_NOISE: Final = re.compile(
    r"\s*(?:\^+|~+\^*~*|LINE \d+:.*|compiled (?:code|sql) at .*|\(Background on this error .*"
    r"|For more information check: .*|HINT: .*|A complete log .*"
    r"|at [\w.$<>]+\(.*|at .*:\d+:\d+\)?|\.\.\. \d+ more|goroutine \d+.*"
    r"|Traceback \(most recent call last\):|Encountered an error:|\d{3}|code E\w+|)\s*$"
)

# Lines that introduce the next one.
_HEADING: Final = re.compile(
    r":$|at position \d+$|^(?:Database|Runtime|Compilation|Parsing) Error\b(?!.*: )"
    r"|^Failure in|^remote: "
)

_FAILURE_IN: Final = re.compile(r"\bFailure in (?:\w+) ")

_FRAME_OF_JVM: Final = re.compile(r"\s+at (?P<place>[\w.$]+)\.[\w$<>]+\(")
_LIBRARIES_OF_JVM: Final = (
    "java.", "javax.", "jdk.", "sun.", "scala.", "kotlin.", "org.apache.", "org.springframework.",
    "org.postgresql.", "com.google.", "com.amazonaws.", "software.amazon.", "com.microsoft.",
    "net.snowflake.", "io.delta.", "io.netty.", "com.databricks.", "oracle.", "com.mysql.",
)  # fmt: skip

_FILE_OF_PYTHON: Final = re.compile(r'\s*File "(?P<path>[^"]+)", line \d+(?:, in (?P<name>.+))?')
_LIBRARY: Final = re.compile(r"/(?:site|dist)-packages/|/lib/python\d|^<")


def message_of(error: ErrorExcerpt) -> str:
    """Return the unchanged message, with the headings that name its subject."""
    at = error.mark.message_offset
    lines = [*_subjects(error.lines[:at]), error.message]
    return " ".join(without_prefix(without_secrets(clean(line))).strip() for line in lines)


def without_secrets(line: str) -> str:
    for pattern, put in _SECRETS:
        line = pattern.sub(put, line)
    return line


def words_of(error: ErrorExcerpt) -> list[str]:
    """Return the clean lines of an error from its message on, without noise."""
    at = min(max(0, error.mark.message_offset), max(0, len(error.lines) - 1))
    lines = [*_subjects(error.lines[:at]), error.message, *error.lines[at + 1 : at + _MOST_LINES]]
    found = [strip_prefixes(line) for line in lines if not _NOISE.match(_without_clock(line))]
    return [line for line in found if not _NOISE.match(line)] or [strip_prefixes(error.message)]


def _subjects(lines: Sequence[str]) -> list[str]:
    """Return the headings at the end of `lines` that name the subject of the message."""
    found: list[str] = []
    for line in reversed(lines):
        if not is_separator(line):
            if not names_subject(line) or len(found) == _HEAD - 1:
                break
            found.append(line)
    # dbt names the resource in two headings.
    return found[:1] if _FAILURE_IN.search("".join(found[1:])) else found[::-1]


def user_code_location(error: ErrorExcerpt) -> str:
    """Return file and function of the error in the user's own code; "" in libraries."""
    message = error.mark.message_offset
    for line in map(without_prefix, error.lines[message + 1 :]):
        frame = _FRAME_OF_JVM.match(line)
        if frame is not None:
            place = frame["place"]
            return "" if place.startswith(_LIBRARIES_OF_JVM) else place
    last = None
    for line in map(without_prefix, error.lines[:message]):
        last = _FILE_OF_PYTHON.match(line) or last
    if last is None or _LIBRARY.search(last["path"]):
        return ""
    return f"{last['path'].rpartition('/')[2]} {last['name'] or ''}".strip()


def strip_prefixes(line: str) -> str:
    """Remove time, level, frame and secrets from a line."""
    line = _without_clock(line)
    before = _BEFORE.match(line)
    line = line[before.end() :] if before is not None else line
    level = _LEVEL.match(line)
    if level is not None and level.end() < len(line):
        line = line[level.end() :]
    line = _PLACE.sub("", _MODULES.sub("", line.strip()))
    for pattern, put in (*_SECRETS, *_TRIMS):
        line = pattern.sub(put, line)
    return " ".join(line.split())


def _without_clock(line: str) -> str:
    return without_prefix(clean(line[:LONGEST]).strip())


def headline(error: ErrorExcerpt | None, lines: Sequence[str]) -> str:
    """Return the first lines as one, as many as needed for the message."""
    count = 1 if error is None else 1 + len(_subjects(error.lines[: error.mark.message_offset]))
    while count < min(len(lines), _HEAD) and _HEADING.search(lines[count - 1]):
        count += 1
    return sentence(lines[:count])


def sentence(lines: Iterable[str]) -> str:
    """Join lines, with a colon after a line without punctuation."""
    text = ""
    for line in lines:
        if not text or text.endswith((":", ".", ";", "!", ",")):
            text = f"{text} {line}".strip()
        else:
            text = f"{text}: {line}"
    return text


_QUERY: Final = re.compile(r"(?<=[^\s'\"])\?[\w%.~=&+:/-]*=[^\s'\")]*")  # Query of a URL

_ID: Final = re.compile(
    r"(?i)\b((?:request|host|trace|correlation|query|run|invocation|session)[ _-]?id[:= ]+)"
    r"[\w./+=-]+"
)
_CLASS: Final = re.compile(r"^[A-Z]\w*: (?=\S+ \S+ )")  # Exception class before a longer message

# Numbers that distinguish errors.
_CODES: Final = re.compile(
    r"\b(?:[A-Z]{1,8}[-_]?\d{2,6}|\d{5,6} \(\w{5}\)|(?i:code|exit status|errno|http|error"
    r"|status)[ :=]{1,2}-?\d{1,5}|[45]\d\d (?=[A-Z]))"
)

_FOLDERS: Final = re.compile(r"(?<![\w:/.])(?:~|\.{1,2})?/(?:[^\s/'\":,;)\]]+/)+")
_TEMPORARY: Final = re.compile(r"#[\w.#-]*/(?=[^\s/]+)|\btmp\w{6,}")
_NUMBER: Final = re.compile(r"(?<![\w.-])[-+]?\d+(?:[.,]\d+)*(?!\w)")

_FIRST_PRIVATE: Final = 0xE000  # Private-use characters that protect codes from masks


def normal(text: str) -> str:
    """Replace everything that differs between failures of one cause by `#`."""
    kept: list[str] = []

    def keep(code: re.Match[str]) -> str:
        kept.append(code[0])
        return f"\x00{chr(_FIRST_PRIVATE + len(kept) - 1)}\x00"

    text = _CLASS.sub("", text[:_ENOUGH].replace("\x00", ""), count=1)
    text = _CODES.sub(keep, _ID.sub(r"\1#", _QUERY.sub("?#", text)))
    text = masked(_FOLDERS.sub("…/", text))
    text = _NUMBER.sub("#", _TEMPORARY.sub("", text))
    for at, code in enumerate(kept):
        text = text.replace(f"\x00{chr(_FIRST_PRIVATE + at)}\x00", code)
    return " ".join(text.split())
