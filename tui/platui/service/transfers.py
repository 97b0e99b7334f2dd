"""How long requests took, from the journal: waiting for a turn at the gate is no part of it."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.models.values.connection import RequestRecord

_BOUND: Final = 256


class Transfers:
    """Remembers the last duration of each path."""

    def __init__(self) -> None:
        self._seconds: OrderedDict[str, float] = OrderedDict()

    def note(self, record: RequestRecord) -> None:
        """Take one more record."""
        self._seconds[record.path] = record.milliseconds / 1000
        self._seconds.move_to_end(record.path)
        if len(self._seconds) > _BOUND:
            self._seconds.popitem(last=False)

    def seconds(self, path: str) -> float:
        """Return how long the last request of a path took; nothing where none is known."""
        return self._seconds.get(path, 0.0)
