"""The access report as plain values (spec §2.1): who holds which level where.

A report has tens of thousands of people and millions of memberships, so nothing here stands
for all of them: a person and a place are known by their row, and become values when asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

LEVELS: tuple[str, ...] = (
    "NO_ACCESS",
    "MINIMAL_ACCESS",
    "GUEST",
    "PLANNER",
    "REPORTER",
    "DEVELOPER",
    "MAINTAINER",
    "OWNER",
    "ADMIN",
)
"""The levels whose order is known, lowest first; the spec has seen four of them."""

CAVEATS: tuple[str, ...] = (
    "A roll-up of daily snapshots over a period: the highest level that each person held.",
    "For usage utilization, not for security auditing.",
    "Data exists only since the organization opted in to reporting.",
)
"""What the report is not (spec §2.1, rules 1 to 3): said wherever it is shown or exported."""


@dataclass(frozen=True, slots=True)
class ReportInfo:
    """One saved report."""

    id: str  # Its folder: when it came and what it holds, so that ids in order are reports in order
    fetched_at: datetime  # When its last byte came (UTC)
    origin: str  # Host of the administration API it came from, or name of the file; clean text
    size: int  # Bytes of JSON
    digest: str  # SHA-256 of the JSON, hexadecimal
    etag: str  # What the platform calls this version of it; empty where it says nothing
    people: int  # Those that `users` lists
    groups: int
    projects: int
    memberships: int
    levels: tuple[tuple[str, int], ...]
    """Memberships by level, lowest level first; names that are not in `LEVELS` before those."""
    warnings: tuple[str, ...] = ()
    """What was strange in it and how it was read, a sentence each; clean text."""


class Person(NamedTuple):
    """A user entry. All text is clean."""

    row: int
    id: int
    name: str
    username: str
    email: str
    state: str
    identity: str | None  # `service_identity_uuid`
    is_listed: bool  # False: memberships name this id, and `users` lacks it; all text is empty
    highest: str
    """The highest level held anywhere; empty: holds none, or memberships are not read yet."""
    counts: tuple[int, ...]
    """Memberships by level, as `AccessReport.levels`; empty: they are not read yet."""


PlaceKind = Literal["group", "project"]


class AccessPlace(NamedTuple):
    """A group entry or a project entry. All text is clean."""

    row: int
    id: int
    kind: PlaceKind
    name: str
    path: str
    depth: int  # 0: a group that lies in no other
    parent: int | None  # Row of the group it lies in
    members: int  # Direct memberships
    groups: int  # Groups below it, at any depth
    projects: int  # Projects below it, at any depth


class Membership(NamedTuple):
    """One membership: a person, a place, and the highest level held there in the period."""

    person: int  # Row
    place: int  # Row
    level: str
    is_inherited: bool
    """A group above lists the same person with at least this level.

    The report does not say where a level comes from; this is what can be seen from it.
    """
    effective: str = ""
    """The highest level held in the place or in a group above it; empty: that was not asked for."""
    held_at: int = -1  # Row where that is held: the outermost of those above, else the place itself

    def is_direct_in(self, place: int) -> bool:
        """Return whether a place itself lists the level that counts; a group above may, too."""
        return self.place == place and self.level == self.effective


class PeopleOrder(Enum):
    """How people are sorted; ties are in order of the file where nothing else is said."""

    FILE = "file"
    NAME = "name"
    USERNAME = "username"
    DOMAIN = "domain"
    STATE = "state"
    HIGHEST = "highest"
    """Highest level first, then by name; by name alone while nobody has a level yet."""
    MEMBERSHIPS = "memberships"  # Most first


DEFAULT_ORDER: Final = PeopleOrder.HIGHEST
"""How people stand, on screen, in a command's table and in a file, where nobody says otherwise."""


class Facet(NamedTuple):
    """A value that a term can ask for, and how many of the people found have it.

    `access_terms.term_of` makes a term of it.
    """

    value: str
    people: int


@dataclass(frozen=True, slots=True)
class PeopleResult:
    """The people that a search finds."""

    query: str
    rows: Sequence[int]  # In the order asked for
    memberships: int
    """Of these people, those that `level:`, `group:` and `project:` name; all of theirs where
    the query has none of these."""
    levels: tuple[Facet, ...]  # By highest level, highest first, `none` last: `highest:`
    states: tuple[Facet, ...]  # Of those listed, most first; `none`: nothing is told: `state:`
    domains: tuple[Facet, ...]
    """Of the e-mail addresses of those listed, most first, 20 at most; `none`: no address, or
    none with a domain: `domain:`."""
    identities: tuple[Facet, ...]
    """Of those listed, with (`any`) and without (`none`) a service identity: `identity:`."""


class AccessReport(Protocol):
    """One report, opened. Rows are small numbers that hold for this report only.

    What takes rows or returns counts answers at once. What searches may take some 30 ms, goes
    in slices that let other threads run, and belongs in a thread.
    """

    info: ReportInfo
    """What it is; while it is being read, numbers of what was read so far."""
    levels: tuple[str, ...]
    """All levels that occur, lowest first."""

    @property
    def is_whole(self) -> bool:
        """Return False for one that is still being read.

        Its people and places are known already; memberships are not, and nobody has a level.
        """

    @property
    def person_count(self) -> int: ...

    @property
    def place_count(self) -> int: ...

    @property
    def max_memberships(self) -> int:
        """Return how many memberships one person has at most; some 10 ms when first asked."""

    def person(self, row: int) -> Person: ...

    def place(self, row: int) -> AccessPlace: ...

    def children(self, place: int | None) -> Sequence[int]:
        """Return the rows directly in a group, groups first; of None those in no other."""

    def memberships_of(self, person: int) -> Sequence[Membership]:
        """Return all memberships of a person, in the order of places."""

    def members_of(self, place: int) -> Sequence[Membership]:
        """Return the direct memberships of a place, highest level first."""

    def inherited_members(self, place: int) -> Sequence[Membership]:
        """Return the members of the groups above a place whom it does not list itself.

        Each stands once, as held in the group of `held_at`; the highest level comes first.
        """

    def all_members(self, place: int) -> Sequence[Membership]:
        """Return `members_of` and `inherited_members`, the highest level that counts first."""

    def level_counts(self, place: int | None) -> tuple[int, ...]:
        """Return memberships by level, as `levels`, in a place and all below; None: everywhere."""

    def person_row(self, id_: int) -> int | None:
        """Return the row of the person with an id; None: the report has none."""

    def place_row(self, kind: PlaceKind, id_: int) -> int | None:
        """Return the row of the first group, or project, with an id; None: there is none."""

    def find_person(self, word: str) -> int | None:
        """Return the row of a user name, an e-mail address or an id; None: nobody, or several."""

    def find_place(self, word: str) -> int | None:
        """Return the row of a full path or an id; None: none, or several."""

    def people(self, query: str, order: PeopleOrder) -> PeopleResult:
        """Return the people that the terms of a query find.

        Raises TermError: it cannot be read; nothing was searched.
        """

    def places(self, query: str) -> Sequence[int]:
        """Return the groups and projects that the terms of a query find, in order of rows.

        Raises TermError: it cannot be read; nothing was searched.
        """

    def unmatched(self, query: str) -> tuple[str, ...]:
        """Return a sentence for each value in a query on people that nobody has: a slip, perhaps.

        Raises TermError: it cannot be read.
        """

    def unmatched_places(self, query: str) -> tuple[str, ...]:
        """Return a sentence for each value in a query on places that leads to none.

        Raises TermError: it cannot be read.
        """
