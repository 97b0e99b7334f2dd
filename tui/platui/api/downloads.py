"""Download artifacts of a job from the platform or its object storage."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from platui.api.endpoints import jobs
from platui.api.error_responses import is_page
from platui.api.exchange import OutgoingRequest
from platui.api.quota import whole_number
from platui.core.errors import InvalidResponseError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from platui.models.values.queries import ProjectRef

_CONTENT_RANGE: Final = re.compile(r"bytes\s+(\d{1,15})-\d{1,15}/(\d{1,15}|\*)")


class Download:
    """A response with a file; its bytes are read while it is open."""

    def __init__(self, response: httpx.Response) -> None:
        headers = response.headers
        if is_page(headers.get("content-type", ""), b""):
            raise InvalidResponseError("Received a web page instead of the artifacts.")
        self._response = response
        self.start = 0  # Offset of the first byte in the file
        self.total: int | None = None  # Size of the whole file; None: unknown
        etag = headers.get("etag", "")
        self.mark: str = etag if etag.startswith('"') else headers.get("last-modified", "")
        """ETag or modification date that identifies this version; may be empty."""
        if response.status_code == HTTPStatus.PARTIAL_CONTENT:
            found = _CONTENT_RANGE.fullmatch(headers.get("content-range", "").strip())
            if found is None:
                raise InvalidResponseError("Received a part of the file without its range.")
            self.start = int(found[1])
            self.total = None if found[2] == "*" else int(found[2])
        elif "content-encoding" not in headers:
            self.total = whole_number(headers.get("content-length"))

    def chunks(self) -> AsyncIterator[bytes]:
        return self._response.aiter_bytes()


def artifacts_request(project: ProjectRef, job: int, start: int, mark: str) -> OutgoingRequest:
    headers = {"Accept": "application/zip, application/octet-stream, */*;q=0.1"}
    headers["Accept-Encoding"] = "identity"
    if start:
        headers["Range"] = f"bytes={start}-"
        if mark:
            headers["If-Range"] = mark
    endpoint = jobs.artifacts(project, job)
    return OutgoingRequest(
        endpoint.path, optional=endpoint.optional, headers=headers, allows_other_origin=True
    )
