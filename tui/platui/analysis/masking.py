"""Mask values in log lines that differ in every run: times, ids, sizes, large counts."""

from __future__ import annotations

import re
from array import array
from typing import Final

from platui.core.named_tuple import NamedTuple

# May match other words; `is_hash` decides.
HASHES: Final = re.compile(rb"[0a-f]{7,}(?:(?:-[0a-f]{4}){3}-[0a-f]{12})?")

_ALNUM: Final = frozenset(b"0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def is_hash(found: re.Match[bytes]) -> bool:
    """Return whether a match is a hash or UUID: a whole word, neither a number nor a name."""
    text, (start, end) = found.string, found.span()
    if (start and text[start - 1] in _ALNUM) or (end < len(text) and text[end] in _ALNUM):
        return False
    word = found[0]
    return b"0" in word and bool(word.strip(b"0-"))


_ZONE: Final = r"(?: ?(?:Z\b|UTC\b|GMT\b|CES?T\b|[EP][DS]T\b|[+-]00:?00))?"
_CLOCK: Final = rf"0{{1,2}}:00(?::00)?(?:[.,]0+)?(?: ?[AaPp][Mm]\b)?{_ZONE}"
_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_WEEKDAY: Final = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"
_UNIT: Final = (
    "(?:ns|us|\xc2\xb5s|\xce\xbcs|ms|msecs?|milliseconds?|s|secs?|seconds?|mins?|minutes?"
    "|hrs?|hours?|h|days?)"
)
_NUMBER: Final = r"(?<![0A-Za-z.,])0[0,]*(?:\.0+)?"
_HEX: Final = "[0a-fA-F]"
_POD: Final = "[bcdfghjklmnpqrstvwxz0]"  # characters of generated pod names
_NAME: Final = r"[^\s/'\":,)\]]+"

_CODE_WORD: Final = (
    r"(?i:\b(?:error|errno|code|exit|status|signal|returned|sqlstate|sqlcode|http)"
    r"(?: (?:code|status))?)"
)
_DAY: Final = (
    rf"(?:{_WEEKDAY},? +)?(?:\b{_MONTH} +0{{1,2}}\b,?|\b0{{1,2}}[ -]{_MONTH})(?:[ -]0000\b)?"
)

_KEPT: Final = (
    # exit codes, error numbers, HTTP statuses
    rf"{_CODE_WORD}[ :=#(\[]{{1,2}}-?0+(?![0:.,/T-]*[:/T-]0)",
    r"(?i:\bline)[ :] ?0+(?::0+)?",
    # ORA-00942, E0401, DATA-3040
    r"(?<![A-Za-z0_-])[A-Z]{1,6}-?0{3,6}(?![0A-Za-z-])",
    r"(?i:coverage)[^0]{0,20}0+(?:\.0+)?\ ?%",
)
_MASKED: Final = (
    # introduction of a runner
    r"^\s*on \S+ \S+, system ID: \S+",
    r"(?<=\bRunning on )\S+ via \S+",
    r"\brunner-[\w~-]+-project-0+-concurrent-0+(?:-[a-z0]+)*",
    # ids that `HASHES` misses
    rf"(?<![0A-Za-z]){_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}(?![0A-Za-z])",
    rf"(?<![0A-Za-z])0x{_HEX}{{4,}}(?![0A-Za-z])",
    r"(?<![0A-Za-z])(?=[A-F]*0)(?=0*[A-F])[0A-F]{7,}(?![0A-Za-z])",
    r"(?<![0A-Za-z])(?=[A-Za-z]*0+[A-Za-z]+0)[0A-Za-z]{20,}(?![0A-Za-z])",
    # dates, times
    rf"{_DAY}(?:[ ,:T]*{_CLOCK})?(?: 0000\b)?",
    rf"(?<![0A-Za-z.-])0000[-/]00[-/]00(?:[T_ -]+00[:.]?00(?:[:.]?00(?:[.,]0+)?)?{_ZONE})?(?!0)",
    rf"(?<![0A-Za-z./-])00/00/(?:0000|00)(?: +{_CLOCK})?(?![0/])",
    r"(?<![0A-Za-z.])0{1,2}\.0{1,2}\.0000(?![0.])",
    rf"(?<![0A-Za-z.:/]){_CLOCK}(?![0:])",
    # machines
    r"(?<![0A-Za-z.@-])(?<!==)0{1,3}(?:\.0{1,3}){3}(?:[:/]0{1,5})?(?![.0A-Za-z])",
    r"\bip(?:-0{1,3}){4}(?:\.[\w.-]+)?",
    r"(?<![\w:.])(?:[0a-fA-F]{1,4}:){3,7}(?::|[0a-fA-F]{1,4})",
    # durations, sizes, rates, progress
    r"(?<![0A-Za-z.,])(?:0+[dhm] ?)*0[0,]*(?:\.0+)?(?:m?s|[hmd])(?![A-Za-z0_])",
    rf"(?:{_NUMBER}|\x01) ?{_UNIT}(?![A-Za-z0_])",
    r"(?<![0A-Za-z.,])0+(?:\.0+)?/0+(?:\.0+)? ?[KMGTkmgt]i?[Bb](?![A-Za-z0])",
    rf"{_NUMBER} ?(?:[KMGTkmgt]i?[Bb]|[Bb]ytes?|B)(?:/s|ps)?(?![A-Za-z0])",
    rf"{_NUMBER} ?[a-z]{{0,9}}/s(?:ec)?(?![A-Za-z0])",
    r"(?<![0A-Za-z])0+(?:\.0+)? ?%",
    r"(?<![^ ])0+ of 0+(?= (?:START|OK|PASS|FAIL|ERROR|WARN|SKIP|NO-OP|STALE|RUNTIME)\b)",
    r"(?<=[\[(]) *0+/0+(?=[\])])",
    # processes
    r"(?i:\b(?:pid|tid|thread|worker|process|executor|gw)[ =:#-]{0,2})0+(?!\w)",
    r"\b(?:task|stage) 0+\.0+(?!\.)",
    # temporary paths
    r"(?:/tmp/|\b)pytest-of-\w+/pytest-0+",
    rf"/tmp/{_NAME}",  # noqa: S108  (read, not made)
    rf"/var/folders/\S+?/T/{_NAME}",
    r"\bpip-(?:[a-z]+-)+(?=[a-z_]*0)[a-z0_]{8}(?![A-Za-z0])",
    r"(?<![A-Za-z0])tmp(?=[a-z_]*0)[a-z0_]{8}(?![A-Za-z0])",
    rf"(?<=[a-z0])-(?:~+|(?=[a-z]*0){_POD}{{8,10}})-{_POD}{{5}}(?![\w-])",
    rf"(?<=[a-z0])-(?=[a-z]*0[a-z]){_POD}{{5}}(?![\w-])",
    # large numbers: ids, ports, rows
    r"(?<![0A-Za-z.,])0{1,3}(?:,000)+(?:\.0+)?(?!0)",
    r"(?<![0.A-Z])0{4,}(?:\.0+)?(?!\.?0)",
    r"(?<![0.A-Za-z])(?<!==)0+\.0{3,}(?![.0])",
    r"(?<![0.A-Za-z])0+(?:\.0+)?[eE][-+]?0+(?![A-Za-z0])",
    # progress bars
    r"\[[=>#. -]{4,}\]",
    "(?:\xe2[\x94-\x96][\x80-\xbf]){3,}",
    r"(?:\bsha0{1,3}:)?~+",
)
_VERSION: Final = (
    r"(?<![0A-Za-z.])[vV]?0+\.0+\.0+(?:\.0+)*"
    r"(?:[-.+]?(?:a|b|rc|dev|post|alpha|beta|SNAPSHOT)[.-]?0*)?(?![0A-Za-z])"
)
_FILLING: Final = r" *\.{2,} *|  +|={3,}|-{3,}|_{3,}|\*{3,}|\s+$"


def _any(patterns: tuple[str, ...]) -> str:
    return "|".join(f"(?:{one})" for one in patterns)


# Unmasked values come first, since masks may match them too. Latin-1: one byte per character.
MASKS: Final = re.compile(
    f"(?P<kept>{_any(_KEPT)})|(?P<masked>{_any(_MASKED)})|(?P<version>{_VERSION})"
    f"|(?P<filling>{_FILLING})".encode("latin-1")
)

# Names of tables, models, tests: words joined by underscores.
NAMES: Final = re.compile(
    rb"(?<![A-Za-z0_.])(?=[A-Za-z0.]*_)"
    rb"(?![A-Za-z0_.]*(?i:fail|err|exc|abort|kill|timeout|time_out|denied|refus|warn|crit|fatal))"
    rb"[A-Za-z0_.]+"
)


_MOST_SHAPES: Final = 20_000  # Cached shapes; beyond that the cache is cleared
_MOST_BYTES: Final = 16 * 1024 * 1024  # Approximate size of the cache
_LONGEST: Final = 4000  # Bytes of a line that are masked; the rest is compared as it is

_HASH: Final = b"~"
_NONE: Final = b"\x01"
_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
# Keys of lines without content: blank, or only a time.
BLANK_KEYS: Final = frozenset(map(hash, (b"", b" ", b"#", b"# ", b" #", b"[#]", b"[#] ", b"(#)")))

_NUMBERS: Final = re.compile(rb"0+")
_BEFORE: Final = (b" ", b"=")
_AFTER: Final = (b" ", b",", b"\n")


class Keys:
    """Two keys per line: without masked values, and for outlines also without names and numbers."""

    def __init__(self) -> None:
        self.lines = array("q")
        self.outlines = array("q")


class _Shape(NamedTuple):
    template: bytes
    key: int
    outline: int
    numbers: tuple[slice, ...]  # Digits that are not masked
    codes: tuple[slice, ...]  # Those of them that outlines keep


class Masker:
    """Computes keys of clean UTF-8 lines, with cached masks per shape. Not thread-safe."""

    def __init__(self) -> None:
        self._shapes: dict[bytes, _Shape] = {}
        self._size = 0

    def take(self, text: bytes, keys: Keys) -> None:
        known, read = self._shapes, self._read
        add, add_outline = keys.lines.append, keys.outlines.append
        for line in _mark_zeros(text).split(b"\n"):
            zeros = line.translate(_ZEROS)
            template, key, outline, numbers, codes = known.get(zeros) or read(zeros)
            add(hash((template, *[line[at] for at in numbers])) if numbers else key)
            add_outline(hash((outline, *[line[at] for at in codes])) if codes else outline)

    def _read(self, zeros: bytes) -> _Shape:
        zeros = _mark_hashes(zeros)
        if (shape := self._shapes.get(zeros)) is not None:
            return shape
        template: list[bytes] = []
        numbers: list[slice] = []
        codes: list[slice] = []

        def keep(start: int, end: int) -> list[slice]:
            template.append(zeros[start:end])
            found = [slice(*one.span()) for one in _NUMBERS.finditer(zeros, start, end)]
            numbers.extend(found)
            return found

        at = 0
        for mask in MASKS.finditer(zeros, 0, _LONGEST):
            start, end = mask.span()
            keep(at, start)
            at = end
            if mask.lastgroup == "masked":
                template.append(b"#")
            elif mask.lastgroup == "filling":
                # Dots and blanks are equal; other repeated signs count once.
                sign = mask[0][:1] if mask[0].strip(b" .") else b" "
                template.append(sign if end < len(zeros) else b"")
            else:
                codes += keep(start, end)
        keep(at, len(zeros))
        whole = b"".join(template)
        outline = hash(NAMES.sub(b"_", _NUMBERS.sub(b"0", whole)))
        shape = _Shape(whole, hash(whole), outline, tuple(numbers), tuple(codes))
        if len(self._shapes) >= _MOST_SHAPES or self._size >= _MOST_BYTES:
            self._shapes.clear()
            self._size = 0
        self._size += len(zeros) + len(whole)
        self._shapes[zeros] = shape
        return shape


class Plain:
    """Computes keys without masks: lines must be identical."""

    def take(self, text: bytes, keys: Keys) -> None:
        found = array("q", map(hash, text.split(b"\n")))
        keys.lines += found
        keys.outlines += found


def masked_spans(line: str) -> list[tuple[int, int]]:
    # One byte per character keeps positions.
    plain = line.replace("µs", "us").replace("μs", "us").encode("ascii", "replace")
    zeros = _mark_hashes(_mark_zeros(plain).translate(_ZEROS))
    found = MASKS.finditer(zeros, 0, _LONGEST)
    return [mask.span() for mask in found if mask.lastgroup == "masked"]


def masked(line: str) -> str:
    pieces, at = [], 0
    for start, end in masked_spans(line):
        pieces += [line[at:start], "#"]
        at = end
    return "".join((*pieces, line[at:]))


def _mark_zeros(text: bytes) -> bytes:
    text += b"\n"
    for before in _BEFORE:
        for after in _AFTER:
            text = text.replace(before + b"0" + after, before + _NONE + after)
    return text[:-1]


def _mark_hashes(zeros: bytes) -> bytes:
    return HASHES.sub(lambda one: _HASH * len(one[0]) if is_hash(one) else one[0], zeros)
