"""The credentials of the simulated company (spec §5): made from the seed, kept nowhere.

A token names its kind and owner and ends in a digest that only the seed gives, so that every
person, project and group of a company of any size has tokens without a table of them. They open
nothing but an emulator with the same seed, and are therefore plain text here.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from platui.emulator.http.failures import expired
from platui.emulator.records import Person

if TYPE_CHECKING:
    from platui.emulator.world_protocol import World

READ_ONLY_SERIAL: Final = 3
"""The token of each owner that may only read; the ones before it may do everything."""

_SERIALS: Final = range(1, READ_ONLY_SERIAL + 1)
_TOKEN: Final = re.compile(r"([a-z]+)-([0-9]{1,15})\.([0-9])-[0-9a-f]{20}", re.ASCII)
_PROJECT_BOTS: Final = 10_000_000
_GROUP_BOTS: Final = 20_000_000


class Kind(StrEnum):
    """What a credential is for."""

    PERSONAL = "personal"
    PROJECT = "project"
    GROUP = "group"
    TRIGGER = "trigger"
    ORGANIZATION = "organization"


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential somebody has shown, and who that is."""

    kind: Kind
    owner_id: int
    """The person, project or group it belongs to."""
    user: Person
    """Whose quota it uses: for project and group tokens a bot (spec §8)."""
    may_write: bool


class Credentials:
    """Issues credentials and recognizes them."""

    def __init__(self, world: World, seed: int) -> None:
        self._world = world
        self._seed = seed
        self._people = {person.id: person for person in world.people()}
        self._expired: set[str] = set()

    def issue(self, kind: Kind, owner_id: int, serial: int = 1) -> str:
        """Return the text of a credential; several serials of one owner share its user."""
        name = f"{kind}-{owner_id}.{serial}"
        digest = hashlib.blake2b(f"{self._seed}:{name}".encode(), digest_size=10).hexdigest()
        return f"{name}-{digest}"

    def admin_key(self, *, with_scope: bool = True) -> str:
        """Return an organization key, with or without the scope `reporting` (spec §5.1)."""
        return self.issue(Kind.ORGANIZATION, 1, 1 if with_scope else 2)

    def expire(self, text: str) -> bool:
        """Let a credential expire; tell whether it was one of ours."""
        if self._parsed(text) is None:
            return False
        self._expired.add(text)
        return True

    def access_credential(self, text: str) -> Credential | None:
        """Return the personal, project or group credential of this text, if it is one.

        Raises:
            ApiFailure: it has expired.
        """
        found = self._parsed(text)
        if found is None:
            return None
        kind, owner_id, serial = found
        user = self._user(kind, owner_id)
        if user is None:
            return None
        if text in self._expired:
            raise expired()
        return Credential(kind, owner_id, user, serial < READ_ONLY_SERIAL)

    def triggered_project(self, text: str) -> int | None:
        """Return the id of the project whose trigger token this is."""
        found = self._parsed(text)
        if found is None or found[0] != Kind.TRIGGER or text in self._expired:
            return None
        return found[1]

    def is_admin_key(self, text: str) -> bool:
        """Tell whether this is a key of the organization, whatever its scopes."""
        return text not in self._expired and text in {
            self.admin_key(),
            self.admin_key(with_scope=False),
        }

    def _parsed(self, text: str) -> tuple[Kind, int, int] | None:
        found = _TOKEN.fullmatch(text)
        if found is None or found[1] not in set(Kind) or int(found[3]) not in _SERIALS:
            return None
        kind, owner_id, serial = Kind(found[1]), int(found[2]), int(found[3])
        if not hmac.compare_digest(text, self.issue(kind, owner_id, serial)):
            return None
        return kind, owner_id, serial

    def _user(self, kind: Kind, owner_id: int) -> Person | None:
        if kind is Kind.PERSONAL:
            return self._people.get(owner_id)
        if kind is Kind.PROJECT and self._world.project(owner_id):
            return _bot(_PROJECT_BOTS, "project", owner_id)
        if kind is Kind.GROUP and self._world.group(owner_id):
            return _bot(_GROUP_BOTS, "group", owner_id)
        return None


def _bot(base: int, kind: str, owner_id: int) -> Person:
    username = f"{kind}_{owner_id}_bot"
    return Person(
        id=base + owner_id,
        username=username,
        name=f"{kind.title()} {owner_id} bot",
        email=f"{username}@noreply.example.com",
        bot=True,
    )
