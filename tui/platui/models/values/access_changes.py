"""What is different between two access reports, as it crosses layers."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.models.values.access import PlaceKind, ReportInfo
    from platui.models.values.table import Role


class ChangeKind(Enum):
    """What happened from the earlier report to the later one.

    Attributes:
        about: what it happened to.
        short: what is said of a single one, beside others.
        role: the role of that.
    """

    about: str  # `people`, `memberships` or `places`
    short: str
    role: Role

    def __new__(cls, value: str, about: str, short: str = "", role: Role = "text") -> Self:
        kind = object.__new__(cls)
        kind._value_ = value
        kind.about, kind.short, kind.role = about, short or value, role
        return kind

    JOINED = "joined", "people"
    """Somebody is there who was not, or is listed in `users` who was not."""
    LEFT = "left", "people", "", "muted"  # Somebody is gone, or only memberships still name them
    BLOCKED = "blocked", "people", "", "muted"
    """Somebody was active and is not: blocked, deactivated, or what the state is."""
    UNBLOCKED = "unblocked", "people"  # Somebody is active who was not
    NEW_OWNER = "new owners", "memberships", "new owner", "warning"
    """A membership is an owner's that was none, or was another's level: of those raised, of
    those added, of people who joined, and of places that are new."""
    RAISED = "raised", "memberships"  # The level of a membership is higher
    LOWERED = "lowered", "memberships", "", "muted"  # It is lower
    OTHERWISE = "changed", "memberships"  # It is another one, and nobody knows which is higher
    CHANGED = "identity changed", "people", "identity"
    """A trait of somebody is another: e-mail address, user name, name, service identity, or the
    state, where it is not active in either report."""
    ADDED = "added", "memberships"
    """A membership of a person and in a place that were there before is new."""
    DROPPED = "dropped", "memberships", "", "muted"
    """Such a membership is gone, person and place are not."""
    ADDED_WITH_PLACE = "added with a new place", "memberships", "added"
    """A membership of anybody in a place that is new; it is counted here and in no other kind
    but `NEW_OWNER`."""
    DROPPED_WITH_PLACE = "dropped with a removed place", "memberships", "dropped", "muted"
    """Such a membership of a place that is gone."""
    ADDED_WITH_PERSON = "added with a new person", "memberships", "added"
    """A membership of somebody who is new, in a place that was there before."""
    DROPPED_WITH_PERSON = "dropped with a gone person", "memberships", "dropped", "muted"
    """A membership of somebody who is gone, in a place that is still there."""
    PLACE_ADDED = "places added", "places", "new place"
    PLACE_REMOVED = "places removed", "places", "place gone", "muted"
    RENAMED = "renamed", "places"
    """A place has another name, or its own part of the path is another."""
    MOVED = "moved", "places"  # It lies in another group; what lies in it did not move for that


OF_PEOPLE = tuple(kind for kind in ChangeKind if kind.about == "people")
OF_MEMBERSHIPS = tuple(kind for kind in ChangeKind if kind.about == "memberships")
"""All but `NEW_OWNER` share out the memberships that differ: each is of one of them."""
OF_PLACES = tuple(kind for kind in ChangeKind if kind.about == "places")
KINDS_BY_IMPORTANCE: tuple[ChangeKind, ...] = (
    ChangeKind.NEW_OWNER,
    *(kind for kind in ChangeKind if kind is not ChangeKind.NEW_OWNER),
)
"""All kinds; what matters most comes first."""


def count_changed_memberships(counts: Mapping[ChangeKind, int]) -> int:
    """Return how many memberships differ in all; one that is a new owner's counts once."""
    return sum(counts[kind] for kind in OF_MEMBERSHIPS if kind is not ChangeKind.NEW_OWNER)


class Trait(Enum):
    """What of a person can become another; the value is what that is called."""

    STATE = "state"
    EMAIL = "e-mail"
    USERNAME = "user name"
    NAME = "name"
    IDENTITY = "service identity"


class ChangedPerson(NamedTuple):
    """Somebody, as the later report has them, or else the earlier one. All text is clean."""

    id: int
    name: str
    username: str
    email: str
    state: str
    before: int | None  # Row in the earlier report
    after: int | None  # Row in the later report


class ChangedPlace(NamedTuple):
    """A group or project, as the later report has it, or else the earlier one; clean text."""

    id: int
    kind: PlaceKind
    name: str
    path: str
    before: int | None  # Row in the earlier report
    after: int | None  # Row in the later report


class PersonChange(NamedTuple):
    """Somebody joined, left, is active no more or again, or is called otherwise."""

    kind: ChangeKind
    person: ChangedPerson
    how: str
    """JOINED: `new`, LEFT: `gone`, both `unlisted` where only memberships name them in the other
    report. BLOCKED and UNBLOCKED: `active → blocked`; CHANGED: `e-mail: old → new`."""
    memberships: int  # LEFT: what they had; others: what they have now
    trait: Trait | None = None  # What is another; None: they joined or left
    before: str = ""  # What that was; empty: nothing
    after: str = ""  # What it is


class MembershipChange(NamedTuple):
    """One membership is different."""

    kind: ChangeKind
    person: ChangedPerson
    place: ChangedPlace
    before: str  # Level; empty: there was no such membership
    after: str  # Level; empty: there is none any more


class PlaceChange(NamedTuple):
    """A group or project came, went, or is called or lies otherwise."""

    kind: ChangeKind
    place: ChangedPlace
    before: str
    """RENAMED: the name, or where that is the same, the last part of the path; others: the full
    path. PLACE_ADDED: empty."""
    after: str  # The same of now; PLACE_REMOVED: empty


class ChangesInPlace(NamedTuple):
    """What changed in one place."""

    place: ChangedPlace
    changes: Sequence[MembershipChange]
    own: tuple[PlaceChange, ...] = ()  # What became of the place itself


class ChangesOfPerson(NamedTuple):
    """What changed for one person."""

    person: ChangedPerson
    changes: Sequence[MembershipChange]
    own: tuple[PersonChange, ...] = ()  # What became of themselves


class AccessChanges(Protocol):
    """Two reports held against each other; people and places are matched by their ids.

    Sequences read their values when one is asked for.
    """

    before: ReportInfo
    after: ReportInfo

    @property
    def counts(self) -> Mapping[ChangeKind, int]: ...

    def people(self, kind: ChangeKind) -> Sequence[PersonChange]: ...

    def memberships(self, kind: ChangeKind) -> Sequence[MembershipChange]: ...

    def places(self, kind: ChangeKind) -> Sequence[PlaceChange]: ...

    def by_place(self) -> Sequence[ChangesInPlace]:
        """Return the places that changed, or in which memberships did; in the order of places.

        Those that are gone come last. New owners are among those raised and added here.
        """

    def by_person(self) -> Sequence[ChangesOfPerson]:
        """Return people to whom, or to whose memberships, something happened; as `by_place`."""


Change = PersonChange | MembershipChange | PlaceChange
"""What is different between two access reports."""


def changes_of(changes: AccessChanges, kind: ChangeKind) -> Sequence[Change]:
    """Return all changes of a kind, whatever they are about."""
    if kind in OF_PEOPLE:
        return changes.people(kind)
    if kind in OF_PLACES:
        return changes.places(kind)
    return changes.memberships(kind)
