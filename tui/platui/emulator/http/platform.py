"""The platform as the handlers know it: the company, who may ask it, and what time it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Final

from platui.emulator.faults.desk import Faults
from platui.emulator.http.access import DEVELOPER, Access
from platui.emulator.http.allowlists import Allowlists
from platui.emulator.http.credentials import Credential, Credentials, Kind
from platui.emulator.http.journal import Journal
from platui.emulator.http.project_lists import ProjectLists
from platui.emulator.http.quota import Quota
from platui.emulator.http.render.kept import Summaries
from platui.emulator.http.storage import Storage

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.clock import Clock
    from platui.emulator.http.faces import Face
    from platui.emulator.records import Person, Project
    from platui.emulator.world_protocol import World

JOBS_RATE_LIMIT: Final = 600
"""Requests a minute for the jobs of projects, each user for itself: GitLab's own number."""


class CompanyTime:
    """The platform's own clock: it starts at the real time and may run faster.

    Records, headers and faults tell the time by it, so that none of them is ahead of another;
    what is waited for takes real seconds. It is a `Clock`.
    """

    def __init__(self, clock: Clock, speed: float) -> None:
        self._clock = clock
        self._speed = speed
        self._start = clock.now()

    def now(self) -> datetime:
        """Return the company's wall time, in the milliseconds that the platform knows."""
        now = self._start + (self._clock.now() - self._start) * self._speed
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    @property
    def ahead(self) -> float:
        """Return by how many seconds it is ahead of the real time; negative: behind."""
        return (self._clock.now() - self._start).total_seconds() * (self._speed - 1)

    def monotonic(self) -> float:
        """Return real seconds that never go backwards."""
        return self._clock.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait for so many real seconds."""
        await self._clock.sleep(seconds)


_FIRST_DAY: Final = date(2024, 1, 1).toordinal()


@dataclass(slots=True)
class Reporting:
    """The organization's opt-in to its report, which support switches on (spec §5.1 rule 4)."""

    enabled: bool = True
    ahead: int = 0
    """How many days the report has been moved on by hand."""

    def period(self, now: datetime) -> int:
        """Return the day that the report shows, counted from the first there is."""
        return max(0, now.date().toordinal() - _FIRST_DAY) + self.ahead


@dataclass(frozen=True)
class Platform:
    """One running platform."""

    world: World
    clock: Clock
    time: CompanyTime
    credentials: Credentials
    allowlists: Allowlists
    access: Access
    lists: ProjectLists
    quota: Quota
    jobs_quota: Quota
    """The limit that the list of a project's jobs has for itself, beside that of all requests."""
    journal: Journal
    showcase: Project
    """A project with something red in it."""
    user: Person
    """Whose personal token is handed out: the one who sees most."""
    face: Face
    """What is shown of all this."""
    storage: Storage
    """Where archives are fetched from."""
    reporting: Reporting = field(default_factory=Reporting)
    faults: Faults = field(default_factory=Faults)
    """What spoils the answers that go through the relay."""

    summaries: Summaries = field(default_factory=Summaries)

    def personal_token(self, serial: int = 1) -> str:
        """Return a token of the user."""
        return self.credentials.issue(Kind.PERSONAL, self.user.id, serial)

    def trigger_token(self) -> str:
        """Return the trigger token of the showcase."""
        return self.credentials.issue(Kind.TRIGGER, self.showcase.id)


def open_platform(
    world: World,
    clock: Clock,
    *,
    seed: int,
    rate_limit: int,
    speed: float,
    face: Face,
) -> Platform:
    """Open a platform on a company."""
    time = CompanyTime(clock, speed)
    allowlists = Allowlists(seed)
    access = Access(world, allowlists)
    showcase = world.showcase(time.now())
    return Platform(
        world=world,
        clock=clock,
        time=time,
        credentials=Credentials(world, seed, time.now().date()),
        allowlists=allowlists,
        access=access,
        lists=ProjectLists(world, access),
        quota=Quota(rate_limit),
        jobs_quota=Quota(JOBS_RATE_LIMIT),
        journal=Journal(),
        showcase=showcase,
        user=_who_sees_most(world, access, showcase),
        face=face,
        storage=Storage(seed, clock),
    )


def _who_sees_most(world: World, access: Access, showcase: Project) -> Person:
    everything = len(world.projects())
    found: tuple[bool, int] = (False, -1)
    chosen = world.people()[0]
    for person in world.people():
        if person.bot or person.state != "active":
            continue
        credential = Credential(Kind.PERSONAL, person.id, person)
        works_there = access.level(credential, showcase) >= DEVELOPER
        reach = works_there, len(access.visible_projects(credential))
        if reach > found:
            found, chosen = reach, person
        if reach == (True, everything):
            break  # nobody can see more, and a large company has many people
    return chosen
