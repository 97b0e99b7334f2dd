"""Every reading operation of the project API (spec §4.3) and its first neighbours, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api import routes
from platui.api.decoding import PageDecoder, RecordDecoder
from platui.api.operations import Operation, Pairs
from platui.models.values.queries import Belonging
from platui.models.wire import (
    AccessToken,
    Branch,
    Bridge,
    Job,
    Namespace,
    Pipeline,
    Project,
    Record,
    RepositoryFile,
    Schedule,
    Tag,
    TreeEntry,
    User,
    Variable,
    Version,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from platui.models.values.pages import Page
    from platui.models.values.queries import (
        JobsQuery,
        PipelinesQuery,
        ProjectRef,
        ProjectsQuery,
    )

R = TypeVar("R", bound=Record)

MAX_PER_PAGE = 100
"""Spec §8."""


_WHOLE_SHA: Final = (40, 64)
"""Digits of a commit's name, in full."""

_NO_PAGES = 1_000_000
"""A list that comes whole is never full."""


@dataclass(frozen=True, slots=True)
class ProjectApi:
    """Builds operations; `Caller.fetch` sends them. Neighbours are marked as such."""

    per_page: int = MAX_PER_PAGE

    def projects(self, query: ProjectsQuery, page: int = 1) -> Operation[Page[Project]]:
        """Ask for projects, one's own or others; a platform without these filters ignores them.

        Whether it took `owned` is told by the permissions, which no simple record has.
        """
        owned = query.belonging is Belonging.OWNED
        member = query.belonging is Belonging.MEMBER
        return self._list(
            Project,
            routes.PROJECTS,
            page,
            ("membership", "true" if member else ""),
            ("owned", "true" if owned else ""),
            ("simple", "" if owned else "true"),
            ("search", query.search),
            keep=_found(query.search, _project_texts),
        )

    def project(self, ref: ProjectRef) -> Operation[Project]:
        """Ask for one project (a neighbour)."""
        return Operation(routes.project(ref), RecordDecoder(Project))

    def namespaces(self, page: int = 1, search: str = "") -> Operation[Page[Namespace]]:
        """Ask for namespaces."""
        keep = _found(search, _namespace_texts)
        return self._list(Namespace, routes.NAMESPACES, page, ("search", search), keep=keep)

    def namespace(self, ref: int | str) -> Operation[Namespace]:
        """Ask for one namespace (a neighbour)."""
        return Operation(routes.namespace(ref), RecordDecoder(Namespace))

    def pipelines(self, query: PipelinesQuery, page: int = 1) -> Operation[Page[Pipeline]]:
        """Ask for pipelines of a project, newest first; the spec promises none of the filters.

        One that does not say what started it is left in: whoever asked for a source has to look.
        """

        def keep(pipeline: Pipeline) -> bool:
            return (
                query.status in {"", pipeline.status}
                and query.ref in {"", pipeline.ref}
                and (not query.source or pipeline.source in {"", query.source})
                and pipeline.sha.startswith(query.sha)
            )

        filters = (
            ("status", query.status),
            ("ref", query.ref),
            ("source", query.source),
            # Of a beginning no platform makes anything.
            ("sha", query.sha if len(query.sha) in _WHOLE_SHA else ""),
        )
        asked = keep if query.status or query.ref or query.source or query.sha else None
        return self._list(Pipeline, routes.pipelines(query.project), page, *filters, keep=asked)

    def pipeline(self, ref: ProjectRef, pipeline_id: int) -> Operation[Pipeline]:
        """Ask for one pipeline in detail."""
        return Operation(routes.pipeline(ref, pipeline_id), RecordDecoder(Pipeline))

    def jobs(self, query: JobsQuery, page: int = 1) -> Operation[Page[Job]]:
        """Ask for the jobs of one pipeline, or of the whole project, newest first."""
        if query.pipeline is None:
            scope = query.scope
            keep = (lambda job: job.status in scope) if scope else None
            filters = (("scope[]", one) for one in scope)
            return self._list(Job, routes.jobs(query.project), page, *filters, keep=keep)
        retried = ("include_retried", "true" if query.with_retried else "")
        path = routes.pipeline_jobs(query.project, query.pipeline)
        return self._list(Job, path, page, retried)

    def job(self, ref: ProjectRef, job_id: int) -> Operation[Job]:
        """Ask for one job."""
        return Operation(routes.job(ref, job_id), RecordDecoder(Job))

    def own_job(self) -> Operation[Job]:
        """Ask for the job whose token this is (a neighbour that a job's token opens)."""
        return Operation(routes.OWN_JOB, RecordDecoder(Job), kept=False)

    def bridges(self, ref: ProjectRef, pipeline_id: int, page: int = 1) -> Operation[Page[Bridge]]:
        """Ask for the jobs that start child pipelines (a neighbour)."""
        return self._list(Bridge, routes.bridges(ref, pipeline_id), page)

    def variables(self, ref: ProjectRef, pipeline_id: int) -> Operation[Page[Variable]]:
        """Ask for the variables of a pipeline (a neighbour); the list comes whole."""
        whole = PageDecoder(Variable, 1, _NO_PAGES)
        return Operation(routes.variables(ref, pipeline_id), whole, kept=False)

    def file(self, ref: ProjectRef, path: str, at: str) -> Operation[RepositoryFile]:
        """Ask for a file of the repository at a branch, tag or commit."""
        return Operation(routes.file(ref, path), RecordDecoder(RepositoryFile), (("ref", at),))

    def tree(
        self, ref: ProjectRef, at: str, path: str = "", page: int = 1
    ) -> Operation[Page[TreeEntry]]:
        """Ask for a folder of the repository (a neighbour)."""
        return self._list(TreeEntry, routes.tree(ref), page, ("path", path), ("ref", at))

    def branches(self, ref: ProjectRef, page: int = 1, search: str = "") -> Operation[Page[Branch]]:
        """Ask for branches (a neighbour)."""
        return self._list(Branch, routes.branches(ref), page, ("search", search))

    def tags(self, ref: ProjectRef, page: int = 1, search: str = "") -> Operation[Page[Tag]]:
        """Ask for tags (a neighbour)."""
        return self._list(Tag, routes.tags(ref), page, ("search", search))

    def schedules(self, ref: ProjectRef, page: int = 1) -> Operation[Page[Schedule]]:
        """Ask for pipeline schedules (a neighbour: the spec documents creation only)."""
        return self._list(Schedule, routes.schedules(ref), page)

    def schedule(self, ref: ProjectRef, schedule_id: int) -> Operation[Schedule]:
        """Ask for one schedule with its last pipeline and its variables (a neighbour)."""
        path = routes.schedule(ref, schedule_id)
        return Operation(path, RecordDecoder(Schedule), kept=False)

    def user(self) -> Operation[User]:
        """Ask who the token's owner is (a neighbour)."""
        return Operation(routes.USER, RecordDecoder(User))

    def token(self) -> Operation[AccessToken]:
        """Ask what the token itself is like (a neighbour)."""
        return Operation(routes.TOKEN, RecordDecoder(AccessToken), kept=False)

    def version(self) -> Operation[Version]:
        """Ask which release the platform is (a neighbour)."""
        return Operation(routes.VERSION, RecordDecoder(Version), kept=False)

    def _list(
        self,
        model: type[R],
        path: str,
        page: int,
        *filters: tuple[str, str],
        keep: Callable[[R], bool] | None = None,
    ) -> Operation[Page[R]]:
        """Return one page of a list; filters without a value are left out."""
        query: Pairs = (
            *((name, value) for name, value in filters if value),
            ("page", str(page)),
            ("per_page", str(self.per_page)),
        )
        return Operation(path, PageDecoder(model, page, self.per_page, keep), query)


def _found(search: str, texts: Callable[[R], Iterable[str]]) -> Callable[[R], bool] | None:
    """Return what keeps the records in which every word of a search is; None without one."""
    words = search.casefold().split()
    if not words:
        return None

    def keep(record: R) -> bool:
        text = "\n".join(texts(record)).casefold()
        return all(word in text for word in words)

    return keep


def _project_texts(one: Project) -> Iterable[str]:
    return one.name, one.path, one.name_with_namespace, one.path_with_namespace, one.description


def _namespace_texts(one: Namespace) -> Iterable[str]:
    return one.name, one.path, one.full_path
