"""The access report as plain values (spec §2.1): people, groups, projects, levels.

A report has tens of thousands of people and millions of memberships, so people and places are
addressed by row and become objects only when read.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Final, Literal, Protocol

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple

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
"""Levels of known order, lowest first; the spec shows four of them."""

CAVEATS: tuple[str, ...] = (
    "A summary of daily snapshots over a period: the highest level that each person had.",
    "For utilization, not for security auditing.",
    "Data exists only since the organization opted in to reporting.",
)
"""Limits of the report (spec §2.1, rules 1 to 3), shown wherever it is displayed or exported."""


@dataclass(frozen=True, slots=True)
class ReportInfo:
    """Metadata of one saved report."""

    id: str  # The name of its folder; ids sort by time
    fetched_at: datetime  # When the download ended (UTC)
    origin: str  # Host of the administration API, or file name; clean text
    size: int  # Bytes of JSON
    digest: str  # SHA-256 of the JSON, hexadecimal
    etag: str  # Empty: the platform sent none
    people: int  # Number of entries in `users`
    groups: int
    projects: int
    memberships: int
    levels: tuple[tuple[str, int], ...]
    """Memberships by level, lowest first; unknown levels come before known ones."""
    warnings: tuple[str, ...] = ()
    """Irregularities in the data and how they were read, one sentence each; clean text."""


class Person(NamedTuple):
    """A user entry; all text is clean."""

    row: int
    id: int
    name: str
    username: str
    email: str
    state: str
    identity: str | None  # `service_identity_uuid`
    is_listed: bool  # False: only memberships have this id; all text is empty
    highest: str  # The highest level held anywhere; empty: none, or memberships are not read yet
    counts: tuple[int, ...]
    """Memberships by level, as `AccessReport.levels`; empty until memberships are read."""


PlaceKind = Literal["group", "project"]


class AccessPlace(NamedTuple):
    """A group or project entry; all text is clean."""

    row: int
    id: int
    kind: PlaceKind
    name: str
    path: str
    depth: int  # 0: a top-level group
    parent: int | None  # Row of the parent group
    members: int  # Direct memberships
    groups: int  # Groups below it, at any depth
    projects: int  # Projects below it, at any depth


class Membership(NamedTuple):
    """A person's highest level in a group or project during the period."""

    person: int  # Row
    place: int  # Row
    level: str
    is_inherited: bool
    """Whether a parent group lists the same person with at least this level (inferred)."""
    effective: str = ""  # The highest level in the place or a parent group; empty: not requested
    held_at: int = -1  # Row of the outermost place with that level


class PeopleOrder(Enum):
    """Sort orders of people; ties keep the order of the file."""

    FILE = "file"
    NAME = "name"
    USERNAME = "username"
    DOMAIN = "domain"
    STATE = "state"
    HIGHEST = "highest"
    """Highest level first, then by name; by name alone until memberships are read."""
    MEMBERSHIPS = "memberships"  # Most first


DEFAULT_ORDER: Final = PeopleOrder.HIGHEST


class Facet(NamedTuple):
    """A value that a term can match, and the number of people found with it."""

    value: str
    people: int


@dataclass(frozen=True, slots=True)
class PeopleResult:
    """The people found by a search, with facets."""

    query: str
    rows: Sequence[int]  # In the requested order
    memberships: int  # Memberships selected by `level:`, `group:`, `project:`; without them all
    levels: tuple[Facet, ...]  # For `highest:`; highest first, `none` last
    states: tuple[Facet, ...]  # For `state:`; listed people, most first; `none`: no state
    domains: tuple[Facet, ...]
    """For `domain:`; listed people, most first, at most 20; `none`: no address or no domain."""
    identities: tuple[Facet, ...]
    """For `identity:`; listed people with (`any`) and without (`none`) a service identity."""


class AccessReport(Protocol):
    """An open report; row numbers are valid for this report only.

    Methods that take rows or return counts are fast. Searches take up to 30 ms in slices that let
    other threads run: call them in a thread.
    """

    info: ReportInfo  # While memberships are being read, counts are partial
    levels: tuple[str, ...]  # All levels that occur, lowest first

    @property
    def is_whole(self) -> bool:
        """Return False while memberships are being read; people and places are known."""

    @property
    def person_count(self) -> int: ...

    @property
    def place_count(self) -> int: ...

    @property
    def max_memberships(self) -> int:
        """Return the largest number of memberships of one person; the first call takes 10 ms."""

    def person(self, row: int) -> Person: ...

    def place(self, row: int) -> AccessPlace: ...

    def children(self, place: int | None) -> Sequence[int]:
        """Return the rows directly in a group, groups first; None: the top-level groups."""

    def memberships_of(self, person: int) -> Sequence[Membership]:
        """Return all memberships of a person, in the order of places."""

    def members_of(self, place: int) -> Sequence[Membership]:
        """Return the direct memberships of a place, highest level first."""

    def inherited_members(self, place: int) -> Sequence[Membership]:
        """Return members of parent groups that a place does not list, highest level first."""

    def all_members(self, place: int) -> Sequence[Membership]:
        """Return direct and inherited members, highest effective level first."""

    def level_counts(self, place: int | None) -> tuple[int, ...]:
        """Return memberships by level in a place and its descendants; None: in the whole report."""

    def person_row(self, id_: int) -> int | None: ...

    def place_row(self, kind: PlaceKind, id_: int) -> int | None: ...

    def find_person(self, word: str) -> int | None:
        """Return the row of a user name, e-mail address or id; None: not found or ambiguous."""

    def find_place(self, word: str) -> int | None:
        """Return the row of a full path or id; None: not found or ambiguous."""

    def people(self, query: str, order: PeopleOrder) -> PeopleResult:
        """Return the people that match a query. Raises TermError: the query is invalid."""

    def places(self, query: str) -> Sequence[int]:
        """Return matching groups and projects by row. Raises TermError: the query is invalid."""

    def unmatched(self, query: str) -> tuple[str, ...]:
        """Return a sentence for each value in a people query that has no match."""

    def unmatched_places(self, query: str) -> tuple[str, ...]:
        """Return a sentence for each value in a places query that matches nothing."""


class TermHelp(NamedTuple):
    field: str  # Text before the colon; empty: a plain word
    example: str
    meaning: str
    values: tuple[str, ...] = ()
    """Fixed words that are valid after the colon, besides values of the report."""


PEOPLE_TERMS: Final = (
    TermHelp("", "jane doe", "each word is in the name, user name, e-mail or identity"),
    TermHelp("level", "level:owner", "has this level anywhere, or in these groups"),
    TermHelp("level", "level:>=maintainer", "has this level or a higher one; also > < <="),
    TermHelp("level", "level:owner,maintainer", "one of these; every term takes several values"),
    TermHelp("highest", "highest:owner", "this is the highest level anywhere", ("none",)),
    TermHelp("group", "group:finance*", "in this group or below; name or full path"),
    TermHelp("project", "project:web*", "in this project; name or full path"),
    TermHelp("state", "state:blocked", "has this state", ("none",)),
    TermHelp("domain", "domain:*.example", "the domain of the e-mail address", ("none",)),
    TermHelp("identity", "identity:none", "service identity, or a part of it", ("none", "any")),
    TermHelp("name", 'name:"Jane Doe"', "the name contains this; * and ? are wildcards"),
    TermHelp("user", "user:=jane", "the user name contains this; = matches exactly"),
    TermHelp("email", "email:jane@*", "the e-mail address contains this"),
    TermHelp("id", "id:123", "this id"),
    TermHelp("memberships", "memberships:>100", "number of memberships; also >= < <= ="),
    TermHelp("is", "is:unlisted", "a member not in the list of users", ("unlisted", "listed")),
    TermHelp("-", "-state:active", "excludes matches of a term; ! does the same"),
)  # fmt: skip
"""Terms for people; all of them must match.

A `level:` term applies to the places of a `group:` or `project:` term: `level:owner group:finance`
finds owners in finance. Several such terms, and terms after `-`, are matched independently.
"""

PLACE_TERMS: Final = (
    TermHelp("", "billing api", "each word is in the name or the full path"),
    TermHelp("kind", "kind:project", "group or project", ("group", "project")),
    TermHelp("level", "level:owner", "a member, or one of the named users, has this level"),
    TermHelp("user", "user:jane", "has this member; part of the user name, = matches exactly"),
    TermHelp("group", "group:finance*", "this group and below; name or full path"),
    TermHelp("name", "name:api*", "the name contains this; * or ? match all of it"),
    TermHelp("path", "path:acme/*/api", "the full path contains this; * or ? match all of it"),
    TermHelp("id", "id:123", "this id"),
    TermHelp("members", "members:>100", "number of direct members; also >= < <= ="),
    TermHelp("depth", "depth:0", "nesting depth; also > >= < <="),
    TermHelp("is", "is:empty", "without direct members", ("empty", "top")),
    TermHelp("-", "-kind:group", "excludes matches of a term; ! does the same"),
)  # fmt: skip
"""Terms for groups and projects; all of them must match."""


_PLAIN: Final = "_-./@"  # Characters without a special meaning in a value


def term_of(field: str, value: str) -> str:
    """Return a term that matches exactly this value; `?` replaces what cannot be quoted."""
    plain = "".join(sign if sign.isalnum() or sign in _PLAIN else "?" for sign in value)
    if value and (plain == value or '"' in value):
        return f"{field}:{plain}"
    return f'{field}:"{value}"'
