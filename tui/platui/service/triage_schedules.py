"""The schedules of watched projects: looked at seldom, one project after the other."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.errors import PlatuiError
from platui.models.values.connection import Urgency
from platui.service.cadence import Rhythm
from platui.service.pacer import Pacer

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from datetime import datetime

    from platui.models import Schedule
    from platui.models.values.pages import Listing
    from platui.service.subject import Subject
    from platui.service.subjects import Subjects
    from platui.service.surroundings import Surroundings
    from platui.service.triage_ration import Ration

EVERY: Final = 600.0
"""Seconds between two looks at the schedules of one project."""
AT_ONCE: Final = 2
"""Lists of schedules under way, where there are such lists."""

_RHYTHM: Final = Rhythm(EVERY, EVERY)


class Planned(NamedTuple):
    """The schedules of one project, as the platform lists them."""

    project: int
    schedules: tuple[Schedule, ...]
    asked_at: datetime
    """When it said so."""


@dataclass
class _Known:
    """The schedules of one project."""

    subject: Subject[Listing[Schedule]]
    pacer: Pacer
    asked_at: float = -inf
    """Monotonic second at which they were asked for last."""
    kept_at: float = -inf
    """Monotonic second at which the platform said what a cache had."""
    is_recalled: bool = False
    is_tried: bool = False
    """Whether the platform itself was asked since this was made."""
    is_live: bool = False
    """Whether it has told."""


class WatchedSchedules:
    """Knows which schedules did not fire, with one request a project in ten minutes.

    A platform that lists no schedules is asked about two projects, and then no more.
    """

    def __init__(self, subjects: Subjects, surroundings: Surroundings, ration: Ration) -> None:
        """Know of none yet.

        Args:
            subjects: what is asked.
            surroundings: when to look up.
            ration: counts requests.
        """
        self._subjects = subjects
        self._around = surroundings
        self._ration = ration
        self._known: dict[int, _Known] = {}
        self._next_at = 0.0

    @property
    def live(self) -> tuple[int, ...]:
        """Return the projects of which the platform itself has told."""
        return tuple(project for project, known in self._known.items() if known.is_live)

    def among(self, projects: Iterable[int]) -> None:
        """Look at these projects from now on."""
        before = self._known
        self._known = {
            one: before.get(one) or _Known(self._subjects.schedules(one), Pacer(self._around))
            for one in projects
        }

    async def recall(self) -> None:
        """Take what caches have."""
        for known in list(self._known.values()):
            if known.is_recalled:
                continue
            known.is_recalled = True
            await known.subject.recall()
            if known.subject.fetched_at is not None:
                known.pacer.known_since(known.subject.fetched_at)
                age = (self._around.clock.now() - known.subject.fetched_at).total_seconds()
                known.kept_at = self._around.clock.monotonic() - max(0.0, age)
                known.asked_at = known.kept_at

    @property
    def is_recalled(self) -> bool:
        """Return whether of each project what caches have was taken."""
        return all(known.is_recalled for known in self._known.values())

    @property
    def at_once(self) -> int:
        """Return how many may be asked about at once: one, while no project's were listed."""
        listings = [known.subject.value for known in self._known.values() if known.is_live]
        return AT_ONCE if any(one is not None and one.offered for one in listings) else 1

    @property
    def unknown(self) -> int:
        """Return of how many projects it is still to be asked whether a schedule did not fire."""
        return sum(
            not known.is_tried
            and self._around.clock.monotonic() - known.kept_at > EVERY
            and self._subjects.lists_schedules(project)
            for project, known in self._known.items()
        )

    def due(self, under_way: Container[object]) -> tuple[int | None, float | None]:
        """Return the project that is to be asked about now, and the seconds until one is.

        Of both only one is there; neither: not before something rings.

        Args:
            under_way: projects that are being asked about.
        """
        turn = self._next_at - self._around.clock.monotonic()
        if turn > 0.0:
            return None, turn
        soonest: float | None = None
        for project, known in sorted(self._known.items(), key=_asked_at):
            if project in under_way or not self._subjects.lists_schedules(project):
                continue
            left = known.pacer.remaining(_RHYTHM, running=False, settled=False, transfer=0.0)
            if left is not None and left <= 0.0:
                return project, None
            if left is not None:
                soonest = left if soonest is None else min(soonest, left)
        return None, soonest

    async def renew(self, project: int) -> None:
        """Ask the platform about one project; what it does not tell is asked for again later."""
        known = self._known[project]
        now = self._around.clock.monotonic()
        # What is known already is spread; what is not is only as far as the ration goes.
        self._next_at = now if known.asked_at == -inf else now + EVERY / len(self._known)
        known.asked_at = now
        self._ration.count()
        try:
            await known.subject.renew(Urgency.BACKGROUND)
        except PlatuiError as error:
            known.pacer.failed(error)
        else:
            known.pacer.succeeded()
            known.is_live = True
        known.is_tried = True

    def planned(self) -> list[Planned]:
        """Return what is known of each project's schedules."""
        return [
            Planned(project, known.subject.value.items, known.subject.fetched_at)
            for project, known in self._known.items()
            if known.subject.value is not None and known.subject.fetched_at is not None
        ]


def _asked_at(one: tuple[int, _Known]) -> float:
    return one[1].asked_at
