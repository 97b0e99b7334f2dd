"""Read groups and projects depth-first, and people: the listed ones, then unlisted ones."""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import field
from itertools import islice
from typing import Final

import msgspec
from msgspec import Raw

from platui.core.dataclass import dataclass
from platui.core.text import clean
from platui.report.arrays import GROUP, NULL, PROJECT
from platui.report.reading.draft import Draft, Numbers, Texts, text_or_empty
from platui.report.reading.faults import (
    FLAT,
    NAMELESS_PLACES,
    NAMELESS_USERS,
    REPEATED_PLACES,
    STRING,
    DataWarnings,
    dotted,
    inner_path,
    invalid_id,
    not_unicode,
    note_repeated,
    wrong_shape,
)
from platui.report.reading.schema import Group, JsonText, Key, Project, User, decoder

_NOWHERE: Final = -1
_BATCH: Final = 4096  # Places or people that are objects at the same time


@dataclass
class Places:
    """All places by row; their memberships are read later."""

    ids: array[int] = field(default_factory=lambda: array("q"))
    kinds: bytearray = field(default_factory=bytearray)
    parents: array[int] = field(default_factory=lambda: array("i"))
    depths: array[int] = field(default_factory=lambda: array("H"))
    members: deque[Raw] = field(default_factory=deque)

    def path(self, row: int) -> list[str]:
        keys: list[str] = []
        while row != _NOWHERE:
            inner = "projects" if self.kinds[row] == PROJECT else "subgroups"
            keys += [str(self.ids[row]), inner]
            row = self.parents[row]
        return ["platform", "groups", *reversed(keys[:-1])]

    def ends(self) -> array[int]:
        """Return the row after the last descendant of each place."""
        ends = array("I", range(1, len(self.ids) + 1))
        for row in range(len(ends) - 1, -1, -1):
            parent = self.parents[row]
            if parent != _NOWHERE and ends[parent] < ends[row]:
                ends[parent] = ends[row]
        return ends


def write_places(groups: Mapping[Key, Group], draft: Draft, warnings: DataWarnings) -> Places:
    """Write all about places except memberships. Raises ReportError: a key is no id; OSError."""
    places = Places()
    with closing(Texts(draft, "place")) as texts:
        batch: list[Sequence[str]] = []
        for key, entry, kind, parent in _walk(groups, places):
            row = len(places.ids)
            number = whole_number(key)
            if number is None:
                inner = "projects" if kind == PROJECT else "subgroups"
                above = places.path(parent) if parent == _NOWHERE else [*places.path(parent), inner]
                raise invalid_id([*above, key])
            places.ids.append(number)
            places.kinds.append(kind)
            places.parents.append(parent)
            places.depths.append(0 if parent == _NOWHERE else places.depths[parent] + 1)
            places.members.append(entry.members)
            if entry.name is None or entry.path is None:
                warnings.add(NAMELESS_PLACES, dotted(places.path(row)))
            batch.append((text_or_empty(entry.name), text_or_empty(entry.path)))
            if len(batch) == _BATCH:
                texts.add(batch)
                batch.clear()
        texts.add(batch)
        texts.flush()
    _note_repeated(places, warnings)
    draft.put("place_id", places.ids)
    draft.put("place_kind", places.kinds)
    draft.put("place_parent", places.parents)
    draft.put("place_depth", places.depths)
    draft.put("place_end", places.ends())
    return places


def whole_number(key: str) -> int | None:
    """Return the id of a key; None: not an integer of 64 bits."""
    try:
        number = int(key)
    except ValueError:
        return None
    # `int` also accepts spaces, underscores, a plus, leading zeros and other digits.
    return number if str(number) == key and -(2**63) <= number < 2**63 else None


def _walk(
    groups: Mapping[Key, Group], places: Places
) -> Iterator[tuple[Key, Group | Project, int, int]]:
    """Yield key, entry, kind and parent row; the caller appends each place before the next."""
    waiting = [(key, group, _NOWHERE) for key, group in list(groups.items())[::-1]]
    while waiting:
        key, group, parent = waiting.pop()
        row = len(places.ids)
        yield key, group, GROUP, parent
        for inner, project in (group.projects or {}).items():
            yield inner, project, PROJECT, row
        below = list((group.subgroups or {}).items())
        waiting += [(inner, subgroup, row) for inner, subgroup in below[::-1]]


def _note_repeated(places: Places, warnings: DataWarnings) -> None:
    """Add a warning for ids in several groups; each place has its own row."""
    named = list(zip(places.kinds, places.ids, strict=True))
    if len(set(named)) == len(named):
        return
    met: set[tuple[int, int]] = set()
    for row, name in enumerate(named):
        if name in met:
            warnings.add(REPEATED_PLACES, dotted(places.path(row)))
        met.add(name)


_STATES: Final = 1 << 16


class People:
    def __init__(self, draft: Draft, texts: Texts) -> None:
        self._draft = draft
        self._texts = texts
        self._state_of = array("H")
        self._domain_of = array("I")
        many = f"The users have more than {_STATES:,} different states."
        self.states = Numbers(str, _STATES, many)
        self.domains = Numbers(lambda domain: clean(domain).casefold())
        _ = self.domains[""]  # no domain is 0
        self.ids = array("q")

    def add(self, ids: Iterable[int], users: Sequence[User]) -> None:
        """Add people. Raises ReportError: too many different states; OSError: not writable."""
        self.ids.extend(ids)
        self._texts.add(map(_texts_of, users))
        written = [(user.email or "").rpartition("@") for user in users]
        self._domain_of.extend([self.domains[domain if at else ""] for _, at, domain in written])
        self._state_of.extend([self.states[user.state or ""] for user in users])

    def restart(self) -> None:
        """Discard all added people before anything is written."""
        self._texts.restart()
        for column in (self.ids, self._state_of, self._domain_of):
            del column[:]

    def write(self) -> None:
        """Write the added people. Raises OSError."""
        self._texts.flush()
        self._draft.put("person_id", self.ids)
        self._draft.put("person_state", self._state_of)
        self._draft.put("person_domain", self._domain_of)


def _texts_of(user: User) -> Sequence[str]:
    identity = user.service_identity_uuid
    texts = [text_or_empty(user.name), text_or_empty(user.username), text_or_empty(user.email)]
    return [*texts, NULL if identity is None else text_or_empty(identity)]


_USERS: Final = decoder(list[User])
_ONE_PIECE: Final = 1 << 24  # Bytes of users read at once; their objects need as much memory again
_ENTRIES: Final = re.compile(rb"(?:\s*+%s\s*+:\s*+%s\s*+,?+){1,16384}+" % (STRING, FLAT), re.DOTALL)


def read_users(text: JsonText, users: Raw, people: People, warnings: DataWarnings) -> None:
    """Add all listed people. Raises ReportError: `users` is invalid; OSError: not writable."""
    ways: Iterable[Iterable[Raw | bytes]] = (_pieces(users), [users])
    for pieces in ways:
        noted = DataWarnings()
        for piece in pieces:
            _read_piece(text, piece, people, noted)
            text.forget()
        if len(set(people.ids)) == len(people.ids):
            break
        # A duplicate id in two pieces: read all at once to use the last one.
        people.restart()
    warnings.add_all(noted)
    people.write()


def _pieces(users: Raw) -> Iterator[Raw | bytes]:
    """Yield objects that have all entries of `users`, in order; one if entries are nested."""
    view = memoryview(users)
    if len(view) <= _ONE_PIECE or view[0] != ord("{"):
        yield users
        return
    at = 1
    while found := _ENTRIES.match(view, at):
        at = found.end()
        yield b"{%b}" % found.group().rstrip(b", \t\r\n")
    if view[at] != ord("}"):
        yield b"{%b" % bytes(view[at:])


def _read_piece(text: JsonText, piece: Raw | bytes, people: People, warnings: DataWarnings) -> None:
    keys: list[Key] = []
    try:
        entries = decoder(dict[Key, Raw], keys.append).decode(piece)
    except msgspec.ValidationError as error:
        raise wrong_shape(error, ["users"]) from error
    except UnicodeDecodeError as error:
        raise not_unicode(text) from error
    note_repeated(keys, entries, "users", warnings)
    del keys
    waiting = iter(entries.items())
    while batch := list(islice(waiting, _BATCH)):
        people.add([_id(key) for key, _ in batch], _users(text, batch, warnings))


def _id(key: Key) -> int:
    number = whole_number(key)
    if number is None:
        raise invalid_id(["users", key])
    return number


def _users(
    text: JsonText, batch: Sequence[tuple[Key, Raw]], warnings: DataWarnings
) -> Sequence[User]:
    try:
        users = _USERS.decode(b"[%b]" % b",".join([raw for _, raw in batch]))
    except msgspec.ValidationError as error:
        number, *path = inner_path(error)
        key, _ = batch[int(number.strip("[]"))]
        raise wrong_shape(error, ["users", key, *path]) from error
    except UnicodeDecodeError as error:
        raise not_unicode(text) from error
    for (key, _), user in zip(batch, users, strict=True):
        if user.name is None or user.username is None or user.email is None or user.state is None:
            warnings.add(NAMELESS_USERS, dotted(["users", key]))
    return users
