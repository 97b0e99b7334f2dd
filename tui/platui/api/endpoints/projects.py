"""Projects and namespaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api.decoding import ResultDecoder
from platui.api.endpoint import Endpoint, ListEndpoint, Pairs, record, segment
from platui.api.endpoints import paths
from platui.api.write import Write
from platui.models.values.queries import ProjectRef, ProjectScope, ProjectsQuery
from platui.models.wire.projects import Namespace, Project
from platui.models.wire.record import Record

if TYPE_CHECKING:
    from platui.models.values.writes import NewProject

R = TypeVar("R", bound=Record)

_PROJECTS: Final = "projects"
_NAMESPACES: Final = "namespaces"
_NAMESPACE_TEXTS: Final = ("name", "path", "full_path")
_PROJECT_TEXTS: Final = (
    "name", "path", "name_with_namespace", "path_with_namespace", "description",
)  # fmt: skip


def projects(query: ProjectsQuery) -> ListEndpoint[Project]:
    """List projects (spec §4.3). A platform without these filters ignores them."""
    owned = query.scope is ProjectScope.OWNED
    member = query.scope is ProjectScope.MEMBER
    filters = (
        ("membership", "true" if member else ""),
        ("owned", "true" if owned else ""),
        ("simple", "" if owned else "true"),
        ("search", query.search),
    )
    return ListEndpoint(_PROJECTS, Project, filters, _matching(query.search, _PROJECT_TEXTS))


def project(ref: ProjectRef) -> Endpoint[Project]:
    return record(paths.project(ref), Project, optional=True)


def namespaces(search: str = "") -> ListEndpoint[Namespace]:
    """List groups and user namespaces (spec §4.3)."""
    keep: Callable[[Namespace], bool] | None = _matching(search, _NAMESPACE_TEXTS)
    return ListEndpoint(_NAMESPACES, Namespace, (("search", search),), keep)


def namespace(ref: int | str) -> Endpoint[Namespace]:
    return record(f"{_NAMESPACES}/{segment(ref)}", Namespace, optional=True)


def create(new: NewProject) -> Write[Project | None]:
    """Create a project in the token owner's namespace (spec §4.3)."""
    texts = (("name", new.name), ("description", new.description))
    access = new.project_access
    payload: Pairs | dict[str, object]
    if new.is_form:
        payload = (*texts, *((("permissions[project_access]", access),) if access else ()))
    else:
        nested = {"permissions": {"project_access": access}} if access else {}
        payload = {**dict(texts), **nested}
    return Write("create project", _PROJECTS, ResultDecoder(Project), payload=payload)


def _matching(search: str, fields: Iterable[str]) -> Callable[[R], bool] | None:
    """Return a filter for records with all words of a search; None without words."""
    words = search.casefold().split()
    if not words:
        return None

    def keep(record: R) -> bool:
        text = "\n".join(getattr(record, field) for field in fields).casefold()
        return all(word in text for word in words)

    return keep
