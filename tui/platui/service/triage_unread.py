"""What of incidents is still to be read: in which order, and when what failed is tried again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from platui.core.errors import RateLimitedError
from platui.service.cadence import back_off

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from platui.core.errors import PlatuiError
    from platui.models.values.triage import Incident
    from platui.service.surroundings import Surroundings
    from platui.service.triage_causes import Causes
    from platui.service.triage_watch import WatchedProjects

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


def without_cause(
    incidents: Iterable[Incident], watched: WatchedProjects, causes: Causes
) -> tuple[list[Incident], list[Incident]]:
    """Return the incidents whose cause is not known: of default branches, and the others.

    The newest come first. Where a project's default branch is not known, each of its branches
    may be it.
    """
    first: list[Incident] = []
    others: list[Incident] = []
    for incident in incidents:
        if causes.known(incident.newest_red) is None:
            is_told = bool(watched.branch(int(incident.lane.project)))
            (first if incident.is_main or not is_told else others).append(incident)
    return _newest_first(first), _newest_first(others)


def without_commit(incidents: Iterable[Incident], causes: Causes) -> list[Incident]:
    """Return the incidents of which it is not known who began them, the newest first.

    That of a single failure comes with its cause. Where nothing reaches back to the beginning it
    is that of the first that is known.
    """
    return _newest_first(
        one for one in incidents if one.streak > 1 and not causes.knows_commit(one.first_red)
    )


def _newest_first(incidents: Iterable[Incident]) -> list[Incident]:
    return sorted(incidents, key=_since, reverse=True)


def _since(incident: Incident) -> tuple[bool, datetime]:
    """Return a value that is greater for newer incidents, those of default branches first."""
    return (incident.is_main, incident.since or _NEVER)


SOON: Final = 4
"""Failures in a row after which nobody waits any more for something to be read."""
LONGEST: Final = 900.0
"""Seconds between two tries at the most."""
MOST: Final = 2000
"""Things that are remembered to have failed."""


class Retries:
    """When what could not be read is tried again: soon at first, more and more seldom then.

    A platform that gives none of its logs is asked for each of a hundred of them.
    """

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings
        self._failures: dict[Hashable, tuple[int, float]] = {}
        """How often in a row it failed, and the monotonic second of the next try."""

    def remaining(self, key: Hashable) -> float:
        """Return the seconds until something may be tried; 0 where it may be now."""
        _, at = self._failures.get(key, (0, 0.0))
        return max(0.0, at - self._around.clock.monotonic())

    def failed(self, key: Hashable, error: PlatuiError) -> None:
        """Take note of a failure."""
        before, _ = self._failures.get(key, (0, 0.0))
        wait = back_off(before + 1, 0.0)
        if before >= SOON:
            wait = min(LONGEST, wait * 2.0 ** (before + 1 - SOON))
        if isinstance(error, RateLimitedError):
            wait = max(wait, self._around.pause)
        self._failures.pop(key, None)
        self._failures[key] = (before + 1, self._around.clock.monotonic() + wait)
        if len(self._failures) > MOST:
            # Of what is broken no more, most likely; else it is tried once more than it must be.
            del self._failures[next(iter(self._failures))]

    def succeeded(self, key: Hashable) -> None:
        """Take note that it was read."""
        self._failures.pop(key, None)

    def forget(self) -> None:
        """Let everything be tried now."""
        self._failures.clear()
