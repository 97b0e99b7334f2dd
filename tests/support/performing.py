"""Writes through the service's door: said yes to, followed to their end, looked for on disk."""

from __future__ import annotations

import os
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platui.models.values.write_states import Refused
from platui.models.values.writes import Confirmation, MaskedRequest, WriteRequest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from platui.api.write import Write
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import Intent
    from platui.service import PlatformService


async def performing(
    service: PlatformService, what: Intent | Confirmation
) -> AsyncGenerator[WriteState]:
    """Send what is confirmed, or an intent after a yes to it; what becomes of it is iterated."""
    desk = service.write_service
    confirmed = what if isinstance(what, Confirmation) else Confirmation(desk.request(what))
    async with aclosing(desk.perform(confirmed)) as following:
        async for progress in following:
            [state] = progress.states
            if state is None and progress.stopped is not None:
                yield Refused(progress.stopped)
            elif state is not None and progress.stopped is None:
                yield state


async def performed(service: PlatformService, what: Intent | Confirmation) -> list[WriteState]:
    """Send what is confirmed, or an intent after a yes to it, and return all that becomes of it."""
    return [state async for state in performing(service, what)]


def exchanged(confirmed: Confirmation, *intents: Intent) -> Confirmation:
    """Return a yes under which other intents were put after it was given."""
    return Confirmation(replace(confirmed.request, intents=intents))


def yes_to(*writes: Write[Any], profile: str = "") -> Confirmation:
    """Return a user's yes to writes that were made from no intent."""
    masked = (MaskedRequest("", "", "", "", write.digest) for write in writes)
    return Confirmation(
        WriteRequest((), "", (), profile, production=False, project=None, called="",
                     http_requests=tuple(masked), commands=(), credential="")
    )  # fmt: skip


def kinds(states: Sequence[WriteState | None]) -> list[type]:
    """Return the kind of each state."""
    return [type(state) for state in states]


def everything_written() -> bytes:
    """Return all that stands in the user's folders but the files that are for credentials."""
    homes = [os.environ[f"XDG_{kind}_HOME"] for kind in ("CONFIG", "STATE", "CACHE", "DATA")]
    files = [file for home in homes for file in Path(home).rglob("*") if file.is_file()]
    return b"".join(file.read_bytes() for file in files if "credentials" not in file.parts)
