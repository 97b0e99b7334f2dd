"""What is strange in a report and how it was read, gathered while it is read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from platui.report.reading.schema import Key

_SHOWN: Final = 40


class WarningKind(NamedTuple):
    """What can be strange: the sentence of one such thing, and of several, after their number."""

    one: str
    several: str


REPEATED_IDS: Final = WarningKind(
    "entry has an id that stands again in the same object; the last counts",
    "entries have an id that stands again in the same object; the last counts",
)
REPEATED_PLACES: Final = WarningKind(
    "group or project stands in another place again; both are kept",
    "groups or projects stand in other places again; all are kept",
)
NAMELESS_PLACES: Final = WarningKind(
    "group or project has no name or no path", "groups or projects have no name or no path"
)
NAMELESS_USERS: Final = WarningKind(
    "user has no name, user name, e-mail or state",
    "users have no name, user name, e-mail or state",
)
UNLISTED: Final = WarningKind(
    "person has memberships and is not in users", "people have memberships and are not in users"
)
UNKNOWN_LEVELS: Final = WarningKind(
    "access level is of unknown order and stands below all others",
    "access levels are of unknown order and stand below all others",
)
HALF_PAIRS: Final = WarningKind(
    "half of a surrogate pair stands alone and reads as U+FFFD",
    "halves of a surrogate pair stand alone and read as U+FFFD",
)


class _Seen(NamedTuple):
    times: int
    example: str


class DataWarnings:
    """Counts, each with the first example."""

    def __init__(self) -> None:
        self._seen: dict[WarningKind, _Seen] = {}

    def add(self, kind: WarningKind, example: str, times: int = 1) -> None:
        """Count something.

        `example` is where the first of them is; clean text, empty where nothing is to be said.
        """
        before = self._seen.get(kind, _Seen(0, example))
        self._seen[kind] = before._replace(times=before.times + times)

    def add_all(self, others: DataWarnings) -> None:
        for kind, seen in others._seen.items():
            self.add(kind, seen.example, seen.times)

    def sentences(self) -> Sequence[str]:
        """Return a sentence each, in the order they were first seen."""
        return [
            f"{seen.times:,} {kind.one if seen.times == 1 else kind.several}"
            f"{f' ({seen.example})' if seen.example else ''}."
            for kind, seen in self._seen.items()
        ]


def note_repeated(
    all_keys: Sequence[Key], kept: Collection[Key], where: str, warnings: DataWarnings
) -> None:
    """Note keys that stand twice in one object, where the last counts."""
    if len(all_keys) == len(kept):
        return
    lost = Counter(all_keys) - Counter(list(kept))
    example = f"{where}, {shorten(next(iter(lost)), _SHOWN)}"
    warnings.add(REPEATED_IDS, example, lost.total())
