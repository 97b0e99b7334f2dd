"""Addresses, moments, people (spec 2.4) and commits (spec 2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from platui_emulator.records import Commit, Group, Person, Project


@dataclass(frozen=True, slots=True)
class Links:
    """Builds addresses below one root such as `http://127.0.0.1:8080`."""

    root: str

    def person(self, person: Person) -> str:
        return f"{self.root}/{person.username}"

    def avatar(self, person: Person) -> str:
        return f"{self.root}/uploads/-/system/user/avatar/{person.id}/avatar.png"

    def group(self, group: Group) -> str:
        return f"{self.root}/groups/{group.full_path}"

    def project(self, project: Project) -> str:
        return f"{self.root}/{project.full_path}"

    def pipeline(self, project: Project, pipeline_id: int) -> str:
        return f"{self.project(project)}/-/pipelines/{pipeline_id}"

    def job(self, project: Project, job_id: int) -> str:
        return f"{self.project(project)}/-/jobs/{job_id}"

    def commit(self, project: Project, sha: str) -> str:
        return f"{self.project(project)}/-/commit/{sha}"

    def comparison(self, project: Project, before: str, after: str) -> str:
        return f"{self.project(project)}/-/compare/{before}...{after}"

    def merge_request(self, project: Project, number: int) -> str:
        return f"{self.project(project)}/-/merge_requests/{number}"

    def branch(self, project: Project, name: str) -> str:
        return f"{self.project(project)}/-/tree/{quote(name)}"


def moment(when: datetime | None) -> str | None:
    """Return `2026-03-14T03:12:00.000Z`."""
    if when is None:
        return None
    text = when.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def fields(record: object, names: str) -> dict[str, Any]:
    """Return fields of a record under their own names, moments as text."""
    values = ((name, getattr(record, name)) for name in names.split())
    return {name: moment(value) if isinstance(value, datetime) else value for name, value in values}


def commit_moment(when: datetime) -> str:
    """Return `2026-03-14T04:12:00.000+01:00`, in the UTC offset of the commit's author."""
    return when.isoformat(timespec="milliseconds")


_SHORT_ID = 8
_UNUSED = ("public_email", "skype", "linkedin", "twitter", "website_url", "organization")


def user(person: Person, links: Links) -> dict[str, Any]:
    """Return a user as pipelines and schedules show one."""
    addresses = {"avatar_url": links.avatar(person), "web_url": links.person(person)}
    return fields(person, "id username name state") | addresses


def job_user(person: Person, links: Links) -> dict[str, Any]:
    """Return a user as jobs show one: with the profile."""
    body = user(person, links) | fields(person, "created_at")
    body |= {"bio": "", "bio_html": "", "location": person.location}
    body |= dict.fromkeys(_UNUSED, "")
    return body | {"job_title": person.job_title, "work_information": None}


def own_user(person: Person, links: Links) -> dict[str, Any]:
    return job_user(person, links) | {
        "email": person.email,
        "bot": person.bot,
        "is_admin": False,
        "external": person.bot,
        "two_factor_enabled": not person.bot,
        "can_create_group": not person.bot,
        "can_create_project": not person.bot,
        "projects_limit": 0 if person.bot else 1000,
    }


def commit(record: Commit, project: Project, links: Links) -> dict[str, Any]:
    made = commit_moment(record.authored_at)
    return {
        "id": record.sha,
        "short_id": record.sha[:_SHORT_ID],
        "created_at": made,
        "parent_ids": list(record.parents),
        "title": record.title,
        "message": record.message,
        "author_name": record.author.name,
        "author_email": record.author.email,
        "authored_date": made,
        "committer_name": record.author.name,
        "committer_email": record.author.email,
        "committed_date": made,
        "trailers": {},
        "web_url": links.commit(project, record.sha),
    }
