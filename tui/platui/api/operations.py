"""A request as a value: what to ask, and how to read the answer. No I/O here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

T_co = TypeVar("T_co", covariant=True)

Pairs = tuple[tuple[str, str], ...]


class Decoder(Protocol[T_co]):
    """Reads an answer's body and the headers that were kept of it."""

    def __call__(self, body: bytes, headers: Mapping[str, str]) -> T_co:
        """Return the value.

        Raises:
            UnreadableAnswerError: the answer is not what the spec promises.
        """
        ...


@dataclass(frozen=True, slots=True)
class Operation(Generic[T_co]):
    """A GET of the project API."""

    path: str
    """Below the API's base, encoded."""
    decode: Decoder[T_co]
    query: Pairs = ()
    kept: bool = True
    """Whether its answers may lie on disk: variables may be secrets."""

    @property
    def target(self) -> str:
        """Return path and query as they are sent."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    @property
    def key(self) -> str:
        """Return what names this request in a cache; it holds no secret."""
        return self.target


@dataclass(frozen=True, slots=True)
class Write(Generic[T_co]):
    """A request that changes something. Its fields may hold secrets, so they show in no repr."""

    name: str
    """In words, for questions and the audit log: `start pipeline`."""
    path: str
    decode: Decoder[T_co]
    method: str = "POST"
    """The spec knows POST; neighbours have PUT and DELETE, too."""
    query: Pairs = ()
    payload: Pairs | Mapping[str, object] = field(default=(), repr=False)
    """Pairs are sent as a form, an object as JSON (spec §4.1 takes both)."""
    signed: bool = True
    """Whether the access token goes along; a trigger token stands in for it."""

    @property
    def target(self) -> str:
        """Return path and query as they are sent."""
        return f"{self.path}?{urlencode(self.query)}" if self.query else self.path

    @property
    def key(self) -> str:
        """Return what a `Confirmation` names: the act and its target."""
        return f"{self.name} {self.target}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for an `Operation`: bytes to keep and decode, or word that nothing changed."""

    body: bytes
    headers: Mapping[str, str]
    """Lower-case names; only those of `KEPT_HEADERS`, fit to be cached with the body."""
    at: datetime
    """When the platform said so (UTC)."""
    etag: str | None = None
    not_modified: bool = False
    """304: the body kept under this ETag is still true; `body` is empty."""
    said_at: datetime | None = None
    """When the platform said so by its own clock, where it tells that."""


KEPT_HEADERS = frozenset(
    {
        "content-type",
        "link",
        "x-next-page",
        "x-page",
        "x-per-page",
        "x-total",
        "x-total-pages",
    },
)
