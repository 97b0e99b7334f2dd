"""What the desk hands out: a credential of every kind, whose it is and what it is good for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from platui_emulator.http.access import DEVELOPER
from platui_emulator.http.credentials import Credential, Kind
from platui_emulator.http.tokens import (
    ACCESS_TOKENS,
    EXPIRED,
    EXPIRED_KEY,
    EXPIRING_SOON,
    FULL,
    JOB_TOKEN,
    ORGANIZATION_KEYS,
    READ_ONLY,
    REVOKED,
    SECOND,
    TRIGGER_TOKENS,
    WITHOUT_SCOPE,
)

if TYPE_CHECKING:
    from platui_emulator.http.platform import Platform
    from platui_emulator.records import Job, Person, Project

_ACCESS: Final = "header PRIVATE-TOKEN, or Authorization: Bearer"
_SERIALS: Final = {
    "": FULL,
    "_second": SECOND,
    "_read_only": READ_ONLY,
    "_without_scope": WITHOUT_SCOPE,
    "_expired": EXPIRED,
    "_revoked": REVOKED,
    "_expiring_soon": EXPIRING_SOON,
}
_KEYS: Final = {"": FULL, "_without_scope": SECOND, "_expired": EXPIRED_KEY}

_PROJECTS: Final = 100
"""Projects that are looked through: an answer of the desk never costs more."""

_PIPELINES: Final = 3
"""Newest pipelines of a project that are looked into, and how many at a time further back."""

_LOOKED_BACK: Final = 150
"""Pipelines of the showcase that are looked through: callers may have started many."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One credential on the desk."""

    name: str
    token: str | None
    """None while no such object exists, for example no running job."""
    kind: str
    owner: str
    """A login name, the path of a project or group, or a job."""
    sent_as: str
    why: str


def all_credentials(platform: Platform, now: datetime) -> dict[str, Any]:
    """Return a credential of every kind, flat by name, and with a reason for each."""
    showcase = platform.showcase
    running = running_job(platform, now)
    entries = [*_entries(platform), *_job_entries(platform, running, now)]
    return {
        **{entry.name: entry.token for entry in entries},
        "user": platform.user.username,
        "other_user": _other(platform).username,
        "blocked_user": blocked.username if (blocked := _blocked(platform)) else None,
        "project_path": showcase.full_path,
        "trigger_other_project": _another(platform).full_path,
        "jobs": {"running": _job_body(platform, running)},
        "credentials": [asdict(entry) for entry in entries],
        "allowlists": allowlists(platform),
    }


def allowlists(platform: Platform) -> dict[str, Any]:
    """Return the exceptions from the rule that a project lists only itself (spec §5.2)."""
    listing: dict[str, list[str]] = {}
    off, open_to_all = [], []
    projects = list(islice(platform.world.projects(), _PROJECTS))
    for project in projects:
        found = platform.allowlists.of(project)
        if project.visibility != "private":
            open_to_all.append(project.full_path)
        if not found.enabled:
            off.append(project.full_path)
        elif found.group or found.listed:
            listing[project.full_path] = [
                one.full_path for one in projects if platform.allowlists.lists(project, one)
            ]
    return {"off": off, "listing": listing, "public_or_internal": open_to_all}


def running_job(platform: Platform, now: datetime) -> tuple[Project, Job] | None:
    """Return a running job, one whose user may start pipelines in its project if there is any."""
    access, found = platform.access, None
    others = islice(platform.world.projects(), _PROJECTS)
    for project in (platform.showcase, *others):
        for job in _running(platform, project, now):
            caller = Credential(Kind.JOB, project.id, job.user, job.id)
            if job.user.state == "active":
                if access.level(caller, project) >= DEVELOPER:
                    return project, job
                found = found or (project, job)
    return found


def _running(platform: Platform, project: Project, now: datetime) -> Iterator[Job]:
    world = platform.world
    newest, _ = world.pipelines.page(project.id, now, offset=0, limit=_PIPELINES)
    for pipeline in newest:
        if pipeline.status == "running":
            jobs = world.pipelines.jobs(project.id, pipeline.id, now, with_retried=False)
            yield from (job for job in jobs if job.status == "running")


def _entries(platform: Platform) -> Iterable[Entry]:
    showcase, other, another = platform.showcase, _other(platform), _another(platform)
    group = platform.world.group(showcase.group_id)
    yield from _access(platform, Kind.PERSONAL, platform.user.id, platform.user.username)
    yield from _access(platform, Kind.PROJECT, showcase.id, showcase.full_path)
    if group is not None:
        yield from _access(platform, Kind.GROUP, group.id, group.full_path)
    yield _personal(platform, "other_personal", other, "Another user's, with fewer roles.")
    if blocked := _blocked(platform):
        why = "Of a user who left: valid, but 403."
        yield _personal(platform, "blocked_personal", blocked, why)
    field = "form field token of the trigger operation"
    for name, project in (("trigger", showcase), ("trigger_other", another)):
        token = platform.credentials.issue(Kind.TRIGGER, project.id)
        why = TRIGGER_TOKENS[FULL].why
        yield Entry(name, token, Kind.TRIGGER, project.full_path, field, why)
    for suffix, serial in _KEYS.items():
        token = platform.credentials.issue(Kind.ORGANIZATION, 1, serial)
        why, sent = ORGANIZATION_KEYS[serial].why, "header Authorization: Bearer"
        yield Entry(f"admin_key{suffix}", token, Kind.ORGANIZATION, "the organization", sent, why)


def _access(platform: Platform, kind: Kind, owner_id: int, owner: str) -> Iterator[Entry]:
    for suffix, serial in _SERIALS.items():
        token = platform.credentials.issue(kind, owner_id, serial)
        yield Entry(f"{kind}{suffix}", token, kind, owner, _ACCESS, ACCESS_TOKENS[serial].why)


def _personal(platform: Platform, name: str, person: Person, why: str) -> Entry:
    token = platform.credentials.issue(Kind.PERSONAL, person.id)
    return Entry(name, token, Kind.PERSONAL, person.username, _ACCESS, why)


def _job_entries(
    platform: Platform, running: tuple[Project, Job] | None, now: datetime
) -> Iterator[Entry]:
    yield _job(platform, "job", running, JOB_TOKEN.why)
    why = "Of a job that has ended: 401, and 400 as a trigger."
    yield _job(platform, "job_finished", _finished_job(platform, now), why)


def _job(platform: Platform, name: str, found: tuple[Project, Job] | None, why: str) -> Entry:
    token, owner = None, "no user: no such job at the moment"
    if found is not None:
        project, job = found
        token = platform.credentials.job_token(project.id, job.id)
        owner = f"job {job.id} of {project.full_path}"
    sent = "header JOB-TOKEN, or form field token of the trigger operation"
    return Entry(name, token, Kind.JOB, owner, sent, why)


def _finished_job(platform: Platform, now: datetime) -> tuple[Project, Job] | None:
    world, project = platform.world, platform.showcase
    for offset in range(0, _LOOKED_BACK, _PIPELINES):
        window, _ = world.pipelines.page(project.id, now, offset=offset, limit=_PIPELINES)
        for pipeline in window:
            for job in world.pipelines.jobs(project.id, pipeline.id, now, with_retried=False):
                if job.finished_at is not None:
                    return project, job
    return None


def _job_body(platform: Platform, found: tuple[Project, Job] | None) -> dict[str, Any] | None:
    if found is None:
        return None
    project, job = found
    return {
        "project": project.full_path,
        "project_id": project.id,
        "job_id": job.id,
        "name": job.name,
        "user": job.user.username,
        "token": platform.credentials.job_token(project.id, job.id),
    }


def _other(platform: Platform) -> Person:
    return next(
        person
        for person in platform.world.people()
        if person.id != platform.user.id and person.state == "active" and not person.bot
    )


def _blocked(platform: Platform) -> Person | None:
    return next((one for one in platform.world.people() if one.state == "blocked"), None)


def _another(platform: Platform) -> Project:
    return next(one for one in platform.world.projects() if one.id != platform.showcase.id)
