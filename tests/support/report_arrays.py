"""A report opened out of plain Python data, without a file, and the same data as lists.

Nothing of the product's reader is used: what it writes can be checked against this.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from platui.core.text import clean
from platui.models.values.access import LEVELS, ReportInfo
from platui.report.arrays import KINDS, NO_LEVEL, ReportArrays
from platui.report.open_report import OpenedReport
from platui.report.saved_report import SavedReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class PlainPerson(NamedTuple):
    """A user entry."""

    id: int
    name: str = ""
    username: str = ""
    email: str = ""
    state: str = "active"
    identity: str | None = None


@dataclass
class PlainPlace:
    """A group entry, or a project entry (`is_project`), with what lies in it."""

    id: int
    name: str
    path: str
    members: Mapping[int, str] = field(default_factory=dict)
    """Level by the person's id."""
    projects: Sequence[PlainPlace] = ()
    groups: Sequence[PlainPlace] = ()
    is_project: bool = False


class PlainMembership(NamedTuple):
    """A person's row, a place's row and a level."""

    person: int
    place: int
    level: str


@dataclass
class PlainReport:
    """A report as lists, by rows."""

    people: list[PlainPerson]
    """Those listed, then those only referred to."""
    listed: int
    places: list[PlainPlace] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    memberships: list[PlainMembership] = field(default_factory=list)
    levels: list[str] = field(default_factory=list)
    """Lowest first, unknown ones before."""

    def opened(self, stage: int = 3) -> OpenedReport:
        """Return it opened: whole, or at stage 1, when memberships are not known."""
        states = list(dict.fromkeys(person.state for person in self.people))
        domains = list(dict.fromkeys(["", *map(domain_of, self.people)]))
        counts = [sum(one.level == level for one in self.memberships) for level in self.levels]
        info = ReportInfo(
            id="20260301T000000Z-abc",
            fetched_at=datetime(2026, 3, 1, 12, tzinfo=UTC),
            origin="admin.example",
            size=1000,
            digest="abc",
            etag="",
            people=self.listed,
            groups=sum(not place.is_project for place in self.places),
            projects=sum(place.is_project for place in self.places),
            memberships=len(self.memberships) if stage > 1 else 0,
            levels=tuple(zip(self.levels, counts, strict=True)) if stage > 1 else (),
        )
        columns: dict[str, Iterable[int]] = {
            **self._people(states, domains),
            **self._places(),
            **(self._memberships() if stage > 1 else {}),
        }
        views = {
            name: memoryview(array(kind.code, columns.get(name, ())))
            for name, kind in KINDS.items()
        }
        arrays = ReportArrays(**views)
        return OpenedReport(SavedReport(Path(), arrays, info, tuple(states), tuple(domains)))

    def _people(self, states: list[str], domains: list[str]) -> dict[str, Iterable[int]]:
        rows = [
            (one.name, one.username, one.email, "\0" if one.identity is None else one.identity)
            for one in self.people
        ]
        return {
            "person_id": (one.id for one in self.people),
            "person_state": (states.index(one.state) for one in self.people),
            "person_domain": (domains.index(domain_of(one)) for one in self.people),
            **_texts("person", rows),
        }

    def _places(self) -> dict[str, Iterable[int]]:
        return {
            "place_id": (place.id for place in self.places),
            "place_kind": (place.is_project for place in self.places),
            "place_parent": self.parents,
            "place_depth": self.depths,
            "place_end": self.ends,
            **_texts("place", [(place.name, place.path) for place in self.places]),
        }

    def _memberships(self) -> dict[str, Iterable[int]]:
        own: list[list[int]] = [[] for _ in self.people]
        for number, one in enumerate(self.memberships):
            own[one.person].append(number)
        rank = [self.levels.index(one.level) for one in self.memberships]
        counts = [
            [sum(rank[number] == level for number in numbers) for level in range(len(self.levels))]
            for numbers in own
        ]
        sizes = [len(place.members) for place in self.places]
        return {
            "place_first": _starts(sizes),
            "member_person": (one.person for one in self.memberships),
            "member_level": rank,
            "person_highest": (max((rank[n] for n in one), default=NO_LEVEL) for one in own),
            "person_counts": (count for one in counts for count in one),
            "person_first": _starts(map(len, own)),
            "person_held": (
                self.memberships[number].place * len(self.levels) + rank[number]
                for one in own
                for number in one
            ),
        }


def plain_report(people: Sequence[PlainPerson], groups: Sequence[PlainPlace]) -> PlainReport:
    """Return a report of those listed and of groups with what lies in them."""
    report = PlainReport(list(people), len(people))
    rows = {person.id: row for row, person in enumerate(people)}

    def enter(place: PlainPlace, parent: int, depth: int) -> None:
        row = len(report.places)
        report.places.append(place)
        report.parents.append(parent)
        report.depths.append(depth)
        report.ends.append(0)
        for id_, level in place.members.items():
            if id_ not in rows:
                rows[id_] = len(report.people)
                report.people.append(PlainPerson(id_, state=""))
            report.memberships.append(PlainMembership(rows[id_], row, level))
        for inner in (*place.projects, *place.groups):
            enter(inner, row, depth + 1)
        report.ends[row] = len(report.places)

    for group in groups:
        enter(group, -1, 0)
    held = {one.level for one in report.memberships}
    report.levels = [*sorted(held - {*LEVELS}), *(level for level in LEVELS if level in held)]
    return report


def group(
    id_: int, path: str, members: Mapping[int, str] | None = None, **more: object
) -> PlainPlace:
    """Return a group; its name is the end of its path, unless `name` says otherwise."""
    name = str(more.pop("name", path.rpartition("/")[2]))
    return PlainPlace(id_, name, path, members or {}, **more)  # type: ignore[arg-type]


def project(
    id_: int, path: str, members: Mapping[int, str] | None = None, name: str = ""
) -> PlainPlace:
    """Return a project; its name is the end of its path, unless told otherwise."""
    return PlainPlace(id_, name or path.rpartition("/")[2], path, members or {}, is_project=True)


def domain_of(person: PlainPerson) -> str:
    """Return the folded domain of an e-mail address, or nothing."""
    return clean(person.email.rpartition("@")[2]).casefold() if "@" in person.email else ""


def _texts(kind: str, rows: Sequence[Sequence[str]]) -> dict[str, Iterable[int]]:
    texts = ["".join(text.replace("\x1f", "\ufffd") + "\x1f" for text in row) for row in rows]
    folds = [
        "".join((text if text == "\0" else clean(text).casefold()) + "\x1f" for text in row) + "\n"
        for row in rows
    ]
    return {
        f"{kind}_text": "".join(texts).encode(),
        f"{kind}_at": _starts(len(text.encode()) for text in texts),
        f"{kind}_fold": "".join(folds).encode(),
        f"{kind}_fold_at": _starts(len(text.encode()) for text in folds),
    }


def _starts(sizes: Iterable[int]) -> list[int]:
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    return starts
