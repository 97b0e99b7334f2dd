"""The platform's addresses: normalised and checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from platui.core.errors import ConfigError, InsecureError
from platui.core.origins import Origin, is_loopback, origin_of
from platui.core.text import shorten

PROJECT_API: Final = "/api/v4"
ADMIN_API: Final = "/api/v1"

_UNFIT: Final = re.compile(r"[\x00-\x20\x7f-\x9f\\<>\"]")
_SHOWN: Final = 120


@dataclass(frozen=True, slots=True)
class Address:
    """Where an API lives."""

    base: str
    """Scheme, host, port and prefix, without a trailing slash: what a profile shows."""
    api: str
    """`base` with the API's own path, without a trailing slash."""
    origin: Origin

    @property
    def host(self) -> str:
        return self.origin[1]

    def url(self, target: str) -> str:
        return f"{self.api}/{target}"


def project_address(url: str, *, insecure: bool = False) -> Address:
    """Return the address of the project API, from a base URL with or without `/api/v4`.

    Raises InsecureError: plain http, not loopback, and not allowed by the profile. ConfigError: not
    an address.
    """
    return _address(url, PROJECT_API, insecure=insecure)


def admin_address(url: str, *, insecure: bool = False) -> Address:
    """Return the address of the administration API. Raises as `project_address`."""
    return _address(url, ADMIN_API, insecure=insecure)


def _address(url: str, api: str, *, insecure: bool) -> Address:
    text = url.strip()
    origin = origin_of(text)
    if _UNFIT.search(text) or origin is None:
        raise ConfigError(_not_an_address(text), hint="It looks like https://platform.example.org")
    parts = urlsplit(text)
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            f"The address of {origin[1]} has a user name or password in it.",
            hint="Leave it out; the token comes from the environment or a private file.",
        )
    if parts.query or parts.fragment:
        raise ConfigError(f"The address {_shown(text)} has a query or fragment; leave it out.")
    if origin[0] == "http" and not insecure and not is_loopback(origin[1]):
        secret = "key" if api == ADMIN_API else "token"
        raise InsecureError(
            f"http://{origin[1]} would carry the {secret} in clear.",
            hint="Use https, or say `insecure = true` in the profile.",
        )
    base = origin.root + parts.path.rstrip("/").removesuffix(api).rstrip("/")
    return Address(base, base + api, origin)


def _not_an_address(text: str) -> str:
    if not text:
        return "There is no address of the platform."
    if "@" in text:  # the text before it may be a password
        return "The address of the platform is not an http(s) address."
    return f"{_shown(text)} is not an http(s) address."


def _shown(text: str) -> str:
    return f"`{shorten(text, _SHOWN)}`"
