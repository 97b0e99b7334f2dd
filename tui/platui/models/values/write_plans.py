"""Writes before they are sent: what a question and a preview show. Nothing here is secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import Intent


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """One request, as it will be sent, with every secret masked."""

    method: str
    target: str
    """Path and query below the API's base."""
    body: str
    """The payload as indented JSON, also where a form is sent; empty where there is none."""
    encoding: str
    """`json` or `form`; empty without a payload."""


@dataclass(frozen=True, slots=True)
class WritePlan:
    """One write, or several that are confirmed together."""

    intents: tuple[Intent, ...]
    """As given: these may hold secrets, which show in no repr."""
    key: str
    """What a `Confirmation` names. Another value, ref or project makes another key."""
    effect: str
    """What will happen, one line: `Start a pipeline on main from etl-ci.yml`."""
    effects: tuple[str, ...]
    """The same for each intent, in their order."""
    profile: str
    production: bool
    project: ProjectRef | None
    """Of all the intents; None where they differ, or the project is yet to be created."""
    called: str
    """What that project is called: its path where known; empty without one."""
    requests: tuple[PlannedRequest, ...]
    """One for each intent, in their order."""
    commands: tuple[str, ...]
    """The `platui …` lines that do the same; a secret stands there by its name alone."""
    credential: str
    """`access token`, or `trigger token of group/name from environment`."""
    problem: str = ""
    """Why it could not be sent now, one sentence: writes are off, locked, not offered here."""
    is_offered: bool = True
    """False: the problem is that this platform was seen to have no such operation."""
