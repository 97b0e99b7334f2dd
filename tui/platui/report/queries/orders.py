"""Sort orders of people, computed once and in slices."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import compress
from typing import Any, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.access import PeopleOrder
from platui.report.arrays import NO_LEVEL
from platui.report.queries import row_masks as masks
from platui.report.queries.columns import NAME, USERNAME, ReportColumns
from platui.report.queries.matching import fold

_AT_ONCE: Final = 4096  # Approximate rows per sort call, which no other thread can interrupt

_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_LAST: Final = b"\xff"  # Sorts after any text: not valid in UTF-8

_FEW: Final = 8  # Below one row in this many, found rows are sorted; else all are filtered in order

_SAMPLES: Final = 16  # Sampled keys per piece, for pieces of about equal size


class _Order(NamedTuple):
    rows: array[int]  # All people, in order
    ranks: array[int]  # Rank of each row


class PeopleOrders:
    def __init__(self, report: ReportColumns) -> None:
        self._report = report
        self._kept: dict[PeopleOrder, _Order] = {}

    def rows(self, people: int, order: PeopleOrder) -> Sequence[int]:
        count = self._report.people.count
        if order is PeopleOrder.FILE:
            return masks.rows_of(people, count)
        kept = self._order(order)
        if people == self._report.people.all_rows:
            return kept.rows
        if masks.size(people) < min(_AT_ONCE, count // _FEW):
            found = masks.rows_of(people, count)
            return array("I", sorted(found, key=kept.ranks.__getitem__))
        flags = masks.flags(people, count)
        rows = array("I")
        for first, end in masks.slices(count):
            part = kept.rows[first:end]
            rows.extend(compress(part, map(flags.__getitem__, part)))
        return rows

    def _order(self, order: PeopleOrder) -> _Order:
        if order not in self._kept:
            is_by_level = order is PeopleOrder.HIGHEST
            rows = self._by_highest() if is_by_level else sorted_rows(self._keys(order))
            ranks = array("I", rows)
            for rank, row in enumerate(rows):
                ranks[row] = rank
            self._kept[order] = _Order(rows, ranks)
        return self._kept[order]

    def _keys(self, order: PeopleOrder) -> Sequence[Any]:
        people = self._report.people
        match order:
            case PeopleOrder.DOMAIN:
                return self._named(people.domains, self._report.domains)
            case PeopleOrder.STATE:
                return self._named(people.states, self._report.states)
            case PeopleOrder.MEMBERSHIPS:
                return array("q", (-count for count in people.memberships))
            case _:
                return self._texts(NAME if order is PeopleOrder.NAME else USERNAME)

    def _texts(self, field: int) -> list[bytes]:
        """Return a key per person: empty texts last, accents ignored."""
        keys: list[bytes] = []
        for piece in self._report.people.field(field).pieces():
            lines = _without_accents(piece).split(b"\n")[:-1]
            keys += [line or _LAST for line in lines]
        return keys

    def _named(self, column: masks.Column, names: Sequence[str]) -> list[int]:
        """Return the rank of each person's value; missing ones and unlisted people come last."""
        folded = [fold(name) for name in names]
        ranked = sorted(range(len(names)), key=lambda index: (not folded[index], folded[index]))
        ranks = {index: rank for rank, index in enumerate(ranked)}
        last = len(names)
        listed = masks.size(self._report.people.listed)
        return [
            ranks.get(number, last) if row < listed else last for row, number in enumerate(column)
        ]

    def _by_highest(self) -> array[int]:
        """Return all rows by level, then by name, bucketed instead of sorted."""
        highest = list(self._report.people.highest)
        dealt: defaultdict[int, list[int]] = defaultdict(list)
        for row in self._order(PeopleOrder.NAME).rows:
            dealt[highest[row]].append(row)
        last = dealt.pop(NO_LEVEL, [])
        rows = array("I")
        for level in sorted(dealt, reverse=True):
            rows.extend(dealt[level])
        rows.extend(last)
        return rows


def _without_accents(text: bytes) -> bytes:
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text.decode("utf-8", "replace"))
    return _ACCENTS.sub("", apart).encode("utf-8", "replace")


def sorted_rows(keys: Sequence[Any]) -> array[int]:
    """Return rows in a stable order of their keys; pieces keep each sort call short."""
    count = len(keys)
    pieces = count // _AT_ONCE + 1
    step = max(1, count // (pieces * _SAMPLES))
    bounds = sorted(keys[::step])[_SAMPLES - 1 :: _SAMPLES]
    dealt: defaultdict[int, list[int]] = defaultdict(list)
    for row, key in enumerate(keys):
        dealt[bisect_right(bounds, key)].append(row)
    rows = array("I")
    for piece in sorted(dealt):
        # Equal keys are in order already, which sorting detects quickly.
        rows.extend(sorted(dealt[piece], key=keys.__getitem__))
    return rows
