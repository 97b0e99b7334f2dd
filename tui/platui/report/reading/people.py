"""Read listed people, and add unlisted ones."""

from __future__ import annotations

import re
from array import array
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Raw

from platui.core.text import clean
from platui.report.arrays import NULL
from platui.report.reading.faults import (
    FLAT,
    NAMELESS_USERS,
    STRING,
    DataWarnings,
    dotted,
    inner_path,
    invalid_id,
    not_unicode,
    note_repeated,
    wrong_shape,
)
from platui.report.reading.places import whole_number
from platui.report.reading.schema import Key, User, decoder
from platui.report.reading.texts import Numbers, text_or_empty

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.report.reading.draft import Draft
    from platui.report.reading.json_text import JsonText
    from platui.report.reading.texts import Texts


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


_BATCH: Final = 4096  # People that are objects at the same time
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
