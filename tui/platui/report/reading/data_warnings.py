"""Warnings about irregular data, collected while a report is read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from platui.report.reading.schema import Key

_SHOWN: Final = 40


class WarningKind(NamedTuple):
    one: str
    several: str


REPEATED_IDS: Final = WarningKind(
    "entry has a duplicate id in the same object; the last one is used",
    "entries have a duplicate id in the same object; the last one is used",
)
REPEATED_PLACES: Final = WarningKind(
    "group or project is listed twice in different groups; both are used",
    "groups or projects are listed repeatedly in different groups; all are used",
)
NAMELESS_PLACES: Final = WarningKind(
    "group or project has no name or no path", "groups or projects have no name or no path"
)
NAMELESS_USERS: Final = WarningKind(
    "user has no name, user name, e-mail or state",
    "users have no name, user name, e-mail or state",
)
UNLISTED: Final = WarningKind(
    "person has memberships but is not in users", "people have memberships but are not in users"
)
UNKNOWN_LEVELS: Final = WarningKind(
    "access level is of unknown order and ranks below all others",
    "access levels are of unknown order and rank below all others",
)
HALF_PAIRS: Final = WarningKind(
    "lone surrogate was replaced by U+FFFD",
    "lone surrogates were replaced by U+FFFD",
)


class DataWarnings:
    """Counts warnings, each with its first example."""

    def __init__(self) -> None:
        self._times: Counter[WarningKind] = Counter()
        self._examples: dict[WarningKind, str] = {}

    def add(self, kind: WarningKind, example: str, times: int = 1) -> None:
        """Count a warning. `example` is the location of the first case, clean text or empty."""
        self._times[kind] += times
        self._examples.setdefault(kind, example)

    def add_all(self, others: DataWarnings) -> None:
        for kind, times in others._times.items():
            self.add(kind, others._examples[kind], times)

    def sentences(self) -> Sequence[str]:
        """Return one sentence per kind, in order of occurrence."""
        return [
            f"{times:,} {kind.one if times == 1 else kind.several}"
            f"{f' ({self._examples[kind]})' if self._examples[kind] else ''}."
            for kind, times in self._times.items()
        ]


def note_repeated(
    all_keys: Sequence[Key], kept: Collection[Key], where: str, warnings: DataWarnings
) -> None:
    """Add a warning for duplicate keys in one object, of which the last is used."""
    if len(all_keys) == len(kept):
        return
    lost = Counter(all_keys) - Counter(list(kept))
    example = f"{where}, {shorten(next(iter(lost)), _SHOWN)}"
    warnings.add(REPEATED_IDS, example, lost.total())
