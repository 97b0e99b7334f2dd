"""The credentials of the simulated company (spec §5): functions of the seed, so not secret."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from platui_emulator.http.failures import blocked, expired, revoked
from platui_emulator.http.tokens import (
    ACCESS_TOKENS,
    FULL,
    JOB_TOKEN,
    ORGANIZATION_KEYS,
    READ_SCOPES,
    TRIGGER_TOKENS,
    WRITE_SCOPE,
    TokenFacts,
    created_at,
)
from platui_emulator.records import Job, Person

if TYPE_CHECKING:
    from platui_emulator.http.tokens import Shape
    from platui_emulator.world.company import Company

_TOKEN: Final = re.compile(r"([a-z]+)-([0-9]{1,15})\.([0-9]{1,18})-[0-9a-f]{20}", re.ASCII)
_PROJECT_BOTS: Final = 10_000_000
_GROUP_BOTS: Final = 20_000_000
_SERIALS: Final = 10


class Kind(StrEnum):
    """What a credential is for."""

    PERSONAL = "personal"
    PROJECT = "project"
    GROUP = "group"
    TRIGGER = "trigger"
    JOB = "job"
    ORGANIZATION = "organization"


_SHAPES: Final[Mapping[Kind, Mapping[int, Shape]]] = {
    Kind.PERSONAL: ACCESS_TOKENS,
    Kind.PROJECT: ACCESS_TOKENS,
    Kind.GROUP: ACCESS_TOKENS,
    Kind.TRIGGER: TRIGGER_TOKENS,
    Kind.ORGANIZATION: ORGANIZATION_KEYS,
}


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential of a request, and its owner."""

    kind: Kind
    owner_id: int
    """The person, project or group it belongs to; for a job token the job's project."""
    user: Person
    """Whose quota it uses: for project and group tokens a bot (spec §8)."""
    serial: int = FULL
    """Which of its owner's tokens it is; for a job token the job's id."""
    scopes: frozenset[str] = frozenset()

    @property
    def may_read(self) -> bool:
        return not self.scopes.isdisjoint(READ_SCOPES)

    @property
    def may_write(self) -> bool:
        return WRITE_SCOPE in self.scopes


class _Parsed(NamedTuple):
    """The type of a token, by its prefix."""

    kind: Kind
    owner_id: int
    serial: int

    @property
    def shape(self) -> Shape:
        return JOB_TOKEN if self.kind is Kind.JOB else _SHAPES[self.kind][self.serial]


class Credentials:
    """Issues credentials and recognizes them."""

    def __init__(self, world: Company, seed: int, opened: date) -> None:
        self._world = world
        self._seed = seed
        self._opened = opened
        self._people = {person.id: person for person in world.people()}
        self._expired: set[str] = set()
        self._revoked: set[str] = set()

    def issue(self, kind: Kind, owner_id: int, serial: int = FULL) -> str:
        """Return the text of a credential; several serials of one owner share its user."""
        name = f"{kind}-{owner_id}.{serial}"
        digest = hashlib.blake2b(f"{self._seed}:{name}".encode(), digest_size=10).hexdigest()
        return f"{name}-{digest}"

    def admin_key(self) -> str:
        """Return an organization key with the scope `reporting` (spec §5.1)."""
        return self.issue(Kind.ORGANIZATION, 1)

    def job_token(self, project_id: int, job_id: int) -> str:
        """Return what the job finds in `CI_JOB_TOKEN`: another for each run (spec §5.2 rule 2)."""
        return self.issue(Kind.JOB, project_id, job_id)

    def expire(self, text: str) -> bool:
        """Expire a credential; return whether it exists."""
        return self._end(text, self._expired)

    def revoke(self, text: str) -> bool:
        """Revoke a credential; return whether it exists."""
        return self._end(text, self._revoked)

    def access_credential(self, text: str, now: datetime) -> Credential | None:
        """Return an access credential. Raises ApiFailure: ended, or its owner is blocked."""
        found = self._parsed(text)
        user = self._user(found) if found else None
        if found is None or user is None:
            return None
        self._check(text, found.shape, now)
        _check_user(user)
        return Credential(*found[:2], user, found.serial, frozenset(found.shape.scopes))

    def facts(self, credential: Credential, now: datetime) -> TokenFacts:
        """Return what the owner of an access token may know of it."""
        shape = ACCESS_TOKENS[credential.serial]
        return TokenFacts(
            id=credential.user.id * _SERIALS + credential.serial,
            shape=shape,
            user_id=credential.user.id,
            created_at=created_at(self._opened),
            last_used_at=now,
            expires_on=shape.expires_on(self._opened),
        )

    def job_credential(self, text: str, now: datetime) -> Credential | None:
        """Return a running job's credential. Raises ApiFailure: revoked, or user blocked."""
        job = self.job_of(text, now)
        if job is None or job.status != "running":
            return None
        _check_user(job.user)
        return Credential(Kind.JOB, job.project_id, job.user, job.id, frozenset(JOB_TOKEN.scopes))

    def job_of(self, text: str, now: datetime) -> Job | None:
        """Return the job whose token this is, running or not. Raises ApiFailure: ended by hand."""
        found = self._parsed(text)
        if found is None or found.kind is not Kind.JOB:
            return None
        self._check(text, found.shape, now)
        return self._world.pipelines.job(found.owner_id, found.serial, now)

    def triggered_project(self, text: str) -> int | None:
        """Return the id of the project whose trigger token this is."""
        found = self._parsed(text)
        ended = text in self._expired or text in self._revoked
        return None if found is None or found.kind is not Kind.TRIGGER or ended else found.owner_id

    def admin_scopes(self, text: str, now: datetime) -> frozenset[str] | None:
        """Return the scopes of an organization key, None for no key. Raises ApiFailure: ended."""
        found = self._parsed(text)
        if found is None or (found.kind, found.owner_id) != (Kind.ORGANIZATION, 1):
            return None
        self._check(text, found.shape, now)
        return frozenset(found.shape.scopes)

    def _end(self, text: str, ended: set[str]) -> bool:
        if self._parsed(text) is None:
            return False
        ended.add(text)
        return True

    def _check(self, text: str, shape: Shape, now: datetime) -> None:
        last = shape.expires_on(self._opened)
        if text in self._expired or (last is not None and last <= now.date()):
            raise expired()
        if text in self._revoked or shape.revoked:
            raise revoked()

    def _parsed(self, text: str) -> _Parsed | None:
        found = _TOKEN.fullmatch(text)
        if found is None or found[1] not in set(Kind):
            return None
        parsed = _Parsed(Kind(found[1]), int(found[2]), int(found[3]))
        if parsed.kind is not Kind.JOB and parsed.serial not in _SHAPES[parsed.kind]:
            return None
        return parsed if hmac.compare_digest(text, self.issue(*parsed)) else None

    def _user(self, found: _Parsed) -> Person | None:
        if found.kind is Kind.PERSONAL:
            return self._people.get(found.owner_id)
        if found.kind is Kind.PROJECT and self._world.project(found.owner_id):
            return _bot(_PROJECT_BOTS, "project", found.owner_id)
        if found.kind is Kind.GROUP and self._world.group(found.owner_id):
            return _bot(_GROUP_BOTS, "group", found.owner_id)
        return None


def _check_user(user: Person) -> None:
    if user.state != "active":
        raise blocked()


def _bot(base: int, kind: str, owner_id: int) -> Person:
    username = f"{kind}_{owner_id}_bot"
    return Person(
        id=base + owner_id,
        username=username,
        name=f"{kind.title()} {owner_id} bot",
        email=f"{username}@noreply.example.com",
        bot=True,
    )
