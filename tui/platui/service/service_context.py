"""State shared by both halves of a service."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from platui.core.observers import Notices, Observable
from platui.models.values.connection import Connection, ConnectionState
from platui.service.background_writer import BackgroundWriter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.profile import Profile
    from platui.config.settings import Settings
    from platui.core.clock import Clock
    from platui.models.values.connection import BudgetState, RequestRecord


BOUND: Final = 500


class RequestJournal:
    """Keeps the newest request records; observe `newest` for changes."""

    def __init__(self, bound: int = BOUND) -> None:
        self._records: deque[RequestRecord] = deque(maxlen=bound)
        self._count = 0
        self.newest: Observable[int] = Observable(0)

    def add(self, record: RequestRecord) -> None:
        # Numbered here, because each API client counts its own.
        self._count += 1
        self._records.appendleft(replace(record, number=self._count))
        self.newest.set(self._count)

    def recent(self) -> tuple[RequestRecord, ...]:
        """Return the records, newest first."""
        return tuple(self._records)


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """State shared by the service and its connection."""

    profile: Profile
    settings: Settings
    clock: Clock
    # may contain secrets, which are removed from the process environment
    environ: Mapping[str, str]
    budget: Observable[BudgetState]
    line: Observable[Connection] = field(
        default_factory=lambda: Observable(Connection(ConnectionState.UNKNOWN))
    )
    journal: RequestJournal = field(default_factory=RequestJournal)
    background_writer: BackgroundWriter = field(default_factory=BackgroundWriter)
    notices: Notices = field(default_factory=Notices)
