"""Exported fields of people, places and changes: names and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from platui.models.values.access_changes import PersonChange, PlaceChange

if TYPE_CHECKING:
    from platui.models.values.access import AccessPlace, Membership, Person
    from platui.models.values.access_changes import Change, ChangedPerson, ChangedPlace
    from platui.report.export.sheet import Row

T = TypeVar("T")


class Fields(Generic[T]):
    """Names of the fields of a record, in the order of JSON and CSV, and their values."""

    def __init__(self, names: Sequence[str], values: Callable[[T], Row]) -> None:
        self.names = tuple(names)
        self.values = values

    def object(self, one: T, *names: str) -> dict[str, Any]:
        """Return a record as JSON object, or some of its fields."""
        found = dict(zip(self.names, self.values(one), strict=True))
        return {name: found[name] for name in names} if names else found

    def value(self, name: str) -> Callable[[T, Any], Any]:
        """Return a function from a record to one field, for columns."""
        at = self.names.index(name)
        return lambda one, _: self.values(one)[at]


def _of(**attributes: str) -> Fields[Any]:
    return Fields(tuple(attributes), attrgetter(*attributes.values()))


_WHO: Final = {"user_id": "id", "name": "name", "username": "username", "email": "email"}

WHO: Final[Fields[Person]] = _of(**_WHO, state="state")
PERSON: Final[Fields[Person]] = _of(
    **_WHO, state="state", service_identity_uuid="identity", is_listed="is_listed"
)
WHERE: Final[Fields[AccessPlace]] = _of(
    kind="kind", place_id="id", place_name="name", place_path="path"
)
PLACE: Final[Fields[AccessPlace]] = _of(
    place_id="id", kind="kind", place_name="name", place_path="path", depth="depth",
    members="members", groups="groups", projects="projects",
)  # fmt: skip
HELD: Final[Fields[Membership]] = _of(level="level", is_inherited="is_inherited")
CHANGED_PERSON: Final[Fields[ChangedPerson]] = _of(**_WHO)
CHANGED_PLACE: Final[Fields[ChangedPlace]] = _of(kind="kind", place_id="id", place_path="path")


def person_fields(levels: Sequence[str]) -> Fields[Person]:
    """Return the fields of people, with one per level, prefixed `level:`."""
    none = (0,) * len(levels)

    def values(one: Person) -> Row:
        counts = one.counts or none
        return *PERSON.values(one), one.highest, sum(counts), *counts

    names = *PERSON.names, "highest", "memberships", *(f"level:{level}" for level in levels)
    return Fields(names, values)


def _change(change: Change) -> Row:
    kind, before, after = change.kind.name.lower(), change.before or None, change.after or None
    if isinstance(change, PlaceChange):
        where = CHANGED_PLACE.values(change.place)
        return kind, *_NOBODY, *where, before, after, None, None
    person = CHANGED_PERSON.values(change.person)
    if isinstance(change, PersonChange):
        how = change.how if change.trait is None else change.trait.value
        return kind, *person, *_NOWHERE, before, after, how, change.memberships
    return kind, *person, *CHANGED_PLACE.values(change.place), before, after, None, None


_NOBODY: Final = (None,) * len(CHANGED_PERSON.names)
_NOWHERE: Final = (None,) * len(CHANGED_PLACE.names)

CHANGE: Final[Fields[Change]] = Fields(
    (
        "change", *CHANGED_PERSON.names, *CHANGED_PLACE.names,
        "before", "after", "how", "memberships",
    ),
    _change,
)  # fmt: skip
"""Missing values are null."""
