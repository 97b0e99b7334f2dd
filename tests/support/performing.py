"""Writes through the service's door: said yes to, followed to their end, looked for on disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from platui.models.values.writes import Confirmation

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import Intent
    from platui.service import PlatformService


def performing(service: PlatformService, intent: Intent) -> AsyncGenerator[WriteState]:
    """Say yes to an intent; what becomes of it comes when it is iterated."""
    desk = service.write_desk
    return desk.perform(intent, Confirmation(desk.plan(intent).key))


async def performed(service: PlatformService, intent: Intent) -> list[WriteState]:
    """Say yes to an intent and return all that becomes of it."""
    return [state async for state in performing(service, intent)]


def kinds(states: Sequence[WriteState | None]) -> list[type]:
    """Return the kind of each state."""
    return [type(state) for state in states]


def everything_written() -> bytes:
    """Return all that stands in the user's folders but the files that are for credentials."""
    homes = [os.environ[f"XDG_{kind}_HOME"] for kind in ("CONFIG", "STATE", "CACHE", "DATA")]
    files = [file for home in homes for file in Path(home).rglob("*") if file.is_file()]
    return b"".join(file.read_bytes() for file in files if "credentials" not in file.parts)
