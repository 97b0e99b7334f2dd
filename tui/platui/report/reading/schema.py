"""The structure of a report (spec §2.1); members and users stay bytes until they are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Raw, Struct
from msgspec.json import Decoder

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Key(str):
    """A key created by a hook, to detect duplicates."""

    __slots__ = ()


class Project(Struct, gc=False):
    name: str | None = None
    path: str | None = None
    members: Raw = Raw(b"{}")


class Group(Struct, gc=False):
    name: str | None = None
    path: str | None = None
    members: Raw = Raw(b"{}")
    projects: dict[Key, Project] | None = None
    subgroups: dict[Key, Group] | None = None


class Platform(Struct, gc=False):
    groups: dict[Key, Group]


class Report(Struct, gc=False):
    platform: Platform
    users: Raw


class User(Struct, gc=False):
    name: str | None = None
    username: str | None = None
    email: str | None = None
    service_identity_uuid: str | None = None
    state: str | None = None


class Member(Struct, gc=False):
    max_access_level: str


def decoder(shape: type[T], saw: Callable[[Key], object] | None = None) -> Decoder[T]:
    """Return a decoder; `saw` receives every key of an entry, in order of the file."""

    def made(_type: type, text: str) -> Key:
        key = Key(text)
        if saw is not None:
            saw(key)
        return key

    return Decoder(shape, dec_hook=made)
