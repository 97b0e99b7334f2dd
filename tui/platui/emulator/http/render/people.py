"""People (spec 2.4) and commits (spec 2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.emulator.http.render.moments import commit_moment, moment

if TYPE_CHECKING:
    from platui.emulator.http.render.links import Links
    from platui.emulator.records import Commit, Person, Project

_SHORT_ID = 8


def user(person: Person, links: Links) -> dict[str, Any]:
    """Return a user as pipelines and schedules show one."""
    return {
        "id": person.id,
        "username": person.username,
        "name": person.name,
        "state": person.state,
        "avatar_url": links.avatar(person),
        "web_url": links.person(person),
    }


def job_user(person: Person, links: Links) -> dict[str, Any]:
    """Return a user as jobs show one: with the profile."""
    return user(person, links) | {
        "created_at": moment(person.created_at),
        "bio": "",
        "bio_html": "",
        "location": person.location,
        "public_email": "",
        "skype": "",
        "linkedin": "",
        "twitter": "",
        "website_url": "",
        "organization": "",
        "job_title": person.job_title,
        "work_information": None,
    }


def own_user(person: Person, links: Links) -> dict[str, Any]:
    """Return the caller's own user."""
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
    """Return a commit."""
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
