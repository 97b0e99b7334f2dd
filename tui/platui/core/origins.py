"""Origins of addresses: scheme, host and port."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from platui.core.named_tuple import NamedTuple
from platui.core.text import shorten

DEFAULT_PORTS: Final = {"http": 80, "https": 443}

_SHOWN_HOST: Final = 80
_IPV4: Final = re.compile(r"[0-9]+(?:\.[0-9]+){3}")


class NoHostNameError(ValueError):
    """A host that cannot have this name; the message is a sentence without a full stop."""

    def __init__(self, host: str) -> None:
        self.host: Final = shorten(host, _SHOWN_HOST)
        super().__init__(f"{self.host} is not the name of a host")


class Origin(NamedTuple):
    """Scheme, host and port; a credential belongs to one origin."""

    scheme: str
    host: str
    port: int

    @property
    def name(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def root(self) -> str:
        """Return the normalized address of the origin."""
        return f"{self.scheme}://{self.name}"


def origin_of(url: str) -> Origin | None:
    """Return the origin of an http(s) address, with its host in ASCII; None if it has none."""
    try:
        return named_origin(url)
    except NoHostNameError:
        return None


def named_origin(url: str) -> Origin | None:
    """Do the same as `origin_of`, but raise NoHostNameError if the host cannot have its name."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    scheme = parts.scheme
    host = _ascii_host(parts.hostname or "")
    if scheme not in DEFAULT_PORTS or not host:
        return None
    return Origin(scheme, host, port if port is not None else DEFAULT_PORTS[scheme])


def _ascii_host(host: str) -> str:
    """Return the name that a host is connected by. Raises NoHostNameError."""
    host = host.rstrip(".")
    try:
        if _IPV4.fullmatch(host):
            import ipaddress  # noqa: PLC0415  (1 ms before the first frame)

            ipaddress.IPv4Address(host)
        elif not host.isascii():
            import idna  # noqa: PLC0415  (only for an international name)

            host = idna.encode(host.lower()).decode("ascii").rstrip(".")
        elif host.startswith("xn--"):
            import idna  # noqa: PLC0415  (only for an international name)

            idna.decode(host)
    except ValueError as error:  # also IDNAError
        raise NoHostNameError(host) from error
    return host


def is_loopback(host: str) -> bool:
    """Return whether the host is this machine, by name or IP address."""
    import ipaddress  # noqa: PLC0415  (1 ms before the first frame)

    host = host.rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def same_origin(one: str, other: str) -> bool:
    """Return whether a credential for one address may be sent to the other."""
    origin = origin_of(one)
    return origin is not None and origin == origin_of(other)


def is_of_origin(url: str, origin: str) -> bool:
    """Return whether an address is of `origin`, without user info or odd characters."""
    if not same_origin(origin, url):
        return False
    host = urlsplit(url).netloc
    # Only the host may have letters outside ASCII; it is that of the origin.
    rest = url.replace(host, "", 1)
    is_plain = all("!" <= character <= "~" for character in rest)
    return is_plain and "\\" not in url and "@" not in host
