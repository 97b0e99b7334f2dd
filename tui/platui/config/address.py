"""Addresses of platforms: one spelling for each, without credentials, query or fragment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from platui.core.origins import DEFAULT_PORTS, is_loopback, origin_of, same_origin
from platui.core.secrets import PREFIXED_TOKEN, has_token_prefix, looks_like_token

if TYPE_CHECKING:
    from platui.core.origins import Origin

_API_PATHS = ("/api/v4", "/api/v1")
_OF_PAGES = "/-/"
"""Separates the path of a project from that of its page."""
_DEEPEST = 2
"""Folders of a host to search for a platform; more than one is rare."""


_HOST = r"""(?: localhost | \d{1,3}(?:\.\d{1,3}){3} | \[[0-9a-f:]+\]
        | (?:[a-z0-9-]+\.)+[a-z]{2,24}
        | [a-z][a-z0-9-]*(?=:\d)  # a host of one word needs a port
    ) (?: :\d{1,5} )? (?: /\S* )?"""
"""An address without its scheme; compiled on first use, which no start needs."""


class BadAddressError(ValueError):
    """An address that no platform can have; the message never repeats a password."""


def normalize_root(text: str) -> str:
    """Return a platform's root: lower-case host, no API path. Raises BadAddressError."""
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


def possible_roots(text: str) -> tuple[str, ...]:
    """Return the roots that a pasted address may belong to, the likeliest first.

    It may be any page of the platform or a call of its API, and lack its scheme. A platform below a
    path of its host cannot be recognized from an address alone: hence several. Raises
    BadAddressError: `text` is no such address; the message has the reason.
    """
    text = text.strip().strip("<>\"'")
    bare = text.partition("://")[2] or text
    if looks_like_token(text) or has_token_prefix(bare.rstrip("/")):  # it would go to a name server
        raise BadAddressError("looks like a token, and not like an address")
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
    """Return whether a text given as a token is an address; tokens may have dots, too."""
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
    """Return host, and port unless it is the default: the name of a platform without a profile."""
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
