"""Setting faults on a platform's relay."""

from __future__ import annotations

import http.client
import json
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui_emulator.server import RunningEmulator


def set_fault(platform: RunningEmulator, kind: str, **wish: Any) -> int:
    """Set a fault and return its number."""
    return int(_asked(platform, "POST", {"kind": kind, **wish})["id"])


def clear_faults(platform: RunningEmulator) -> None:
    """Take all faults away."""
    _asked(platform, "DELETE")


def faults_of(platform: RunningEmulator) -> list[dict[str, Any]]:
    """Return the faults that are set."""
    return list(_asked(platform, "GET")["faults"])


@contextmanager
def fault(platform: RunningEmulator, kind: str, **wish: Any) -> Iterator[None]:
    """Have a fault for the length of a block; at its end there is none at all."""
    set_fault(platform, kind, **wish)
    try:
        yield
    finally:
        clear_faults(platform)


def _asked(platform: RunningEmulator, method: str, body: Any = None) -> dict[str, Any]:
    """Ask the desk; a client of its own would cost more than all the rest."""
    address = urlsplit(platform.base_url)
    with closing(http.client.HTTPConnection(address.netloc, timeout=10)) as line:
        line.request(method, "/-/emulator/faults", None if body is None else json.dumps(body))
        answer = line.getresponse()
        text = answer.read()
    assert answer.status < 300, text
    return dict(json.loads(text))
