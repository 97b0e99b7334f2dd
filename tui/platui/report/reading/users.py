"""The users of a report, read piece by piece: they may be most of it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Raw

from platui.report.reading.faults import inner_path, no_id, not_unicode, wrong_shape
from platui.report.reading.oddities import NAMELESS_USERS, Oddities, note_repeated
from platui.report.reading.places import whole_number
from platui.report.reading.shape import Key, User, decoder
from platui.report.reading.whereabouts import FLAT, STRING, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from platui.report.reading.json_text import JsonText
    from platui.report.reading.people import People

_BATCH: Final = 4096
"""People that are objects at the same time."""
_USERS: Final = decoder(list[User])
_ONE_PIECE: Final = 1 << 24
"""Bytes of users that are read at once: what stands for them takes as much again."""
_ENTRIES: Final = re.compile(rb"(?:\s*+%s\s*+:\s*+%s\s*+,?+){1,16384}+" % (STRING, FLAT), re.DOTALL)


def read_users(text: JsonText, users: Raw, people: People, oddities: Oddities) -> None:
    """Add all people that a report lists.

    Raises:
        ReportError: `users` is of another shape, or has a key that is no id.
        OSError: something cannot be written.
    """
    ways: Iterable[Iterable[Raw | bytes]] = (_pieces(users), [users])
    for pieces in ways:
        noted = Oddities()
        for piece in pieces:
            _read_piece(text, piece, people, noted)
            text.forget()
        if len(set(people.ids)) == len(people.ids):
            break
        # An id twice, in two pieces: only who has them all before them knows which is the last.
        people.restart()
    oddities.add_all(noted)
    people.end_list()


def _pieces(users: Raw) -> Iterator[Raw | bytes]:
    """Yield objects that have all entries of one between them, in order.

    The JSON has been looked through before. An entry that has something nested in it ends the
    cutting: what is left is one piece.
    """
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


def _read_piece(text: JsonText, piece: Raw | bytes, people: People, oddities: Oddities) -> None:
    keys: list[Key] = []
    try:
        entries = decoder(dict[Key, Raw], keys.append).decode(piece)
    except msgspec.ValidationError as error:
        raise wrong_shape(error, ["users"]) from error
    except UnicodeDecodeError as error:
        raise not_unicode(text) from error
    note_repeated(keys, entries, "users", oddities)
    del keys
    waiting = iter(entries.items())
    while batch := list(islice(waiting, _BATCH)):
        people.add([_id(key) for key, _ in batch], _users(text, batch, oddities))


def _id(key: Key) -> int:
    number = whole_number(key)
    if number is None:
        raise no_id(["users", key])
    return number


def _users(text: JsonText, batch: Sequence[tuple[Key, Raw]], oddities: Oddities) -> Sequence[User]:
    """Return the users of a batch: decoded as one list, which is four times as fast."""
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
            oddities.add(NAMELESS_USERS, dotted(["users", key]))
    return users
