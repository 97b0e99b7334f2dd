"""A request and an answer on their way through the relay, and how a connection may end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
    from typing import TypeAlias

Headers = tuple[tuple[bytes, bytes], ...]
"""Names in lower case, in the order in which they came."""


class Dropped(Exception):  # noqa: N818  (an end that is meant, not an error of ours)
    """The connection is to end here, without another byte."""

    def __init__(self, *, reset: bool) -> None:
        super().__init__("reset" if reset else "closed")
        self.reset = reset


class Then(Enum):
    """What becomes of the connection after an answer."""

    KEEP = auto()
    CLOSE = auto()
    RESET = auto()


@dataclass(frozen=True, slots=True)
class Call:
    """A request of a client."""

    method: str
    target: str
    """Path and query, as sent."""
    headers: Headers
    body: AsyncIterable[bytes]

    def without(self, *names: bytes) -> Call:
        """Return the request without some of its headers."""
        return replace(self, headers=_without(self.headers, names))

    def plain(self) -> Call:
        """Return the request asking for a full answer whose bytes can be read."""
        return self.without(b"accept-encoding", b"if-none-match", b"range", b"if-range")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; its body comes as it is read."""

    status: int
    headers: Headers
    body: AsyncIterable[bytes]
    reason: bytes = b""
    whole: bool = True
    """Whether the body's end is said as HTTP says it."""
    excess: bytes = b""
    """What comes behind the end of the body."""
    silent: float = 0.0
    """Seconds without a byte before the connection ends."""
    then: Then = Then.KEEP

    def header(self, name: bytes) -> str | None:
        """Return the value of a header."""
        return next((value.decode("latin-1") for key, value in self.headers if key == name), None)

    def with_headers(self, **values: str | None) -> Answer:
        """Return the answer with headers replaced, or left out for None; `_` stands for `-`."""
        changed = {name.replace("_", "-").encode(): value for name, value in values.items()}
        added = [(name, text.encode()) for name, text in changed.items() if text is not None]
        return replace(self, headers=(*_without(self.headers, tuple(changed)), *added))

    def with_body(self, body: bytes) -> Answer:
        """Return the answer with another body."""
        plain = self.with_headers(
            etag=None, transfer_encoding=None, content_encoding=None, content_length=str(len(body))
        )
        return replace(plain, body=one(body))


Ask: TypeAlias = "Callable[[Call], Awaitable[Answer]]"


async def one(body: bytes) -> AsyncIterator[bytes]:
    """Yield a body that is at hand."""
    if body:
        yield body


async def read(body: AsyncIterable[bytes]) -> bytes:
    """Return a whole body."""
    return b"".join([chunk async for chunk in body])


def _without(headers: Headers, names: tuple[bytes, ...]) -> Headers:
    return tuple(pair for pair in headers if pair[0] not in names)
