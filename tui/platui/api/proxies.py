"""Which proxy stands before the platform: the environment's, and never for loopback."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import httpx

from platui.core.errors import ConfigError
from platui.core.origins import is_loopback

if TYPE_CHECKING:
    from platui.api.address import Address


def proxy_for(address: Address) -> httpx.Proxy | None:
    """Return the proxy that the environment names for this address.

    Raises ConfigError: the variable does not hold the address of an http proxy.
    """
    scheme, host, _ = address.origin
    if is_loopback(host):
        return None
    named = getproxies_environment()
    url = named.get(scheme) or named.get("all")
    if not url or proxy_bypass(host):
        return None
    url = url if "://" in url else f"http://{url}"
    variable = f"{scheme if named.get(scheme) else 'all'}_proxy"
    try:
        proxy = httpx.Proxy(url)
        usable = bool(urlsplit(url).hostname) and proxy.url.scheme in {"http", "https"}
    except (ValueError, httpx.InvalidURL):
        usable = False
    if not usable:  # its text may hold a password: not shown
        raise ConfigError(
            f"The environment's {variable} is not the address of an http proxy.",
            hint=f"Correct it, or name {host} in no_proxy.",
        )
    return proxy
