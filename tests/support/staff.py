"""Who holds which level where, and a token of each: for tests of what a role may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.emulator.http.access import LEVELS
from platui.emulator.http.credentials import READ_ONLY_SERIAL, Kind

if TYPE_CHECKING:
    from platui.emulator.records import Person, Project
    from platui.emulator.server import RunningEmulator


def person_of_level(running: RunningEmulator, project: Project, level: str) -> Person:
    """Return somebody who holds exactly this level in a project."""
    platform = running.platform
    for person in platform.world.people():
        token = platform.credentials.issue(Kind.PERSONAL, person.id)
        credential = platform.credentials.access_credential(token)
        if credential is None or person.bot or person.state != "active":
            continue
        if platform.access.level(credential, project) == LEVELS[level]:
            return person
    raise LookupError(f"nobody is {level} of {project.full_path}")


def token_of(running: RunningEmulator, person: Person, *, read_only: bool = False) -> str:
    """Return a personal token of somebody."""
    serial = READ_ONLY_SERIAL if read_only else 1
    return running.platform.credentials.issue(Kind.PERSONAL, person.id, serial)
