"""Writes as values, and the guard that checks each write."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Generic
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from platui.api.endpoint import Decoder, Pairs, T_co
from platui.core.dataclass import dataclass
from platui.core.errors import WriteRefusedError, WritesOffError
from platui.models.values.write_states import AuditEntry, AuditLog
from platui.models.values.writes import Confirmation, WriteMode

if TYPE_CHECKING:
    from platui.core.clock import Clock

_OFF: Final = "Writes are off in this profile."
_OFF_HINT: Final = "The `writes` setting is `off`, or platui runs read-only."
_LOCKED: Final = "Writes are locked in this profile."

UNLOCKED_FOR: Final = 15 * 60.0  # Seconds that an unlock lasts

_SALT: Final = os.urandom(16)
"""Salt of digests: a short secret must not be guessable from its digest."""


@dataclass(frozen=True, slots=True)
class Write(Generic[T_co]):
    """A request that changes data. Its fields may hold secrets, so repr omits them."""

    name: str  # For confirmations and the audit log: `start pipeline`
    path: str
    decode: Decoder[T_co]
    method: str = "POST"
    """The specification has POST only; optional endpoints also use PUT and DELETE."""
    query: Pairs = ()
    payload: Pairs | Mapping[str, object] = field(default=(), repr=False)
    """Pairs are sent as a form, an object as JSON (spec §4.1 accepts both)."""
    credential: str = ""  # The form field with a trigger token, sent instead of the access token
    optional: bool = False

    @property
    def target(self) -> str:
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    @property
    def content(self) -> tuple[bytes | None, dict[str, str]]:
        """Return the body and its headers."""
        if self.payload == ():
            return None, {}
        if isinstance(self.payload, tuple):
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            return urlencode(self.payload).encode(), form
        return json.dumps(self.payload).encode(), {"Content-Type": "application/json"}

    @property
    def digest(self) -> str:
        """Return the hash of the request without the credential; a `Confirmation` lists it."""
        public = self
        if isinstance(self.payload, tuple):
            payload = tuple(pair for pair in self.payload if pair[0] != self.credential)
            public = replace(self, payload=payload)
        parts = (self.method, self.target, self.credential, *public.content)
        return blake2b(repr(parts).encode(), digest_size=16, key=_SALT).hexdigest()


class WriteGuard:
    """Allows a write if the profile, the lock and the user's confirmation allow it."""

    def __init__(
        self, mode: WriteMode, clock: Clock, *, audit: AuditLog | None = None, profile: str = ""
    ) -> None:
        self.mode: Final = mode
        self._clock = clock
        self._audit = audit
        self._profile = profile
        self._unlocked_until: float | None = None
        self._unlocked_at: datetime | None = None
        """Wall time, which includes suspend of the machine."""
        self._used: WeakKeyDictionary[Confirmation, Counter[str]] = WeakKeyDictionary()
        """Sent writes of each confirmation, by digest."""

    @property
    def unlocked_for(self) -> float:
        """Return the seconds until the guard locks; 0: locked."""
        if self._unlocked_until is None or self._unlocked_at is None:
            return 0.0
        left = self._unlocked_until - self._clock.monotonic()
        # One clock stops while the machine sleeps, the other may be set back.
        passed = (self._clock.now() - self._unlocked_at).total_seconds()
        return max(0.0, min(left, UNLOCKED_FOR - passed))

    @property
    def open_until(self) -> float | None:
        """Return the monotonic time at which the guard locks; None: locked."""
        return self._unlocked_until if self.unlocked_for else None

    def unlock(self) -> None:
        """Unlock for 15 minutes. Raises WritesOffError: the profile allows no writes."""
        if self.mode is WriteMode.OFF:
            raise WritesOffError(_OFF, hint=_OFF_HINT)
        self._unlocked_until = self._clock.monotonic() + UNLOCKED_FOR
        self._unlocked_at = self._clock.now()

    def lock(self) -> None:
        self._unlocked_until = None

    @property
    def problem(self) -> str:
        """Return why writes are not allowed now; empty if they are."""
        if self.mode is WriteMode.OFF:
            return _OFF
        return _LOCKED if self.mode is WriteMode.LOCKED and not self.unlocked_for else ""

    def allow(self, write: Write[Any], confirmed: Confirmation | None) -> None:
        """Check that a write may be sent, or raise WriteRefusedError."""
        if self.mode is WriteMode.OFF:
            raise WritesOffError(_OFF, hint=_OFF_HINT)
        if self.mode is WriteMode.LOCKED and not self.unlocked_for:
            raise WriteRefusedError(_LOCKED, hint="Unlock them for 15 minutes.")
        digest = write.digest
        if (
            confirmed is None
            or confirmed.profile != self._profile
            or digest not in confirmed.digests
        ):
            raise WriteRefusedError(f"Not sent, because not confirmed: {write.name}.", hint="")
        if self._used.get(confirmed, Counter())[digest] >= confirmed.digests.count(digest):
            raise WriteRefusedError(f"Already sent: {write.name}.", hint="Confirm it again.")

    def use(self, write: Write[Any], confirmed: Confirmation | None) -> None:
        """Use up the confirmation of a write. Raises WriteRefusedError: as `allow`."""
        self.allow(write, confirmed)
        if confirmed is not None:
            self._used.setdefault(confirmed, Counter())[write.digest] += 1

    def restore(self, write: Write[Any], confirmed: Confirmation | None) -> None:
        """Make a confirmation usable again after a write that was certainly not processed."""
        if confirmed is not None:
            self._used[confirmed][write.digest] -= 1

    def note(self, write: Write[Any], result: str, mark: str = "") -> None:
        """Add a result without secrets to the audit log. Raises OSError."""
        if self._audit is not None:
            self._audit.append(
                AuditEntry(self._clock.now(), self._profile, write.name, write.path, result, mark)
            )
