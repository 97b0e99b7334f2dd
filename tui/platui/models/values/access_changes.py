"""Changes between two access reports, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Protocol, Self

from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.models.values.access import PlaceKind, ReportInfo
    from platui.models.values.table import Role


class ChangeKind(Enum):
    """Kinds of changes between two reports.

    Attributes:
        about: `people`, `memberships` or `places`.
        short: label of a single change.
        role: text role of that label.
    """

    about: str
    short: str
    role: Role

    def __new__(cls, value: str, about: str, short: str = "", role: Role = "text") -> Self:
        kind = object.__new__(cls)
        kind._value_ = value
        kind.about, kind.short, kind.role = about, short or value, role
        return kind

    JOINED = "joined", "people"  # A person is new, or newly listed in `users`
    LEFT = "left", "people", "", "muted"  # Gone, or only memberships have the id
    BLOCKED = "blocked", "people", "", "muted"
    """A person was active and no longer is: blocked, deactivated or any other state."""
    UNBLOCKED = "unblocked", "people"  # Active again
    NEW_OWNER = "new owners", "memberships", "new owner", "warning"
    """A membership became owner; also counted as raised, added or added with a place or person."""
    RAISED = "raised", "memberships"  # A higher level
    LOWERED = "lowered", "memberships", "", "muted"  # A lower level
    OTHERWISE = "changed", "memberships"  # Another level of unknown order
    CHANGED = "identity changed", "people", "identity"
    """E-mail, user name, name or service identity changed, or a state where neither is active."""
    ADDED = "added", "memberships"  # A new membership of an existing person in an existing place
    DROPPED = "dropped", "memberships", "", "muted"
    """A removed membership; person and place still exist."""
    ADDED_WITH_PLACE = "added with a new place", "memberships", "added"
    """A membership in a new place; counted in no other kind except `NEW_OWNER`."""
    DROPPED_WITH_PLACE = "dropped with a removed place", "memberships", "dropped", "muted"
    """A membership in a removed place."""
    ADDED_WITH_PERSON = "added with a new person", "memberships", "added"
    """A membership of a new person in an existing place."""
    DROPPED_WITH_PERSON = "dropped with a gone person", "memberships", "dropped", "muted"
    """A membership of a removed person in an existing place."""
    PLACE_ADDED = "places added", "places", "new place"
    PLACE_REMOVED = "places removed", "places", "place gone", "muted"
    RENAMED = "renamed", "places"  # The name, or the last part of the path, changed
    MOVED = "moved", "places"  # Has another parent group; its descendants do not count as moved


OF_PEOPLE = tuple(kind for kind in ChangeKind if kind.about == "people")
OF_MEMBERSHIPS = tuple(kind for kind in ChangeKind if kind.about == "memberships")
"""Each changed membership is in exactly one of these kinds, besides `NEW_OWNER`."""
OF_PLACES = tuple(kind for kind in ChangeKind if kind.about == "places")
KINDS_BY_IMPORTANCE: tuple[ChangeKind, ...] = (
    ChangeKind.NEW_OWNER,
    *(kind for kind in ChangeKind if kind is not ChangeKind.NEW_OWNER),
)


def count_changed_memberships(counts: Mapping[ChangeKind, int]) -> int:
    """Return the number of changed memberships; `NEW_OWNER` is not counted twice."""
    return sum(counts[kind] for kind in OF_MEMBERSHIPS if kind is not ChangeKind.NEW_OWNER)


class Trait(Enum):
    """Fields of a person that can change; the value is its label."""

    STATE = "state"
    EMAIL = "e-mail"
    USERNAME = "user name"
    NAME = "name"
    IDENTITY = "service identity"


class ChangedPerson(NamedTuple):
    """A person as in the later report, or in the earlier one if removed; clean text."""

    id: int
    name: str
    username: str
    email: str
    state: str
    before: int | None  # Row in the earlier report
    after: int | None  # Row in the later report


class ChangedPlace(NamedTuple):
    """A group or project as in the later report, or in the earlier one if removed; clean text."""

    id: int
    kind: PlaceKind
    name: str
    path: str
    before: int | None  # Row in the earlier report
    after: int | None  # Row in the later report


class PersonChange(NamedTuple):
    kind: ChangeKind
    person: ChangedPerson
    how: str
    """The change as text.

    JOINED: `new`, LEFT: `gone`, both `unlisted` if the other report has memberships of the id.
    BLOCKED, UNBLOCKED: `active → blocked`; CHANGED: `e-mail: old → new`.
    """
    memberships: int  # LEFT: in the earlier report; others: in the later one
    trait: Trait | None = None  # None: joined or left
    before: str = ""
    after: str = ""


class MembershipChange(NamedTuple):
    kind: ChangeKind
    person: ChangedPerson
    place: ChangedPlace
    before: str  # Level; empty: no membership
    after: str  # Level; empty: no membership


class PlaceChange(NamedTuple):
    kind: ChangeKind
    place: ChangedPlace
    before: str
    """RENAMED: the name, or the last part of the path if it is equal; others: the full path."""
    after: str  # PLACE_REMOVED: empty


class ChangesInPlace(NamedTuple):
    place: ChangedPlace
    changes: Sequence[MembershipChange]
    own: tuple[PlaceChange, ...] = ()  # Changes of the place itself


class ChangesOfPerson(NamedTuple):
    person: ChangedPerson
    changes: Sequence[MembershipChange]
    own: tuple[PersonChange, ...] = ()  # Changes of the person itself


class AccessChanges(Protocol):
    """A comparison of two reports by ids; sequences read their values on access."""

    before: ReportInfo
    after: ReportInfo

    @property
    def counts(self) -> Mapping[ChangeKind, int]: ...

    def people(self, kind: ChangeKind) -> Sequence[PersonChange]: ...

    def memberships(self, kind: ChangeKind) -> Sequence[MembershipChange]: ...

    def places(self, kind: ChangeKind) -> Sequence[PlaceChange]: ...

    def by_place(self) -> Sequence[ChangesInPlace]:
        """Return places with changes of their own or of members; removed ones last."""

    def by_person(self) -> Sequence[ChangesOfPerson]:
        """Return people that changed or have changed memberships; as `by_place`."""


Change = PersonChange | MembershipChange | PlaceChange


def changes_of(changes: AccessChanges, kind: ChangeKind) -> Sequence[Change]:
    if kind in OF_PEOPLE:
        return changes.people(kind)
    if kind in OF_PLACES:
        return changes.places(kind)
    return changes.memberships(kind)
