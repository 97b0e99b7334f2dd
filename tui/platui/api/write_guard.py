"""The guard that checks each write."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from platui.core.errors import WriteRefusedError, WritesOffError
from platui.models.values.write_states import AuditEntry, AuditLog
from platui.models.values.writes import Confirmation, WriteMode

if TYPE_CHECKING:
    from platui.api.write import Write
    from platui.core.clock import Clock

_OFF: Final = "Writes are off in this profile."
_OFF_HINT: Final = "The `writes` setting is `off`, or platui runs read-only."
_LOCKED: Final = "Writes are locked in this profile."

UNLOCKED_FOR: Final = 15 * 60.0  # Seconds that an unlock lasts


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
