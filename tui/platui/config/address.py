"""Normalize and recognize addresses of platforms."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from platui.core.origins import (
    DEFAULT_PORTS,
    NoHostNameError,
    Origin,
    is_loopback,
    named_origin,
    same_origin,
)
from platui.core.secrets import PREFIXED_TOKEN, has_token_prefix, looks_like_token

_API_PATHS = ("/api/v4", "/api/v1")
_OF_PAGES = "/-/"  # Separates the path of a project from that of its page
_DEEPEST = 2  # Levels of the host's path that may contain the platform

_HOST = r"""(?: localhost | \d{1,3}(?:\.\d{1,3}){3} | \[[0-9a-f:]+\]
        | (?:[a-z0-9-]+\.)+[a-z]{2,24}
        | [a-z][a-z0-9-]*(?=:\d)  # a host of one word needs a port
    ) (?: :\d{1,5} )? (?: /\S* )?"""
"""An address without scheme; compiled on first use."""


class BadAddressError(ValueError):
    """An invalid platform address; the message never contains a password."""


def normalize_root(text: str) -> str:
    """Return a platform's root: lower-case host, no API path. Raises BadAddressError."""
    text = text.strip()
    parts = _split(text)
    if parts.scheme not in DEFAULT_PORTS:
        raise BadAddressError("does not begin with https:// or http://")
    if not parts.hostname:
        raise BadAddressError("has no host")
    if parts.username is not None or parts.password is not None:
        raise BadAddressError("contains a user or password; use the keys for credentials")
    if parts.query or parts.fragment:
        raise BadAddressError("contains a query or fragment; end it before `?` or `#`")
    path = parts.path.rstrip("/")
    for ending in _API_PATHS:
        path = path.removesuffix(ending).rstrip("/")
    return _origin(text).root + path


def possible_roots(text: str) -> tuple[str, ...]:
    """Return the possible roots of a pasted address, the likeliest first."""
    text = text.strip().strip("<>\"'")
    bare = text.partition("://")[2] or text
    if looks_like_token(text) or has_token_prefix(
        bare.rstrip("/")
    ):  # it would be sent to a DNS server
        raise BadAddressError("looks like a token, not a URL")
    if "://" not in text:
        host = _split(f"https://{text}").hostname or ""
        text = f"{'http' if is_loopback(host) else 'https'}://{text}"
    parts = _split(text)
    whole = f"{parts.scheme}://{parts.netloc}"
    api = next((one for one in _API_PATHS if f"{one}/" in f"{parts.path}/"), "")
    if api:
        return (normalize_root(whole + f"{parts.path}/".partition(f"{api}/")[0]),)
    before = f"{parts.path}/".partition(_OF_PAGES)[0]
    folders = [one for one in before.split("/") if one][:_DEEPEST]
    below = ("/".join(["", *folders[:deep]]) for deep in range(len(folders) + 1))
    return tuple(normalize_root(whole + path) for path in below)


def looks_like_address(text: str) -> bool:
    """Return whether a text entered as a token is an address; tokens may contain dots."""
    text = text.strip()
    scheme, separator, rest = text.partition("://")
    if separator:
        return scheme.isalnum() and not looks_like_token(rest) and not has_token_prefix(rest)
    if looks_like_token(text) or PREFIXED_TOKEN.match(text):
        return False
    return re.fullmatch(_HOST, text, re.IGNORECASE | re.VERBOSE) is not None


def is_same_platform(text: str, root: str) -> bool:
    try:
        return same_origin(normalize_root(text), root)
    except BadAddressError:
        return False


def host_name(root: str) -> str:
    """Return host and non-default port: the name of a platform without a profile."""
    return _origin(root).name


def _origin(text: str) -> Origin:
    try:
        origin = named_origin(text)
    except NoHostNameError as error:
        raise BadAddressError(f"contains {error.host}, which is not the name of a host") from error
    if origin is None:
        raise BadAddressError("has no host")
    return origin


def _split(text: str) -> SplitResult:
    if not text.isprintable() or " " in text:
        raise BadAddressError("contains a space or an invisible character")
    try:
        parts = urlsplit(text)
        _ = parts.port  # parsed on access; raises ValueError if not a number
    except ValueError as error:
        raise BadAddressError("is not a valid URL") from error
    return parts
