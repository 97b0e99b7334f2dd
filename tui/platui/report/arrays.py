"""How a report lies on disk: flat arrays, one file each, mapped rather than read.

People have a row in the order of `users`, then one for each id that only memberships name.
Places (groups and projects) have a row in the order of a walk: a group, its projects, its
subgroups with all of theirs; so all that lies in a group is one range of rows, and their
memberships are one range of memberships. Numbers are little-endian.
"""

from __future__ import annotations

import mmap
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, get_args, get_type_hints

if TYPE_CHECKING:
    from pathlib import Path


class ArrayKind(NamedTuple):
    """What one array holds."""

    code: Literal["B", "H", "I", "Q", "i", "q"]  # As in `memoryview.cast`
    stage: int  # 1: there as soon as people and places are known; 2: memberships too; 3: by person
    rows: str = ""  # Array with a number for each row, as this one has; empty: it has no rows
    edges_of: str = ""  # Array in which rows begin where this one says; its end comes as one more
    is_by_level: bool = False  # Whether a row has a number for each level


NO_LEVEL: Final = 255
"""In `person_highest`: holds nothing anywhere."""


@dataclass(frozen=True, slots=True)
class ReportArrays:
    """The arrays of one report, mapped. P people, L places, M memberships, K levels."""

    person_id: Annotated[memoryview, ArrayKind("q", 1)]  # P: id as in the file
    person_at: Annotated[memoryview, ArrayKind("Q", 1, "person_id", "person_text")]
    """P + 1: where each person's text begins in `person_text`, and the end."""
    person_text: Annotated[memoryview, ArrayKind("B", 1)]
    """UTF-8: name, user name, e-mail and identity, each ended by U+001F.

    Nothing is cleaned, but where a text itself has U+001F that stands as U+FFFD. Where
    identity is null its field is U+0000 alone.
    """
    person_fold: Annotated[memoryview, ArrayKind("B", 1)]
    """UTF-8: the same as it is shown and compared, a line a person, for searching.

    Each text through `core.text.clean` and `str.casefold`, so that none has a control character,
    and ended by U+001F; each line ended by U+000A. Null is U+0000 alone, as above.
    """
    person_fold_at: Annotated[memoryview, ArrayKind("Q", 1, "person_id", "person_fold")]
    """P + 1: where each person's line begins in `person_fold`, and the end."""
    person_state: Annotated[memoryview, ArrayKind("H", 1, "person_id")]
    """P: index into the states of the report."""
    person_domain: Annotated[memoryview, ArrayKind("I", 1, "person_id")]
    """P: index into the e-mail domains of the report; 0 is no domain."""
    place_id: Annotated[memoryview, ArrayKind("q", 1)]  # L: id as in the file
    place_kind: Annotated[memoryview, ArrayKind("B", 1, "place_id")]  # L: 0 group, 1 project
    place_parent: Annotated[memoryview, ArrayKind("i", 1, "place_id")]
    """L: row of the group it lies in; -1: in none."""
    place_depth: Annotated[memoryview, ArrayKind("H", 1, "place_id")]  # L: groups above it
    place_end: Annotated[memoryview, ArrayKind("I", 1, "place_id")]
    """L: the row after the last that lies in it."""
    place_at: Annotated[memoryview, ArrayKind("Q", 1, "place_id", "place_text")]
    """L + 1: where each place's text begins in `place_text`, and the end."""
    place_text: Annotated[memoryview, ArrayKind("B", 1)]
    """UTF-8: name and full path, each ended by U+001F, otherwise as `person_text`."""
    place_fold: Annotated[memoryview, ArrayKind("B", 1)]
    """UTF-8: the same as it is shown and compared, a line a place, as in `person_fold`."""
    place_fold_at: Annotated[memoryview, ArrayKind("Q", 1, "place_id", "place_fold")]
    """L + 1: where each place's line begins in `place_fold`, and the end."""
    place_first: Annotated[memoryview, ArrayKind("Q", 2, "place_id", "member_person")]
    """L + 1: where each place's memberships begin; those of a subtree are one range."""
    member_person: Annotated[
        memoryview, ArrayKind("I", 2)
    ]  # M: row of the person, in order of places
    member_level: Annotated[memoryview, ArrayKind("B", 2, "member_person")]
    """M: index into the levels of the report, lowest first."""
    person_highest: Annotated[memoryview, ArrayKind("B", 3, "person_id")]
    """P: index into the levels, or `NO_LEVEL`."""
    person_counts: Annotated[memoryview, ArrayKind("I", 3, "person_id", is_by_level=True)]
    """P x K: memberships of each level, a person's K numbers beside each other."""
    person_first: Annotated[memoryview, ArrayKind("Q", 3, "person_id", "member_person")]
    """P + 1: where each person's memberships begin in `person_held`."""
    person_held: Annotated[memoryview, ArrayKind("I", 3, "member_person")]
    """M: row of the place x K + level, each person's beside each other, in order of places."""

    @property
    def is_whole(self) -> bool:
        """Return whether memberships are there, and those of each person known."""
        return bool(len(self.person_first))


KINDS: Final[dict[str, ArrayKind]] = {
    name: get_args(hint)[1]
    for name, hint in get_type_hints(ReportArrays, include_extras=True).items()
}


def array_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.bin"


def open_arrays(folder: Path, stage: int = 3) -> ReportArrays:
    """Return the arrays of a report that are there at a stage; the others are empty.

    Large ones are mapped. Raises OSError: a file is missing or cannot be read; ValueError: a
    file is not of whole numbers.
    """
    views = {
        name: _mapped(folder, name) if kind.stage <= stage else _NONE
        for name, kind in KINDS.items()
    }
    return ReportArrays(**views)


def load_pages(view: memoryview) -> None:
    """Get all pages of an array, half a millisecond for a million numbers.

    A page that is met for the first time takes longer than an answer that needs one of each of
    some arrays. Other threads run in between, where the disk is slow.
    """
    data = view.cast("B")
    for first in range(0, len(data), _TOUCHED):
        bytes(data[first : first + _TOUCHED : mmap.PAGESIZE])


_NONE: Final = memoryview(b"")
_TOUCHED: Final = 1 << 20  # Bytes that are touched at once
_MAPPED_FROM: Final = 1 << 18
"""Bytes from which a file is mapped: a map holds a descriptor until nothing refers to it."""


def _mapped(folder: Path, name: str) -> memoryview:
    with array_path(folder, name).open("rb") as file:
        size = file.seek(0, 2)
        if not size:
            return _NONE  # cannot be cast
        if size >= _MAPPED_FROM:
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        else:
            file.seek(0)
            whole = memoryview(file.read())
    try:
        return whole.cast(KINDS[name].code)
    except TypeError as error:
        raise ValueError(f"{name} is damaged") from error


if sys.byteorder != "little":  # pragma: no cover  (no machine we know of)
    raise ImportError("The access report's files are little-endian.")
