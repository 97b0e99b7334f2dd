"""Who holds which level where, and a token of each: for tests of what a role may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui_emulator.http.access import LEVELS
from platui_emulator.http.credentials import Kind
from platui_emulator.http.tokens import FULL, READ_ONLY

if TYPE_CHECKING:
    from platui_emulator.records import Person, Project
    from platui_emulator.server import RunningEmulator


def person_of_level(running: RunningEmulator, project: Project, level: str) -> Person:
    """Return somebody who holds exactly this level in a project."""
    platform = running.platform
    now = platform.time.now()
    for person in platform.world.people():
        if person.bot or person.state != "active":
            continue
        token = platform.credentials.issue(Kind.PERSONAL, person.id)
        credential = platform.credentials.access_credential(token, now)
        if credential and platform.access.level(credential, project) == LEVELS[level]:
            return person
    raise LookupError(f"nobody is {level} of {project.full_path}")


def token_of(running: RunningEmulator, person: Person, *, read_only: bool = False) -> str:
    """Return a personal token of somebody."""
    serial = READ_ONLY if read_only else FULL
    return running.platform.credentials.issue(Kind.PERSONAL, person.id, serial)
