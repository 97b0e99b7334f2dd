"""The platform as the handlers know it: the company, who may ask it, and what time it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from platui_emulator.faults.fault import Faults
from platui_emulator.http.access import DEVELOPER, Access, Allowlists
from platui_emulator.http.answers import written
from platui_emulator.http.call import Quota
from platui_emulator.http.credentials import Credential, Credentials, Kind
from platui_emulator.http.journal import Journal
from platui_emulator.http.project_lists import ProjectLists
from platui_emulator.http.render.jobs import pipeline_summary
from platui_emulator.http.storage import Storage

if TYPE_CHECKING:
    from platui.core.clock import Clock
    from platui_emulator.http.render.people import Links
    from platui_emulator.http.variants import Variant
    from platui_emulator.records import Person, Pipeline, Project
    from platui_emulator.world.company import Company


_KEPT: Final = 4096


class Summaries:
    """Pipelines as lists show them, kept as JSON as long as the company returns the same record."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], tuple[Pipeline, str]] = {}

    def of(self, record: Pipeline, project: Project, links: Links) -> str:
        key = links.root, record.id
        kept = self._kept.get(key)
        if kept is not None and kept[0] is record:
            return kept[1]
        text = written(pipeline_summary(record, project, links))
        self._kept[key] = record, text
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return text


JOBS_RATE_LIMIT: Final = 600
"""Requests a minute for the jobs of projects, each user for itself: GitLab's own number."""


class CompanyTime:
    """A `Clock` that starts at the real time and may run faster; waiting takes real seconds."""

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

    def period(self, now: datetime) -> int:
        """Return the day that the report shows, counted from the first there is."""
        return max(0, now.date().toordinal() - _FIRST_DAY) + self.ahead


@dataclass(frozen=True)
class Platform:
    """One running platform."""

    world: Company
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
    variant: Variant
    storage: Storage
    reporting: Reporting = field(default_factory=Reporting)
    faults: Faults = field(default_factory=Faults)
    """What spoils the answers that go through the relay."""

    summaries: Summaries = field(default_factory=Summaries)

    def personal_token(self) -> str:
        return self.credentials.issue(Kind.PERSONAL, self.user.id)

    def trigger_token(self) -> str:
        return self.credentials.issue(Kind.TRIGGER, self.showcase.id)


def open_platform(
    world: Company,
    clock: Clock,
    *,
    seed: int,
    rate_limit: int,
    speed: float,
    variant: Variant,
) -> Platform:
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
        variant=variant,
        storage=Storage(seed, clock),
    )


def _who_sees_most(world: Company, access: Access, showcase: Project) -> Person:
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
