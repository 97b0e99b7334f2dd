"""The administration API (spec §4.2), without quota: the access report and its documentation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from platui.api.error_responses import is_page
from platui.api.exchange import Exchange, OutgoingRequest, etag_of
from platui.api.quota import whole_number
from platui.core.errors import InvalidResponseError
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    import httpx

    from platui.core.secrets import Secret


class ReportStream:
    """The access report as a stream; hundreds of megabytes for large organizations."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.chunks = response.aiter_bytes
        self.is_unchanged = response.status_code == HTTPStatus.NOT_MODIFIED
        self.etag = etag_of(response) or ""  # Empty: none that can be sent back
        self.wire_total = whole_number(response.headers.get("content-length"))
        """Bytes on the wire, possibly compressed; None: unknown."""

    @property
    def wire_received(self) -> int:
        return self._response.num_bytes_downloaded


class AdminApi:
    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    @asynccontextmanager
    async def report(self, etag: str = "") -> AsyncIterator[ReportStream]:
        """Open the user activity report; needs a key with scope `reporting` (spec §5.1).

        `etag`: the version that the caller has; an unchanged body is not sent again. Raises
        PlatuiError: as `Exchange.open`, also while streaming. InvalidResponseError: a web page.
        """
        headers = {"Accept": "application/json"} | ({"If-None-Match": etag} if etag else {})
        accepts = (HTTPStatus.NOT_MODIFIED,) if etag else ()
        request = OutgoingRequest("reporting/report", headers=headers, accepts=accepts)
        async with self._exchange.open(request, Urgency.USER) as response:
            if is_page(response.headers.get("content-type", ""), b""):
                raise InvalidResponseError("Received a web page instead of the report.")
            yield ReportStream(response)

    async def documentation(self, accept: str = "text/html") -> tuple[str, bytes]:
        """Return type and bytes of the OpenAPI 3 documentation as HTML or JSON, by `accept`."""
        request = OutgoingRequest("docs", headers={"Accept": accept}, signed=False)
        async with self._exchange.open(request, Urgency.USER) as response:
            body = await self._exchange.read_body(response)
            return response.headers.get("content-type", ""), body

    def set_key(self, key: Secret | None) -> None:
        """Replace the key. Raises CredentialError: invalid characters."""
        self._exchange.credential.replace(key)

    async def aclose(self) -> None:
        await self._exchange.aclose()
