"""The journal: which requests came, for tests and the curious."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any, Final

KEPT: Final = 10_000
_SECRET: Final = re.compile(
    r"((?:^|[?&])(?:(?:private_|job_|access_)?token|signature|[^=&]*secret_value[^=&]*)=)[^&]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One request and what it was answered."""

    number: int
    at: str
    monotonic: float
    method: str
    path: str
    """The path as it was sent, with its query; secrets in it are blotted out."""
    status: int
    user: str | None
    size: int
    """Bytes of the body, compressed where it was sent so."""
    server: str = "platform"
    tokens: tuple[str, ...] = ()
    """Where a request to the storage carried a token, which it never should."""


class Journal:
    """The newest entries, in the order in which the requests came to their end."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._numbers = count(1)

    def number(self) -> int:
        """Return the number of a request that has just come in."""
        return next(self._numbers)

    def add(self, entry: Entry) -> None:
        self._entries.append(entry)

    def entries(self) -> list[Entry]:
        return list(self._entries)

    def as_json(self, after: int = 0) -> list[dict[str, Any]]:
        """Return the entries with a number above `after`."""
        return [asdict(entry) for entry in self.entries() if entry.number > after]


def blotted(target: str) -> str:
    """Return a request target without the secrets in its query."""
    return _SECRET.sub(r"\1***", target)
