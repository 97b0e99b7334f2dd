"""Open URLs in a browser, without the text browser that `webbrowser` may start in the terminal."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Final

from platui.config.environment import without_secrets
from platui.core.named_tuple import NamedTuple
from platui.core.origins import is_of_origin

_OPENERS: Final = (["xdg-open"], ["gio", "open"], ["wslview"], ["x-www-browser"])
_PATIENCE: Final = 1.0  # Seconds within which a failing opener exits; a running one is a browser


class BrowserOutcome(NamedTuple):
    opened: bool
    sentence: str
    address: str  # To show if not opened; empty if not trusted


async def open_address(
    url: str, allowed_origin: str, environ: Mapping[str, str] | None = None
) -> BrowserOutcome:
    """Open a URL of the platform; over SSH or without a display only return it."""
    environ = os.environ if environ is None else environ
    if not is_of_origin(url, allowed_origin):
        return BrowserOutcome(False, "Not opened: the URL is not on the platform.", "")
    if any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")):
        return BrowserOutcome(False, "No browser over SSH. Open this URL yourself:", url)
    command = _opener(environ)
    if command is None:
        return BrowserOutcome(False, "No browser found. Open this URL yourself:", url)
    if await asyncio.to_thread(_start, [*command, url], environ):
        return BrowserOutcome(True, "Opened in the browser.", url)
    return BrowserOutcome(False, "The browser did not start. Open this URL yourself:", url)


def _opener(environ: Mapping[str, str]) -> list[str] | None:
    if sys.platform == "darwin":
        return ["open"]
    if not any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return None
    for command in _OPENERS:
        if found := shutil.which(command[0], path=environ.get("PATH")):
            return [found, *command[1:]]
    return None


def _start(argv: list[str], environ: Mapping[str, str]) -> bool:
    """Start a program detached from our terminal; return False if it fails at once."""
    try:
        process = subprocess.Popen(  # noqa: S603  (a fixed opener, a checked address, no shell)
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=without_secrets(environ),
            start_new_session=True,
        )
    except OSError:
        return False
    try:
        return process.wait(_PATIENCE) == 0
    except subprocess.TimeoutExpired:
        threading.Thread(target=process.wait, daemon=True).start()
        return True
