"""The people that a report lists, and those that only memberships name."""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Raw

from platui.core.errors import ReportError
from platui.core.text import clean, shorten
from platui.report.reading.faults import inner_path, no_id, not_unicode, wrong_shape
from platui.report.reading.places import whole_number
from platui.report.reading.shape import Key, User, decoder
from platui.report.reading.texts import NULL
from platui.report.reading.whereabouts import dotted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from platui.report.reading.draft import Draft
    from platui.report.reading.json_text import JsonText
    from platui.report.reading.oddities import Oddities
    from platui.report.reading.texts import Texts

_BATCH: Final = 4096
"""People that are objects at the same time."""
_STATES: Final = 1 << 16
_SHOWN: Final = 40
_NO_DOMAIN: Final = 0
_USERS: Final = decoder(list[User])


class _Words(dict[str, int]):
    """Texts with the number that each got when it was first met."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


class _Domains(dict[str, int]):
    """The number of each domain as it is shown and compared, by how it is written."""

    def __init__(self) -> None:
        super().__init__({"": _NO_DOMAIN})
        self.shown = _Words(self)

    def __missing__(self, written: str) -> int:
        self[written] = number = self.shown[clean(written).casefold()]
        return number


class People:
    """All people in the order of their rows, the listed ones first."""

    def __init__(self, draft: Draft, texts: Texts) -> None:
        self._draft = draft
        self._texts = texts
        self._state_of = array("H")
        self._domain_of = array("I")
        self._states = _Words()
        self._domains = _Domains()
        self.ids = array("q")
        self.listed = 0

    @property
    def states(self) -> list[str]:
        """Return the states that occur, as they were met."""
        return list(self._states)

    @property
    def domains(self) -> list[str]:
        """Return the e-mail domains that occur, cleaned and folded; the first is none."""
        return list(self._domains.shown)

    def add(self, ids: Iterable[int], users: Sequence[User]) -> None:
        """Add people.

        Raises:
            ReportError: there are more states than can be told apart.
            OSError: their texts cannot be written.
        """
        self.ids.extend(ids)
        self._texts.add(map(_texts_of, users))
        written = [(user.email or "").rpartition("@") for user in users]
        self._domain_of.extend([self._domains[domain if at else ""] for _, at, domain in written])
        states = [self._states[user.state or ""] for user in users]
        if len(self._states) > _STATES:
            raise ReportError(f"Its users have more than {_STATES:,} different states.")
        self._state_of.extend(states)

    def end_list(self) -> None:
        """Write what has been added: these are all that are listed.

        Raises:
            OSError: it cannot be written.
        """
        self.listed = len(self.ids)
        self._write()

    def add_unlisted(self, ids: Sequence[int]) -> None:
        """Add and write people of whom nothing is known but the id.

        Raises:
            ReportError: there are more states than can be told apart.
            OSError: it cannot be written.
        """
        if ids:
            self.add(ids, [User()] * len(ids))
            self._write()

    def _write(self) -> None:
        self._texts.flush()
        self._draft.put("person_id", self.ids)
        self._draft.put("person_state", self._state_of)
        self._draft.put("person_domain", self._domain_of)


def _texts_of(user: User) -> Sequence[str]:
    identity = user.service_identity_uuid
    return (
        user.name or "",
        user.username or "",
        user.email or "",
        NULL if identity is None else identity,
    )


def read_people(text: JsonText, users: Raw, people: People, oddities: Oddities) -> None:
    """Add all people that a report lists.

    Raises:
        ReportError: `users` is of another shape, or has a key that is no id.
        OSError: something cannot be written.
    """
    keys: list[Key] = []
    try:
        entries = decoder(dict[Key, Raw], keys.append).decode(users)
    except msgspec.ValidationError as error:
        raise wrong_shape(error, ["users"]) from error
    except UnicodeDecodeError as error:
        raise not_unicode(text) from error
    note_repeated(keys, entries, "users", oddities)
    del keys
    waiting = iter(entries.items())
    while batch := list(islice(waiting, _BATCH)):
        people.add([_id(key) for key, _ in batch], _users(text, batch, oddities))
    people.end_list()


def note_repeated(
    all_keys: Sequence[Key], kept: Collection[Key], where: str, oddities: Oddities
) -> None:
    """Note keys that stand twice in one object, where the last counts.

    Args:
        all_keys: as the file has them.
        kept: what was read.
        where: what has the keys.
        oddities: takes it.
    """
    if len(all_keys) == len(kept):
        return
    lost = Counter(all_keys) - Counter(list(kept))
    example = f"{where}, {shorten(next(iter(lost)), _SHOWN)}"
    what = "entries have an id that stands again in the same object; the last counts"
    oddities.add(what, example, lost.total())


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
            oddities.add("users have no name, user name, e-mail or state", dotted(["users", key]))
    return users
