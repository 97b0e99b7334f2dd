"""Searches for a caller's pattern, in a time that no pattern can stretch.

Python's own engine tries one way after the other, and `.*.*.*x` keeps the whole platform waiting.
Here every part of a pattern is asked once for each place of the text where it may end, so that a
search costs no more than parts x places x places. Like GitLab's engine, this one has no
look-around and no back references.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST: Final = 100
"""Characters of a pattern."""

_MOST_REPEATED: Final = 1000

_GROUP: Final = re.compile(r"\((\?(?:P?<[A-Za-z_]\w*>|:))?")
_TIMES: Final = re.compile(r"(?:([*+?])|\{([0-9]{1,4})(,?)([0-9]{0,4})\})\??")
_ATOM: Final = re.compile(
    r"\\x[0-9A-Fa-f]{2}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^()|*+?\\]", re.DOTALL
)
_SIGNS: Final = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class PatternError(ValueError):
    """What was sent is no pattern, or one that is not searched for here."""


@dataclass(frozen=True, slots=True, eq=False)
class _Atom:
    """One character, one class of them, or one place between two: what `re` decides at once."""

    compiled: re.Pattern[str]


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    parts: list[_Part]


@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    options: list[_Part]


@dataclass(frozen=True, slots=True, eq=False)
class _Repeat:
    part: _Part
    least: int
    most: int | None


_Part: TypeAlias = _Atom | _Chain | _Choice | _Repeat


class Pattern:
    """A pattern that has been read."""

    def __init__(self, text: str) -> None:
        """Read a pattern.

        Raises:
            PatternError: it is none, or longer than any.
        """
        if len(text) > LONGEST:
            raise PatternError("the pattern is too long")
        self._root = _Reader(text).read()

    def found_in(self, text: str) -> bool:
        """Tell whether any part of a text fits."""
        search = _Search(text)
        return any(search.ends(self._root, place) for place in range(len(text) + 1))


class _Reader:
    """Reads one pattern from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._flags = re.IGNORECASE if text.startswith("(?i)") else re.NOFLAG
        self._text = text.removeprefix("(?i)")
        self._at = 0

    def read(self) -> _Part:
        root = self._choice()
        if self._at < len(self._text):
            raise PatternError("unbalanced parenthesis")
        return root

    def _choice(self) -> _Part:
        options = [self._chain()]
        while self._text.startswith("|", self._at):
            self._at += 1
            options.append(self._chain())
        return options[0] if len(options) == 1 else _Choice(options)

    def _chain(self) -> _Part:
        parts = []
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            parts.append(self._repeated(self._single()))
        return parts[0] if len(parts) == 1 else _Chain(parts)

    def _single(self) -> _Part:
        if found := _GROUP.match(self._text, self._at):
            self._at = found.end()
            inner = self._choice()
            if not self._text.startswith(")", self._at):
                raise PatternError("missing parenthesis")
            self._at += 1
            return inner
        found = _ATOM.match(self._text, self._at)
        if found is None:
            raise PatternError("nothing to repeat")
        self._at = found.end()
        try:
            return _Atom(re.compile(found[0], self._flags))
        except re.error as error:
            raise PatternError(str(error)) from error

    def _repeated(self, part: _Part) -> _Part:
        found = _TIMES.match(self._text, self._at)
        if found is None:
            return part
        self._at = found.end()
        if _TIMES.match(self._text, self._at):
            raise PatternError("multiple repeat")
        sign, least, comma, most = found.groups()
        if sign:
            return _Repeat(part, *_SIGNS[sign])
        first = int(least)
        last = int(most) if most else (None if comma else first)
        if max(first, last or 0) > _MOST_REPEATED or (last is not None and last < first):
            raise PatternError("bad repeat interval")
        return _Repeat(part, first, last)


class _Search:
    """Where the parts of a pattern can end in one text; each is asked once for each place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[tuple[_Part, int], frozenset[int]] = {}

    def ends(self, part: _Part, place: int) -> frozenset[int]:
        """Return where a part can end that begins at a place."""
        key = (part, place)
        if key not in self._known:
            self._known[key] = self._found(part, place)
        return self._known[key]

    def _found(self, part: _Part, place: int) -> frozenset[int]:
        match part:
            case _Atom(compiled):
                found = compiled.match(self._text, place)
                return frozenset(() if found is None else (found.end(),))
            case _Choice(options):
                return frozenset().union(*(self.ends(one, place) for one in options))
            case _Chain(parts):
                places = frozenset((place,))
                for one in parts:
                    places = self._after(one, places)
                return places
            case _Repeat(inner, least, most):
                return self._repeated(inner, place, least, most)

    def _after(self, part: _Part, places: Iterable[int]) -> frozenset[int]:
        return frozenset().union(*(self.ends(part, place) for place in places))

    def _repeated(self, part: _Part, place: int, least: int, most: int | None) -> frozenset[int]:
        places = frozenset((place,))
        # What goes on moves right, what may stand still only adds: neither lasts beyond the text.
        for _ in range(min(least, len(self._text) + 1)):
            places = self._after(part, places)
        new = reached = places
        rounds = len(self._text) + 1 if most is None else most - least
        for _ in range(rounds):
            new = self._after(part, new) - reached
            if not new:
                break
            reached |= new
        return reached
