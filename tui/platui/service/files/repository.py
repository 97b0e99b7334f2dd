"""Browse a repository: refs, folders, pipeline files and variables, on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from platui.api.endpoints import files, pipelines, projects
from platui.core.errors import MISSING, UNAVAILABLE, InvalidResponseError, PlatuiError
from platui.models.values.connection import Urgency
from platui.models.values.files import Entry, FolderEntries, PipelineFiles, RefName, RefsFound
from platui.models.values.writes import PIPELINE_FILE_VARIABLE
from platui.models.wire import Branch, MergeRequest, Record, Tag, Variable

if TYPE_CHECKING:
    from platui.api.api_client import ApiClient
    from platui.api.endpoint import Endpoint, ListEndpoint
    from platui.models.values.queries import ProjectRef
    from platui.service.reader import Reader

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_FILE_ENDINGS: Final = ("-ci.yml", "-ci.yaml", ".gitlab-ci.yml")
_MOST_PAGES: Final = 10
_MOST_SLASHES: Final = 4  # maximum slashes in a ref name; each costs a request
VARIABLES_NOT_TO_BE_HAD: Final = (*UNAVAILABLE, InvalidResponseError)


class Repository:
    def __init__(self, reader: Reader, caller: ApiClient) -> None:
        self._reader = reader
        self._caller = caller

    async def refs(self, project: ProjectRef) -> RefsFound | None:
        """Return branches, the default one first, then tags; None: not supported."""
        listed = await self._all(files.branches(project))
        if listed is None:
            return None
        branches, has_branches = listed
        if not has_branches and not any(one.default for one in branches):
            with suppress(PlatuiError):  # without it, only the order differs
                if (found := await self._offered(projects.project(project))) is not None:
                    default = Branch(name=found.default_branch, default=True)
                    branches = [default, *(one for one in branches if one.name != default.name)]
        tags, has_tags = await self._all(files.tags(project)) or ((), True)
        return RefsFound(_ref_names(branches, tags), has_branches and has_tags)

    async def find_refs(self, project: ProjectRef, words: str) -> RefsFound | None:
        """Return one page each of branches and tags with these words; None: not supported.

        Raises PlatuiError: no response, or no access to branches.
        """
        branches, tags = await asyncio.gather(
            self._offered(files.branches(project, words).page(), MISSING),
            self._offered(files.tags(project, words).page()),
        )
        if branches is None:
            return None
        whole = branches.next is None and (tags is None or tags.next is None)
        return RefsFound(_ref_names(branches.items, () if tags is None else tags.items), whole)

    async def folder(self, project: ProjectRef, ref: str, path: str = "") -> FolderEntries | None:
        """Return the entries of a folder, folders first; None: not supported."""
        listed = await self._all(files.tree(project, ref, path))
        if listed is None:
            return None
        found = [Entry(one.path or one.name, one.type == "tree") for one in listed[0]]
        named = (one for one in found if one.path)
        return FolderEntries(tuple(sorted(named, key=lambda one: not one.is_folder)), listed[1])

    async def longer_ref(self, project: ProjectRef, ref: str, path: str) -> tuple[str, str] | None:
        """Split `ref/path` of a web address at the first slash where the ref has that file."""
        parts = path.split("/")
        for count in range(1, min(len(parts), _MOST_SLASHES + 1)):
            longer, rest = "/".join([ref, *parts[:count]]), "/".join(parts[count:])
            if await self._offered(files.file(project, rest, longer)) is not None:
                return longer, rest
        return None

    async def pipeline_files(
        self, project: ProjectRef, ref: str, pipeline: int | None
    ) -> PipelineFiles:
        """Return the file of a pipeline, else candidates. Raises PlatuiError: no response."""
        if pipeline is not None:
            variables = await self.variables(project, pipeline) or ()
            named = (one.value for one in variables if one.key == PIPELINE_FILE_VARIABLE)
            if file := next(named, None):
                return PipelineFiles(file)
        folder = await self.folder(project, ref)
        if folder is None:
            return PipelineFiles(listed=None)
        files = (one.path for one in folder.entries if not one.is_folder)
        return PipelineFiles(listed=tuple(one for one in files if one.endswith(_FILE_ENDINGS)))

    async def merge_request(self, project: ProjectRef, commit: str) -> MergeRequest | None:
        """Return the merge request of a commit; None: it has none, or not supported."""
        found = await self._offered(files.merge_requests(project, commit).page())
        return next((one for one in found.items if one.web_url), None) if found else None

    async def variables(self, project: ProjectRef, pipeline: int) -> tuple[Variable, ...] | None:
        """Return the variables of a pipeline; None: not available."""
        return await variables_of(self._caller, project, pipeline)

    async def _all(self, listed: ListEndpoint[R]) -> tuple[list[R], bool] | None:
        """Return the first pages, and whether they are all; None: not supported."""
        found: list[R] = []
        number: int | None = 1
        for _ in range(_MOST_PAGES):
            if number is None:
                break
            page = await self._offered(listed.page(number))
            if page is None:
                return None if number == 1 else (found, False)
            found += page.items
            number = page.next
        return found, number is None

    async def _offered(
        self, endpoint: Endpoint[T], absent: tuple[type[PlatuiError], ...] = UNAVAILABLE
    ) -> T | None:
        try:
            return (await self._reader.fetch(endpoint, Urgency.USER)).value
        except absent:
            return None


def _ref_names(branches: Iterable[Branch], tags: Iterable[Tag]) -> tuple[RefName, ...]:
    found = sorted(map(_branch, branches), key=lambda one: not one.is_default)
    return tuple(one for one in (*found, *map(_tag, tags)) if one.name)


def _branch(branch: Branch) -> RefName:
    commit = branch.commit
    return RefName(
        branch.name,
        is_default=branch.default,
        title=commit.title if commit else "",
        changed_at=(commit.committed_date or commit.created_at) if commit else None,
    )


def _tag(tag: Tag) -> RefName:
    commit = tag.commit
    return RefName(
        tag.name,
        is_tag=True,
        title=tag.message or (commit.title if commit else ""),
        changed_at=tag.created_at or (commit.created_at if commit else None),
    )


async def variables_of(
    caller: ApiClient, project: ProjectRef, pipeline: int
) -> tuple[Variable, ...] | None:
    """Return the variables of a pipeline, never cached on disk; None: not available."""
    try:
        page = await caller.get(pipelines.variables(project, pipeline), Urgency.USER)
    except VARIABLES_NOT_TO_BE_HAD:
        return None
    return page.items
