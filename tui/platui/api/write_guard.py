"""The one guard that every write passes: off, locked or confirmed, and written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import WriteRefusedError, WritesOffError
from platui.models.values.audit import AuditEntry
from platui.models.values.writes import WriteMode

if TYPE_CHECKING:
    from datetime import datetime

    from platui.api.operations import Write
    from platui.core.clock import Clock
    from platui.models.values.audit import AuditLog
    from platui.models.values.writes import Confirmation

_OFF: Final = "Writes are off in this profile."
_LOCKED: Final = "This profile is locked against writes."

UNLOCKED_FOR: Final = 15 * 60.0
"""Seconds that an unlock lasts."""


class WriteGuard:
    """Lets a write through when the profile, the lock and the user all say yes."""

    def __init__(
        self, mode: WriteMode, clock: Clock, *, audit: AuditLog | None = None, profile: str = ""
    ) -> None:
        self._mode = mode
        self._clock = clock
        self._audit = audit
        self._profile = profile
        self._unlocked_until: float | None = None
        self._unlocked_at: datetime | None = None
        """The same on the wall's clock, which goes on while a machine sleeps."""

    @property
    def mode(self) -> WriteMode:
        """Return what the profile lets through."""
        return self._mode

    @property
    def unlocked_for(self) -> float:
        """Return the seconds that the lock stays open; 0 when it is shut.

        The shorter of what two clocks say: one stands still while the machine sleeps, the
        other may be set back.
        """
        if self._unlocked_until is None or self._unlocked_at is None:
            return 0.0
        left = self._unlocked_until - self._clock.monotonic()
        passed = (self._clock.now() - self._unlocked_at).total_seconds()
        return max(0.0, min(left, UNLOCKED_FOR - passed))

    @property
    def open_until(self) -> float | None:
        """Return the monotonic second at which the lock shuts; None while it is shut."""
        return self._unlocked_until if self.unlocked_for else None

    def unlock(self) -> None:
        """Open the lock for 15 minutes.

        Raises:
            WritesOffError: the profile allows no writes at all.
        """
        if self._mode is WriteMode.OFF:
            raise _off()
        self._unlocked_until = self._clock.monotonic() + UNLOCKED_FOR
        self._unlocked_at = self._clock.now()

    def lock(self) -> None:
        """Shut the lock."""
        self._unlocked_until = None

    @property
    def problem(self) -> str:
        """Return why no write could go now, one sentence; empty where one could."""
        if self._mode is WriteMode.OFF:
            return _OFF
        return _LOCKED if self._mode is WriteMode.LOCKED and not self.unlocked_for else ""

    def allow(self, write: Write[Any], confirmed: Confirmation | None) -> None:
        """Return for a write that may go.

        Raises:
            WriteRefusedError: it is off, locked, or the user's yes was to something else.
        """
        if self._mode is WriteMode.OFF:
            raise _off()
        if self._mode is WriteMode.LOCKED and not self.unlocked_for:
            raise WriteRefusedError(_LOCKED, hint="Unlock it: that lasts 15 minutes.")
        if confirmed is None or confirmed.key != write.key:
            raise WriteRefusedError(f"Nobody has confirmed: {write.name}.", hint="")

    def note(self, write: Write[Any], result: str, mark: str = "") -> None:
        """Write down what became of a write.

        Args:
            write: which one.
            result: what became of it; no secret.
            mark: the same at every note about it.

        Raises:
            OSError: it cannot be written down.
        """
        if self._audit is not None:
            self._audit.append(
                AuditEntry(self._clock.now(), self._profile, write.name, write.path, result, mark)
            )


def _off() -> WritesOffError:
    return WritesOffError(_OFF, hint="Its `writes` setting is `off`, or platui runs read-only.")
