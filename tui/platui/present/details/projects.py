"""Projects and namespaces as detail panes (spec §2.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.present.details.layout import Details, Line, details, paragraphs, text_cell
from platui.present.projects import namespace_of
from platui.present.status import status_cell

if TYPE_CHECKING:
    from platui.models.wire import Namespace, Pipeline, Project
    from platui.present.tables.spec import Context

_LEVELS = {10: "guest", 20: "reporter", 30: "developer", 40: "maintainer", 50: "owner"}


def project_details(
    project: Project, namespace: Namespace | None, latest: Pipeline | None, at: Context
) -> Details:
    namespace = namespace or project.namespace
    return details(
        project.name or project.path or f"Project {project.id}",
        {
            "": _last_run(latest, at),
            "what": [
                *paragraphs("about", project.description),
                ("path", project.path_with_namespace or project.path),
                ("id", str(project.id)),
                ("branch", project.default_branch),
                ("visible", project.visibility),
                ("you", _role(project)),
                (
                    "archived",
                    text_cell("yes: no pipelines run", "warning") if project.archived else "",
                ),
                ("empty", "yes: no commit yet" if project.empty_repo else ""),
                ("topics", ", ".join(dict.fromkeys((*project.topics, *project.tag_list)))),
            ],
            "namespace": [] if namespace is None else _namespace(namespace),
            "when": [
                ("active", at.stamp(project.last_activity_at)),
                ("created", at.stamp(project.created_at)),
            ],
            "links": [
                ("project", project.web_url),
                ("namespace", namespace.web_url if namespace else ""),
                ("https", project.http_url_to_repo),
                ("ssh", project.ssh_url_to_repo),
                ("readme", project.readme_url),
            ],
            "technical": [
                ("full name", project.name_with_namespace),
                ("pipelines", project.ci_config_path),
                ("stars", _count(project.star_count)),
                ("forks", _count(project.forks_count)),
                ("issues", _count(project.open_issues_count)),
                ("avatar", project.avatar_url),
            ],
        },
    )


def namespace_details(namespace: Namespace) -> Details:
    return details(
        namespace.name or namespace.path,
        {
            "": _namespace(namespace),
            "links": [("namespace", namespace.web_url)],
            "technical": [("avatar", namespace.avatar_url)],
        },
    )


def project_namespace(project: Project, namespaces: tuple[Namespace, ...]) -> Namespace | None:
    path = namespace_of(project)
    own = project.namespace.id if project.namespace else None
    return next(
        (one for one in namespaces if one.id == own or (path and one.full_path == path)), None
    )


def _last_run(latest: Pipeline | None, at: Context) -> list[Line]:
    if latest is None:
        return []
    return [
        ("last run", status_cell(latest.status)),
        ("", f"#{latest.id} on {latest.ref}"),
        ("", text_cell(at.stamp(latest.created_at), "muted")),
    ]


def _namespace(namespace: Namespace) -> list[Line]:
    path = namespace.full_path
    return [
        ("name", namespace.name),
        ("path", path or namespace.path),
        ("segment", namespace.path if path and path.rpartition("/")[2] != namespace.path else ""),
        ("kind", namespace.kind),
        ("id", str(namespace.id)),
        ("parent", f"#{namespace.parent_id}" if namespace.parent_id else ""),
        ("members", _count(namespace.members_count_with_descendants)),
    ]


def _role(project: Project) -> str:
    if project.permissions is None:
        return ""
    granted = (project.permissions.project_access, project.permissions.group_access)
    levels = [one.access_level for one in granted if one is not None and one.access_level]
    level = max(levels, default=0)
    return _LEVELS.get(level, f"level {level}") if level else ""


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"
