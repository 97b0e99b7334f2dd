"""A write as a value, and the guard that each write passes."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Generic
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from platui.api.endpoint import Pairs, T_co
from platui.core.errors import WriteRefusedError, WritesOffError
from platui.models.values.write_states import AuditEntry
from platui.models.values.writes import WriteMode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from platui.api.endpoint import Decoder
    from platui.core.clock import Clock
    from platui.models.values.write_states import AuditLog
    from platui.models.values.writes import Confirmation

_OFF: Final = "Writes are off in this profile."
_LOCKED: Final = "This profile is locked against writes."

UNLOCKED_FOR: Final = 15 * 60.0
"""Seconds that an unlock lasts."""

_SALT: Final = os.urandom(16)
"""The salt of digests, which cover secrets: a short secret must not be guessed from one."""


@dataclass(frozen=True, slots=True)
class Write(Generic[T_co]):
    """A request that changes something. Its fields may hold secrets, so they show in no repr."""

    name: str
    """In words, for questions and the audit log: `start pipeline`."""
    path: str
    decode: Decoder[T_co]
    method: str = "POST"
    """The specification has POST only; optional endpoints use PUT and DELETE too."""
    query: Pairs = ()
    payload: Pairs | Mapping[str, object] = field(default=(), repr=False)
    """Pairs are sent as a form, an object as JSON (spec §4.1 takes both)."""
    credential: str = ""
    """The form field that holds a trigger token, sent instead of the access token."""
    optional: bool = False

    @property
    def signed(self) -> bool:
        return not self.credential

    @property
    def target(self) -> str:
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    @property
    def content(self) -> tuple[bytes | None, dict[str, str]]:
        return _encoded(self.payload)

    @property
    def digest(self) -> str:
        """Return the hash of all that is sent but the credential, which a `Confirmation` lists."""
        payload = self.payload
        if isinstance(payload, tuple):
            payload = tuple(pair for pair in payload if pair[0] != self.credential)
        parts = (self.method, self.target, self.credential, *_encoded(payload))
        return blake2b(repr(parts).encode(), digest_size=16, key=_SALT).hexdigest()


def _encoded(payload: Pairs | Mapping[str, object]) -> tuple[bytes | None, dict[str, str]]:
    if payload == ():
        return None, {}
    if isinstance(payload, tuple):
        return urlencode(payload).encode(), {"Content-Type": "application/x-www-form-urlencoded"}
    return json.dumps(payload).encode(), {"Content-Type": "application/json"}


class WriteGuard:
    """Lets a write pass if the profile allows it, the lock is open and the user confirmed it."""

    def __init__(
        self, mode: WriteMode, clock: Clock, *, audit: AuditLog | None = None, profile: str = ""
    ) -> None:
        self.mode: Final = mode
        self._clock = clock
        self._audit = audit
        self._profile = profile
        self._unlocked_until: float | None = None
        self._unlocked_at: datetime | None = None
        """The same in wall time, which includes the sleep of the machine."""
        self._used: WeakKeyDictionary[Confirmation, Counter[str]] = WeakKeyDictionary()
        """How often each digest of a confirmation was sent."""

    @property
    def unlocked_for(self) -> float:
        """Return the seconds until the lock shuts; 0 when it is shut."""
        if self._unlocked_until is None or self._unlocked_at is None:
            return 0.0
        left = self._unlocked_until - self._clock.monotonic()
        # One clock stops while the machine sleeps, the other may be set back: the shorter counts.
        passed = (self._clock.now() - self._unlocked_at).total_seconds()
        return max(0.0, min(left, UNLOCKED_FOR - passed))

    @property
    def open_until(self) -> float | None:
        """Return the monotonic second at which the lock shuts; None while it is shut."""
        return self._unlocked_until if self.unlocked_for else None

    def unlock(self) -> None:
        """Open the lock for 15 minutes. Raises WritesOffError: the profile allows no writes."""
        if self.mode is WriteMode.OFF:
            raise _off()
        self._unlocked_until = self._clock.monotonic() + UNLOCKED_FOR
        self._unlocked_at = self._clock.now()

    def lock(self) -> None:
        self._unlocked_until = None

    @property
    def problem(self) -> str:
        """Return why no write can pass now, in one sentence; empty if one can."""
        if self.mode is WriteMode.OFF:
            return _OFF
        return _LOCKED if self.mode is WriteMode.LOCKED and not self.unlocked_for else ""

    def allow(self, write: Write[Any], confirmed: Confirmation | None) -> None:
        """Check that a write may be sent.

        Raises WriteRefusedError: it is off, locked, or not what the user has confirmed, or it was
        sent already.
        """
        if self.mode is WriteMode.OFF:
            raise _off()
        if self.mode is WriteMode.LOCKED and not self.unlocked_for:
            raise WriteRefusedError(_LOCKED, hint="Unlock it: that lasts 15 minutes.")
        digest = write.digest
        if (
            confirmed is None
            or confirmed.profile != self._profile
            or digest not in confirmed.digests
        ):
            raise WriteRefusedError(f"Not confirmed, so not sent: {write.name}.", hint="")
        if self._used.get(confirmed, Counter())[digest] >= confirmed.digests.count(digest):
            raise WriteRefusedError(
                f"Sent already, so not sent again: {write.name}.", hint="A yes counts once."
            )

    def use(self, write: Write[Any], confirmed: Confirmation | None) -> None:
        """Use up the confirmation of a write sent now. Raises WriteRefusedError: as `allow`."""
        self.allow(write, confirmed)
        if confirmed is not None:
            self._used.setdefault(confirmed, Counter())[write.digest] += 1

    def restore(self, write: Write[Any], confirmed: Confirmation | None) -> None:
        """Make a confirmation usable again: the platform surely did not process the write."""
        if confirmed is not None:
            self._used[confirmed][write.digest] -= 1

    def note(self, write: Write[Any], result: str, mark: str = "") -> None:
        """Add a write's result, without secrets, to the audit log. Raises OSError."""
        if self._audit is not None:
            self._audit.append(
                AuditEntry(self._clock.now(), self._profile, write.name, write.path, result, mark)
            )


def _off() -> WritesOffError:
    return WritesOffError(_OFF, hint="Its `writes` setting is `off`, or platui runs read-only.")
