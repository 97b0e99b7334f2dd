"""What the administration API says of itself: where to read it, and which version it is."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from platui.core.text import shorten
from platui.models.values.reports import ApiDocs

if TYPE_CHECKING:
    from platui.api.admin_api import AdminApi

_PLACE: Final = "docs#/reporting"
_LONGEST: Final = 120
_LONGEST_VERSION: Final = 40


def docs_address(base: str) -> str:
    """Return the address of the documentation for a browser, at its part about reporting.

    Args:
        base: the API's base, as `https://admin.example.com/api/v1`.
    """
    return f"{base}/{_PLACE}"


async def read_docs(api: AdminApi, base: str) -> ApiDocs:
    """Ask the administration API for its OpenAPI description (spec §4.2).

    A platform that answers with a page for people alone tells no version.

    Raises:
        PlatuiError: it does not answer.
    """
    _, body = await api.documentation("application/json, text/html;q=0.5")
    fields = await asyncio.to_thread(_fields, body)
    about = fields.get("info")
    about = about if isinstance(about, dict) else {}
    return ApiDocs(
        docs_address(base),
        _text(about.get("title"), _LONGEST),
        _text(about.get("version"), _LONGEST_VERSION),
        _text(fields.get("openapi"), _LONGEST_VERSION),
    )


def _fields(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _text(value: object, length: int) -> str:
    return shorten(value, length) if isinstance(value, str) else ""
