"""Namespaces and projects (spec 2.7)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from platui_emulator import data
from platui_emulator.http.render.people import Links, fields, moment

if TYPE_CHECKING:
    from platui_emulator.records import Group, Person, Project


_EXTRAS: Final[Mapping[str, Any]] = data.read_json("project.json")
"""The same of every project."""


def group_namespace(record: Group, links: Links) -> dict[str, Any]:
    return {
        "id": record.id,
        "name": record.name,
        "path": record.path,
        "kind": "group",
        "full_path": record.full_path,
        "parent_id": record.parent_id,
        "avatar_url": None,
        "web_url": links.group(record),
    }


def user_namespace(person: Person, links: Links) -> dict[str, Any]:
    """Return the namespace that a person has; the company numbers it like its person."""
    return {
        "id": person.id,
        "name": person.name,
        "path": person.username,
        "kind": "user",
        "full_path": person.username,
        "parent_id": None,
        "avatar_url": links.avatar(person),
        "web_url": links.person(person),
    }


def project_simple(
    record: Project, namespace: dict[str, Any], last_activity: datetime, links: Links
) -> dict[str, Any]:
    """Return a project in few words (`simple=true`)."""
    page = links.project(record)
    host = links.root.partition("://")[2].partition(":")[0]
    return fields(record, "id description name") | {
        "name_with_namespace": f"{namespace['name']} / {record.name}",
        "path": record.path,
        "path_with_namespace": record.full_path,
        "created_at": moment(record.created_at),
        "default_branch": record.default_branch,
        "tag_list": [],
        "topics": [],
        "ssh_url_to_repo": f"git@{host}:{record.full_path}.git",
        "http_url_to_repo": f"{page}.git",
        "web_url": page,
        "readme_url": f"{page}/-/blob/{record.default_branch}/README.md",
        "forks_count": 0,
        "avatar_url": None,
        "star_count": 0,
        "last_activity_at": moment(last_activity),
        "visibility": record.visibility,
        "namespace": namespace,
    }


def project_extras(project_level: int, group_level: int) -> dict[str, Any]:
    """Return the additional fields of a single project."""
    permissions = {"project_access": _access(project_level), "group_access": _access(group_level)}
    return {**_EXTRAS, "permissions": permissions}


def runners_token(record: Project) -> str:
    """Return the secret that real platforms put into the answer for maintainers."""
    return f"runners-{hashlib.blake2b(record.full_path.encode(), digest_size=8).hexdigest()}"


def _access(level: int) -> dict[str, int] | None:
    return {"access_level": level, "notification_level": 3} if level else None
