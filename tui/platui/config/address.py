"""Addresses of platforms: one spelling for each, and nothing in them but a place."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from platui.core.origins import DEFAULT_PORTS, origin_of

if TYPE_CHECKING:
    from platui.core.origins import Origin

_API_PATHS = ("/api/v4", "/api/v1")


class BadAddressError(ValueError):
    """An address that cannot be a platform's; the text never repeats a password."""


def normalize_root(text: str) -> str:
    """Return the root of a platform: lower-case host, no API path, no slash at the end.

    Raises:
        BadAddressError: `text` is not such an address; the message says why.
    """
    text = text.strip()
    parts = _split(text)
    if parts.scheme not in DEFAULT_PORTS:
        raise BadAddressError("is not an address that begins with https://")
    if not parts.hostname:
        raise BadAddressError("names no host")
    if parts.username is not None or parts.password is not None:
        raise BadAddressError("holds a user or password; credentials have keys of their own")
    if parts.query or parts.fragment:
        raise BadAddressError("holds more than an address; end it before `?` or `#`")
    path = parts.path.rstrip("/")
    for ending in _API_PATHS:
        path = path.removesuffix(ending).rstrip("/")
    return _origin(text).root + path


def host_name(root: str) -> str:
    """Return host, and port where it is not the usual one: a name for a nameless platform."""
    return _origin(root).name


def _origin(text: str) -> Origin:
    if (origin := origin_of(text)) is None:
        raise BadAddressError("names no host")
    return origin


def _split(text: str) -> SplitResult:
    if not text.isprintable() or " " in text:
        raise BadAddressError("holds a space or an invisible character")
    try:
        parts = urlsplit(text)
        _ = parts.port  # parsed only when asked for, and then it may be no number
    except ValueError as error:
        raise BadAddressError("is not a readable address") from error
    return parts
