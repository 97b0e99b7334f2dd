"""State shared by both halves of a service."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.observers import Notices, Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState, RequestRecord

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.config.settings import Settings
    from platui.core.clock import Clock


BOUND: Final = 500
_MOMENT: Final = 0.05  # Seconds in which writes are collected: those of one response


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


class BackgroundWriter:
    """One thread that writes, woken once for all writes of a moment; `close` finishes them.

    Woken for each, while the event loop is busy, it would wait for the interpreter: that wakes it
    up every half millisecond.
    """

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._waiting: list[Callable[[], object]] = []
        self._timer: asyncio.TimerHandle | None = None

    def write(self, work: Callable[[], object]) -> None:
        """Queue the work, which has to report its own failures; call it in the event loop."""
        loop = asyncio.get_running_loop()
        self._waiting.append(work)
        if self._timer is None:
            self._timer = loop.call_later(_MOMENT, self.begin)

    def begin(self) -> None:
        """Begin what is queued at once, because the event loop stops; call it in the event loop."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        works, self._waiting = self._waiting, []
        if not works:
            return
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="platui-writer")
        for work in works:
            self._thread.submit(work)

    async def close(self) -> None:
        while self._waiting or self._thread is not None:
            self.begin()
            thread, self._thread = self._thread, None
            if thread is not None:
                await asyncio.to_thread(thread.shutdown)


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
    slow_since: Observable[float | None] = field(default_factory=lambda: Observable(None))
    journal: RequestJournal = field(default_factory=RequestJournal)
    background_writer: BackgroundWriter = field(default_factory=BackgroundWriter)
    notices: Notices = field(default_factory=Notices)
