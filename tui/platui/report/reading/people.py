"""The people that a report lists, and those that only memberships name."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.core.text import clean
from platui.report.reading.shape import User
from platui.report.reading.texts import NULL, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.report.reading.draft import Draft
    from platui.report.reading.texts import Texts

_STATES: Final = 1 << 16
_NO_DOMAIN: Final = 0


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

    def restart(self) -> None:
        """Forget all that was added; nothing of it has been written for others."""
        self._texts.restart()
        for column in (self.ids, self._state_of, self._domain_of):
            del column[:]

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
    texts = [said(user.name), said(user.username), said(user.email)]
    return [*texts, NULL if identity is None else said(identity)]
