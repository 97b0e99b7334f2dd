"""On-disk format of a report: flat little-endian arrays; places are numbered depth-first."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path
from typing import Annotated, Final, Literal, get_args, get_type_hints

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple


class ArrayKind(NamedTuple):
    code: Literal["B", "H", "I", "Q", "i", "q"]  # As in `memoryview.cast`
    stage: int  # 1: people and places; 2: memberships; 3: memberships by person
    rows: str = ""  # Array with the same number of rows; empty: no rows
    edges_of: str = ""  # Array whose row starts this one holds, plus its end
    is_by_level: bool = False  # Whether each row has one number per level


NO_LEVEL: Final = 255  # No membership
GROUP: Final = 0  # In `place_kind`
PROJECT: Final = 1
FIELD_END: Final = "\x1f"  # After each field of a text
NULL: Final = "\0"  # A null field, if different from an empty one


@dataclass(frozen=True, slots=True)
class ReportArrays:
    """The mapped arrays of one report. P people, L places, M memberships, K levels."""

    person_id: Annotated[memoryview, ArrayKind("q", 1)]  # P: id as in the file
    person_at: Annotated[memoryview, ArrayKind("Q", 1, "person_id", "person_text")]
    """P + 1: start of each person's text in `person_text`, and the end."""
    person_text: Annotated[memoryview, ArrayKind("B", 1)]
    """UTF-8: name, user name, e-mail and identity, each ended by U+001F; null is U+0000."""
    person_fold: Annotated[memoryview, ArrayKind("B", 1)]
    """UTF-8: the same cleaned and case-folded, a line per person ended by U+000A, for searching."""
    person_fold_at: Annotated[memoryview, ArrayKind("Q", 1, "person_id", "person_fold")]
    """P + 1: start of each person's line in `person_fold`, and the end."""
    person_state: Annotated[memoryview, ArrayKind("H", 1, "person_id")]
    """P: index into the states of the report."""
    person_domain: Annotated[memoryview, ArrayKind("I", 1, "person_id")]
    """P: index into the e-mail domains of the report; 0 is no domain."""
    place_id: Annotated[memoryview, ArrayKind("q", 1)]  # L: id as in the file
    place_kind: Annotated[memoryview, ArrayKind("B", 1, "place_id")]  # L: 0 group, 1 project
    place_parent: Annotated[memoryview, ArrayKind("i", 1, "place_id")]
    """L: row of the parent group; -1: none."""
    place_depth: Annotated[memoryview, ArrayKind("H", 1, "place_id")]  # L: groups above it
    place_end: Annotated[memoryview, ArrayKind("I", 1, "place_id")]
    """L: row after the last descendant."""
    place_at: Annotated[memoryview, ArrayKind("Q", 1, "place_id", "place_text")]
    """L + 1: start of each place's text in `place_text`, and the end."""
    place_text: Annotated[memoryview, ArrayKind("B", 1)]
    """UTF-8: name and full path, each ended by U+001F, as `person_text`."""
    place_fold: Annotated[memoryview, ArrayKind("B", 1)]
    """UTF-8: the same folded, one line per place, as `person_fold`."""
    place_fold_at: Annotated[memoryview, ArrayKind("Q", 1, "place_id", "place_fold")]
    """L + 1: start of each place's line in `place_fold`, and the end."""
    place_first: Annotated[memoryview, ArrayKind("Q", 2, "place_id", "member_person")]
    """L + 1: first membership of each place; a subtree is one range."""
    member_person: Annotated[
        memoryview, ArrayKind("I", 2)
    ]  # M: row of the person, in order of places
    member_level: Annotated[memoryview, ArrayKind("B", 2, "member_person")]
    """M: index into the levels, lowest first"""
    person_highest: Annotated[memoryview, ArrayKind("B", 3, "person_id")]
    """P: index into the levels, or `NO_LEVEL`"""
    person_counts: Annotated[memoryview, ArrayKind("I", 3, "person_id", is_by_level=True)]
    """P x K: memberships by level, K numbers per person."""
    person_first: Annotated[memoryview, ArrayKind("Q", 3, "person_id", "member_person")]
    """P + 1: first membership of each person in `person_held`."""
    person_held: Annotated[memoryview, ArrayKind("I", 3, "member_person")]
    """M: place row x K + level, by person, in order of places."""

    @property
    def is_whole(self) -> bool:
        """Return whether memberships are available."""
        return bool(len(self.person_first))


KINDS: Final[dict[str, ArrayKind]] = {
    name: get_args(hint)[1]
    for name, hint in get_type_hints(ReportArrays, include_extras=True).items()
}


def array_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.bin"


def open_arrays(folder: Path, stage: int = 3) -> ReportArrays:
    """Return the arrays available at a stage. Raises OSError: not readable; ValueError: damaged."""
    views = {
        name: _mapped(folder, name) if kind.stage <= stage else _NONE
        for name, kind in KINDS.items()
    }
    return ReportArrays(**views)


def load_pages(view: memoryview) -> None:
    """Touch all pages of an array, since the first access to a page is slow."""
    data = view.cast("B")
    for first in range(0, len(data), _TOUCHED):
        bytes(data[first : first + _TOUCHED : mmap.PAGESIZE])


_NONE: Final = memoryview(b"")
_TOUCHED: Final = 1 << 20  # Bytes that are touched at once
_MAPPED_FROM: Final = 1 << 18  # Bytes from which a file is mapped; each map holds a file descriptor


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
