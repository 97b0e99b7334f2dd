"""Check redirects: same origin, GET only, limited number."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import httpx

from platui.api.transport import LOCATION
from platui.core.errors import InvalidResponseError, RejectedError, WrongOriginError
from platui.core.origins import origin_of
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.api.address import Address

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SHOWN: Final = 120


def is_redirect(response: httpx.Response) -> bool:
    return response.status_code in _REDIRECTS


def redirect_target(response: httpx.Response) -> httpx.URL:
    """Return the target of a redirect; the response's own URL without a valid one."""
    try:
        return response.url.join(response.extensions.get(LOCATION, ""))
    except httpx.InvalidURL:
        return response.url


def is_cross_origin(response: httpx.Response, address: Address) -> bool:
    target = redirect_target(response)
    return target != response.url and origin_of(str(target)) != address.origin


def next_hop(response: httpx.Response, address: Address) -> httpx.URL:
    """Return the target of a redirected GET, or raise for writes and other origins."""
    target = redirect_target(response)
    is_write = response.request.method != "GET"
    if is_write and response.status_code == HTTPStatus.SEE_OTHER:
        raise InvalidResponseError("The platform redirects instead of returning a result.")
    if target == response.url:
        raise InvalidResponseError("The platform sends a redirect without a usable target.")
    origin = origin_of(str(target))
    if origin != address.origin:
        elsewhere = f"{target.scheme}://{target.netloc.decode('ascii', 'replace')}"
        where = shorten(elsewhere.rpartition("@")[2], _SHOWN)
        raise WrongOriginError(
            f"{address.origin.name} redirects to {where}; nothing was sent there.",
            hint="If that is the platform's new URL, change it in the profile.",
            target=str(target),
        )
    if is_write:
        path = shorten(target.path, _SHOWN)
        raise RejectedError(
            f"The platform redirects this write to {path}.",
            status=response.status_code,
        )
    return target
