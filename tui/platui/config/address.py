"""Addresses of platforms: one spelling for each, and nothing in them but a place."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

_API_PATHS = ("/api/v4", "/api/v1")
_DEFAULT_PORTS = {"http": 80, "https": 443}


class BadAddressError(ValueError):
    """An address that cannot be a platform's; the text never repeats a password."""


def normalize_root(text: str) -> str:
    """Return the root of a platform: lower-case host, no API path, no slash at the end.

    Raises:
        BadAddressError: `text` is not such an address; the message says why.
    """
    parts = _split(text.strip())
    if parts.scheme not in _DEFAULT_PORTS:
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
    return _origin(parts) + path


def origin(root: str) -> str:
    """Return scheme, host and port of an address: what a credential belongs to.

    Raises:
        BadAddressError: `root` has no readable host or port.
    """
    return _origin(_split(root))


def same_origin(one: str, other: str) -> bool:
    """Return whether a credential for one address may be sent to the other."""
    return origin(one) == origin(other)


def host_name(root: str) -> str:
    """Return host, and port where it is not the usual one: a name for a nameless platform."""
    return _origin(_split(root)).partition("://")[2]


def _split(text: str) -> SplitResult:
    if not text.isprintable() or " " in text:
        raise BadAddressError("holds a space or an invisible character")
    try:
        parts = urlsplit(text)
        _ = parts.port  # parsed only when asked for, and then it may be no number
    except ValueError as error:
        raise BadAddressError("is not a readable address") from error
    return parts


def _origin(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        host = f"[{host}]"
    port = "" if parts.port in {None, _DEFAULT_PORTS.get(parts.scheme)} else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"
