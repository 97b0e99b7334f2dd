"""Normalize and check addresses of the platform."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from platui.core.dataclass import dataclass
from platui.core.errors import ConfigError, InsecureError
from platui.core.origins import NoHostNameError, Origin, is_loopback, named_origin
from platui.core.text import shorten

PROJECT_API: Final = "/api/v4"
ADMIN_API: Final = "/api/v1"

_UNFIT: Final = re.compile(r"[\x00-\x20\x7f-\x9f\\<>\"]")
_SHOWN: Final = 120
_LONGEST: Final = 8_000  # httpx takes no more than 65,536 characters with path and query


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an API."""

    base: str  # Scheme, host, port and prefix without a trailing slash, as in a profile
    api: str  # `base` with the path of the API, without a trailing slash
    origin: Origin

    def url(self, target: str) -> str:
        return f"{self.api}/{target}"


def project_address(url: str, *, insecure: bool = False) -> Address:
    """Return the address of the project API, from a URL with or without `/api/v4`."""
    return _address(url, PROJECT_API, insecure=insecure)


def admin_address(url: str, *, insecure: bool = False) -> Address:
    return _address(url, ADMIN_API, insecure=insecure)


def _address(url: str, api: str, *, insecure: bool) -> Address:
    text = url.strip()
    try:
        origin = None if _UNFIT.search(text) else named_origin(text)
    except NoHostNameError as error:
        raise ConfigError(f"{error}.", hint="Check the URL of the platform.") from None
    if origin is None or len(text) > _LONGEST:
        # The text before an @ may be a password.
        shown = "The URL of the platform" if "@" in text else _shown(text)
        what = f"{shown} is not an http(s) URL." if text else "The URL of the platform is missing."
        raise ConfigError(what, hint="Example: https://platform.example.org")
    parts = urlsplit(text)
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            f"The URL of {shorten(origin.host, _SHOWN)} contains a user name or password.",
            hint="Remove it; set the token in the environment or a private file.",
        )
    if parts.query or parts.fragment:
        raise ConfigError(f"The URL {_shown(text)} has a query or fragment. Remove it.")
    if origin[0] == "http" and not insecure and not is_loopback(origin[1]):
        secret = "key" if api == ADMIN_API else "token"
        raise InsecureError(
            f"http://{shorten(origin.host, _SHOWN)} would send the {secret} unencrypted.",
            hint="Use https, or set `insecure = true` in the profile.",
        )
    base = origin.root + parts.path.rstrip("/").removesuffix(api).rstrip("/")
    return Address(base, base + api, origin)


def _shown(text: str) -> str:
    return f"`{shorten(text, _SHOWN)}`"
