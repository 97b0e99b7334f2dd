"""Rows of people and places as values, and lookup by id or name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from struct import pack
from typing import Final

from platui.core.text import clean
from platui.models.values.access import AccessPlace, Person, PlaceKind
from platui.report.arrays import FIELD_END, GROUP, NO_LEVEL, NULL
from platui.report.queries import row_masks as masks
from platui.report.queries.columns import EMAIL, PATH, USERNAME, ReportColumns
from platui.report.queries.matching import TextTest, fold
from platui.report.queries.text_lines import TextLines, searchable

_ID: Final = re.compile(r"-?\d{1,19}", re.ASCII)


class ReportRows:
    def __init__(self, report: ReportColumns) -> None:
        self._report = report
        self._kinds = bytes(report.arrays.place_kind)

    def person(self, row: int) -> Person:
        arrays = self._report.arrays
        name, username, email, identity = _texts(arrays.person_text, arrays.person_at, row, 4)
        is_listed = row < self._report.people.listed_count
        highest = ""
        counts: tuple[int, ...] = ()
        if arrays.is_whole:
            levels = self._report.levels
            level = arrays.person_highest[row]
            highest = "" if level == NO_LEVEL else levels[level]
            counts = tuple(arrays.person_counts[row * len(levels) : (row + 1) * len(levels)])
        return Person(
            row=row,
            id=arrays.person_id[row],
            name=clean(name),
            username=clean(username),
            email=clean(email),
            state=self._report.states[arrays.person_state[row]] if is_listed else "",
            identity=clean(identity) if is_listed and identity != NULL else None,
            is_listed=is_listed,
            highest=highest,
            counts=counts,
        )

    def place(self, row: int) -> AccessPlace:
        arrays = self._report.arrays
        name, path = _texts(arrays.place_text, arrays.place_at, row, 2)
        parent = arrays.place_parent[row]
        end = arrays.place_end[row]
        projects = self._kinds.count(1, row + 1, end)
        members = 0
        if arrays.is_whole:
            members = arrays.place_first[row + 1] - arrays.place_first[row]
        return AccessPlace(
            row=row,
            id=arrays.place_id[row],
            kind="group" if self._kinds[row] == GROUP else "project",
            name=clean(name),
            path=clean(path),
            depth=arrays.place_depth[row],
            parent=None if parent < 0 else parent,
            members=members,
            groups=end - row - 1 - projects,
            projects=projects,
        )

    def children(self, place: int | None) -> Sequence[int]:
        """Return the rows directly in a group, groups first; None: the top-level groups."""
        ends = self._report.arrays.place_end
        at, end = (0, len(self._kinds)) if place is None else (place + 1, ends[place])
        groups: list[int] = []
        projects: list[int] = []
        while at < end:
            (groups if self._kinds[at] == GROUP else projects).append(at)
            at = ends[at]
        return [*groups, *projects]

    def person_row(self, id_: int) -> int | None:
        return next(_with_number(self._report.arrays.person_id, str(id_)), None)

    def place_row(self, kind: PlaceKind, id_: int) -> int | None:
        wanted = GROUP if kind == "group" else 1 - GROUP
        rows = _with_number(self._report.arrays.place_id, str(id_))
        return next((row for row in rows if self._kinds[row] == wanted), None)

    def find_person(self, word: str) -> int | None:
        report, text = self._report, fold(word.strip())
        return _find(report.arrays.person_id, report.people.text, (USERNAME, EMAIL), text)

    def find_place(self, word: str) -> int | None:
        report, text = self._report, fold(word.strip()).strip("/")
        return _find(report.arrays.place_id, report.places.text, (PATH,), text)


def _find(ids: memoryview, lines: TextLines, fields: Sequence[int], text: str) -> int | None:
    """Return the row with an id or the text of a field; None: not found or ambiguous."""
    rows = {*_with_number(ids, text), *_with_field(lines, fields, text)}
    return rows.pop() if len(rows) == 1 else None


def _texts(text: memoryview, starts: memoryview, row: int, count: int) -> list[str]:
    data = bytes(text[starts[row] : starts[row + 1]])
    return data.decode("utf-8", "replace").split(FIELD_END, count)[:count]


def _with_number(numbers: memoryview, word: str) -> Iterator[int]:
    """Yield the rows with a number, by searching its bytes."""
    if not _ID.fullmatch(word) or not -(2**63) <= int(word) < 2**63:
        return
    wanted, data = pack("<q", int(word)), searchable(numbers.cast("B"))
    at = data.find(wanted)
    while at >= 0:
        row, rest = divmod(at, len(wanted))
        if not rest:  # else the bytes span two numbers
            yield row
        at = data.find(wanted, at + 1)


def _with_field(lines: TextLines, fields: Sequence[int], text: str) -> Iterator[int]:
    if not text:
        return
    # Search between field ends, so that only hits must be split.
    found = lines.having(TextTest(f"{FIELD_END}{text}{FIELD_END}", None))
    for row in masks.rows_of(found, lines.count):
        texts = lines.line(row).split(FIELD_END)
        if any(texts[field] == text for field in fields):
            yield row
