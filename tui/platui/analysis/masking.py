"""Lines as what is compared of them: without what differs in every run of the same job.

Times, durations, ids, addresses, sizes and counts of four digits or more are masked. Small
numbers, exit codes, error codes and versions are not: "0 rows" is not "1 row", and
`dbt 1.7.3` is not `dbt 1.8.0`.
"""

from __future__ import annotations

import re
from array import array
from typing import Final, NamedTuple

from platui.analysis.masks import HASHES, MASKS, NAMES, is_hash

_MOST_SHAPES: Final = 20_000
"""Shapes whose masks are remembered. Beyond that they are forgotten, all at once."""

_MOST_BYTES: Final = 16 * 1024 * 1024
"""Bytes of them, about: a line may be long, and so is its shape then."""

_LONGEST: Final = 4000
"""Bytes of a line that are looked at by masks; the rest counts as it is."""

_HASH: Final = b"~"
_NONE: Final = b"\x01"
_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
SILENT: Final = frozenset(map(hash, (b"", b" ", b"#", b"# ", b" #", b"[#]", b"[#] ", b"(#)")))
"""Keys of lines that say nothing: blank ones, and those that are but a time or the like."""

_NUMBERS: Final = re.compile(rb"0+")
_BEFORE: Final = (b" ", b"=")
_AFTER: Final = (b" ", b",", b"\n")


class Keys:
    """What stands for the lines of a text, two numbers a line; equal keys are equal lines.

    Attributes:
        lines: of each line, without what is masked.
        outlines: of each line, with neither names of things nor numbers, but for noughts, codes
            and versions.
    """

    def __init__(self) -> None:
        self.lines = array("q")
        self.outlines = array("q")


class _Shape(NamedTuple):
    """What all lines of one shape have in common."""

    template: bytes
    key: int
    outline: int
    numbers: tuple[slice, ...]
    """Where the digits stand that are not masked."""
    codes: tuple[slice, ...]
    """Where those of them stand that an outline has, too."""


class Masker:
    """Reads lines of clean UTF-8. Not for two threads at once.

    Which characters a mask covers depends on where digits stand, never on which digits
    they are. So masks are sought once for all lines of one shape, and a log of a million
    lines has but a few shapes.
    """

    def __init__(self) -> None:
        self._shapes: dict[bytes, _Shape] = {}
        self._size = 0

    def take(self, text: bytes, keys: Keys) -> None:
        """Add the keys of the lines of a text; a line feed stands between two lines."""
        known, read = self._shapes, self._read
        add, add_outline = keys.lines.append, keys.outlines.append
        for line in _mark_noughts(text).split(b"\n"):
            zeros = line.translate(_ZEROS)
            shape = known.get(zeros) or read(zeros)
            template, key, outline, numbers, codes = shape
            add(hash((template, *[line[at] for at in numbers])) if numbers else key)
            add_outline(hash((outline, *[line[at] for at in codes])) if codes else outline)

    def _read(self, zeros: bytes) -> _Shape:
        """Find the masks of a shape, and remember them."""
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
                template.append(_filling(mask[0]) if end < len(zeros) else b"")
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
    """Takes lines as they are: equal to the letter."""

    def take(self, text: bytes, keys: Keys) -> None:
        """Add the keys of the lines of a text; a line feed stands between two lines."""
        found = array("q", map(hash, text.split(b"\n")))
        keys.lines += found
        keys.outlines += found


def masked_spans(line: str) -> list[tuple[int, int]]:
    """Return where in a line masks lie: first character, and one after."""
    # A byte a character, so that places in the one are places in the other.
    plain = line.replace("µs", "us").replace("μs", "us").encode("ascii", "replace")
    zeros = _mark_hashes(_mark_noughts(plain).translate(_ZEROS))
    found = MASKS.finditer(zeros, 0, _LONGEST)
    return [mask.span() for mask in found if mask.lastgroup == "masked"]


def masked(line: str) -> str:
    """Return a line with a # in the place of each mask."""
    pieces, at = [], 0
    for start, end in masked_spans(line):
        pieces += [line[at:start], "#"]
        at = end
    return "".join((*pieces, line[at:]))


def _filling(run: bytes) -> bytes:
    """Return one sign for many that only fill a line: dots lead the eye, as blanks do."""
    return b" " if run.strip(b" .") == b"" else run[:1]


def _mark_noughts(text: bytes) -> bytes:
    """Return a text in which noughts are marked that say that there is none of something."""
    text += b"\n"
    for before in _BEFORE:
        for after in _AFTER:
            text = text.replace(before + b"0" + after, before + _NONE + after)
    return text[:-1]


def _mark_hashes(zeros: bytes) -> bytes:
    """Return a shape with a ~ for every character of a hash."""
    return HASHES.sub(lambda one: _HASH * len(one[0]) if is_hash(one) else one[0], zeros)
