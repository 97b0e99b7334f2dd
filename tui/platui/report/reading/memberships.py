"""Read the memberships and levels of all places."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain, islice, pairwise, repeat
from operator import attrgetter, call, mod
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Raw
from msgspec.json import Decoder, decode, encode

from platui.core.errors import ReportError
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.access import LEVELS
from platui.report.arrays import NO_LEVEL
from platui.report.reading.draft import Draft, Numbers
from platui.report.reading.faults import (
    dotted,
    inner_path,
    invalid_id,
    not_unicode,
    note_repeated,
    wrong_shape,
)
from platui.report.reading.schema import JsonText, Key, Member, decoder

if TYPE_CHECKING:
    from platui.report.reading.faults import DataWarnings
    from platui.report.reading.people_and_places import Places


_MOST_LEVELS: Final = 254
_FORGOTTEN: Final = 1 << 23  # Bytes of JSON after which read pages are released


class _Rows(dict[int, int]):
    """The row of each person by id; unlisted people get the next rows."""

    def __init__(self, listed: Sequence[int]) -> None:
        super().__init__(zip(listed, range(len(listed)), strict=True))
        self.unlisted = array("q")

    def __missing__(self, number: int) -> int:
        if not -(2**63) <= number < 2**63:
            raise KeyError(number)
        self[number] = row = len(self)
        self.unlisted.append(number)
        return row


class Memberships(NamedTuple):
    """All memberships, in the order of places."""

    first: array[int]  # First membership of each place, and the end
    person: array[int]
    level: bytes
    levels: tuple[str, ...]  # Lowest first; clean
    unlisted: Sequence[int]  # Ids of people not in `users`, in the order of their rows


def read_memberships(
    text: JsonText,
    places: Places,
    listed: Sequence[int],
    warnings: DataWarnings,
    on_progress: Callable[[float], None],
) -> Memberships:
    """Read the memberships of all places. Raises ReportError: invalid structure, many levels."""
    first, person = array("Q", [0]), array("I")
    many = f"The report has more than {_MOST_LEVELS} different access levels."
    rows, codes = _Rows(listed), Numbers(clean, _MOST_LEVELS, many)
    level_of = attrgetter("max_access_level")
    levels = bytearray()
    done = forgotten = 0
    for row in range(len(places.ids)):
        members = bytes(places.members.popleft())
        try:
            entries = _MEMBERS.decode(members) or {}
            person.extend(map(rows.__getitem__, entries))
        except (msgspec.ValidationError, UnicodeDecodeError, KeyError) as error:
            raise _fault(text, members, [*places.path(row), "members"], error) from error
        levels += bytes(map(codes.__getitem__, map(level_of, entries.values())))
        if members.count(b"{") > len(entries) + 1:
            keys: list[Key] = []
            decoder(dict[Key, Raw], keys.append).decode(members)
            note_repeated(keys, {*keys}, dotted([*places.path(row), "members"]), warnings)
        first.append(len(person))
        done += len(members)
        if done - forgotten >= _FORGOTTEN:
            forgotten = done
            text.forget()
        on_progress(done / text.size)
    unknown = sorted(codes.shown.keys() - set(LEVELS))
    ordered = (*unknown, *(level for level in LEVELS if level in codes.shown))
    table = bytearray(256)
    for number, level in enumerate(ordered):
        table[codes.shown[level]] = number
    return Memberships(first, person, bytes(levels.translate(table)), ordered, rows.unlisted)


_MEMBERS: Final = Decoder(dict[int, Member] | None)


def _fault(
    text: JsonText,
    members: bytes,
    path: list[str],
    error: msgspec.ValidationError | UnicodeDecodeError | KeyError,
) -> ReportError:
    if isinstance(error, UnicodeDecodeError):
        return not_unicode(text)
    if isinstance(error, KeyError):  # not of 64 bits
        return invalid_id([*path, str(error)])
    if not members.lstrip().startswith(b"{"):
        return wrong_shape(error, path)
    for key, raw in decode(members, type=dict[str, Raw]).items():
        try:
            _MEMBERS.decode(encode({key: raw}))
        except msgspec.ValidationError as one:
            return wrong_shape(one, [*path, key, *inner_path(one)[1:]])
    return wrong_shape(error, path)  # the invalid entry was a duplicate


_SLICE: Final = 1 << 18  # Memberships between two progress reports
_CODES: Final = 1 << 32  # Pairs of a place and a level that `person_held` can represent


def write_by_person(
    found: Memberships, people: int, draft: Draft, on_progress: Callable[[float], None]
) -> None:
    """Write the arrays by person. Raises ReportError: too many places and levels; OSError."""
    kinds = len(found.levels)
    if (len(found.first) - 1) * kinds > _CODES:
        raise ReportError(f"The report has more than {_CODES // kinds:,} groups and projects.")
    own = [array("I") for _ in range(people)]
    appenders = [one.append for one in own]
    total = len(found.person)
    held = _held(found)
    # The fastest way without a dependency, 0.2 µs per membership, and without sorting.
    for start in range(0, total, _SLICE):
        end = min(start + _SLICE, total)
        rows = memoryview(found.person)[start:end]
        deque(map(call, map(appenders.__getitem__, rows), islice(held, end - start)), maxlen=0)
        on_progress(end / total / 2)
    del appenders
    first = array("Q", accumulate(map(len, own), initial=0))
    codes = array("I", b"".join(own))
    del own
    draft.put("person_first", first)
    draft.put("person_held", codes)
    on_progress(0.6)
    levels = bytes(map(mod, codes, repeat(kinds)))
    on_progress(0.8)
    _write_counts(levels, first, kinds, draft)


def _held(found: Memberships) -> Iterator[int]:
    """Yield place and level of each membership as one number (`person_held`)."""
    kinds, levels, edges = len(found.levels), memoryview(found.level), found.first
    return chain.from_iterable(
        map((place * kinds).__add__, levels[first:end])
        for place, (first, end) in enumerate(pairwise(edges))
    )


def _write_counts(levels: bytes, first: array[int], kinds: int, draft: Draft) -> None:
    """Write counts by level and the highest level; `first` has each person's first membership."""
    counts = array("I")
    highest = bytearray()
    codes = range(kinds)
    for start, end in zip(first, memoryview(first)[1:], strict=False):
        held = levels[start:end]
        counts.extend(map(held.count, codes))
        highest.append(max(held, default=NO_LEVEL))
    draft.put("person_counts", counts)
    draft.put("person_highest", highest)
