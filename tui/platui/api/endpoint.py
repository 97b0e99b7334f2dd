"""GET requests of the project API as values: URL and decoder, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Generic, TypeVar
from urllib.parse import quote, urlencode

from platui.api.decoding import PageDecoder, RecordDecoder
from platui.core.dataclass import dataclass
from platui.models.wire import Record

if TYPE_CHECKING:
    import httpx

    from platui.models.values.feeds import Page

T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R", bound=Record)

Pairs = tuple[tuple[str, str], ...]

MAX_PER_PAGE: Final = 100  # Spec §8


Decoder = Callable[[bytes, Mapping[str, str]], T_co]
"""Decodes a response body and its cached headers. Raises InvalidResponseError: not as specified."""


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[T_co]):
    """A GET request that returns one value."""

    path: str  # Below the API's base, encoded
    decode: Decoder[T_co]
    query: Pairs = ()
    cacheable: bool = True  # False: responses may contain secrets and are not cached on disk
    optional: bool = False  # Whether the endpoint is not in the specification (§4.3)

    @property
    def target(self) -> str:
        """Return path and query, which are also the cache key; they contain no secret."""
        if not self.query:
            return self.path
        return f"{self.path}?{urlencode(self.query, errors='replace')}"  # a typed byte is no UTF-8


@dataclass(frozen=True, slots=True)
class ListEndpoint(Generic[R]):
    """A GET request that returns a list page by page (spec §8)."""

    path: str
    model: type[R]
    filters: Pairs = ()  # Query parameters; empty values are omitted
    keep: Callable[[R], bool] | None = None
    """The same filter locally, for platforms that ignore query parameters."""
    per_page: int = MAX_PER_PAGE
    optional: bool = False

    def page(self, number: int = 1) -> Endpoint[Page[R]]:
        query = (
            *((name, value) for name, value in self.filters if value),
            ("page", str(number)),
            ("per_page", str(self.per_page)),
        )
        decode = PageDecoder(self.model, number, self.per_page, self.keep)
        return Endpoint(self.path, decode, query, optional=self.optional)

    def one_item(self) -> Endpoint[Page[R]]:
        """Return a request of one item: whether the list can be read costs little."""
        return replace(self, per_page=1).page()


@dataclass(frozen=True, slots=True)
class StreamEndpoint:
    """A GET request whose bytes are read as they arrive."""

    path: str
    optional: bool = False


def record(
    path: str,
    model: type[R],
    query: Pairs = (),
    *,
    cacheable: bool = True,
    optional: bool = False,
) -> Endpoint[R]:
    return Endpoint(path, RecordDecoder(model), query, cacheable, optional)


def segment(value: int | str) -> str:
    """Return one encoded path segment (spec §4.1), never `.` or `..`."""
    text = quote(str(value), safe="", errors="replace")
    return text.replace(".", "%2E") if text in {".", ".."} else text


def cacheable_headers(headers: httpx.Headers) -> dict[str, str]:
    return {name: headers[name] for name in CACHEABLE_HEADERS if name in headers}


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """The response to an `Endpoint`: bytes to cache and decode, or "not modified"."""

    body: bytes
    headers: Mapping[str, str]  # Lower-case names; only `CACHEABLE_HEADERS`
    at: datetime  # When it arrived, by our clock (UTC)
    etag: str | None = None
    not_modified: bool = False  # 304: the cached body with this ETag is valid; `body` is empty
    reported_at: datetime | None = None  # When it was sent, by the platform's clock; None: unknown


CACHEABLE_HEADERS: Final = (
    "content-type",
    "link",
    "x-next-page",
    "x-page",
    "x-per-page",
    "x-total",
    "x-total-pages",
)
