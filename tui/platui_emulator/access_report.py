"""The entries of the access report (spec 2.1), and its changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class ReportedPerson(NamedTuple):
    """A user entry."""

    id: int
    email: str
    name: str
    identity: str | None
    state: str
    username: str


class ReportedGroup(NamedTuple):
    """A group entry, without its members and subgroups."""

    id: int
    name: str
    path: str


class ReportedProject(NamedTuple):
    """A project entry, its members left out."""

    id: int
    name: str
    path: str


@dataclass(frozen=True, slots=True)
class LevelChange:
    """A membership whose level changed."""

    user_id: int
    place: str
    """`group` or `project`."""
    place_id: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A user who was added, with all memberships."""

    user_id: int
    username: str
    memberships: tuple[tuple[str, int, str], ...]
    """Place (`group` or `project`), its id, level."""


@dataclass(frozen=True, slots=True)
class Leaver:
    """A user who left: removed from the report (`gone`), or `blocked` with all memberships."""

    user_id: int
    username: str
    how: str


@dataclass(frozen=True, slots=True)
class Renaming:
    """A group with another name."""

    group_id: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ReportChanges:
    """All that is different between the reports of two periods, the later against the earlier."""

    joined: tuple[Newcomer, ...]
    left: tuple[Leaver, ...]
    raised: tuple[LevelChange, ...]
    lowered: tuple[LevelChange, ...]
    projects_added: tuple[int, ...]
    projects_removed: tuple[int, ...]
    groups_renamed: tuple[Renaming, ...]
