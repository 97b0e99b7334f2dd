"""Find a project by address, path, end of its path, or id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.output.progress import print_notice
from platui.cli.project_paths import groups_of, with_paths
from platui.cli.reading import gather, read, resources
from platui.core.errors import (
    AmbiguousError,
    CommandError,
    CredentialError,
    ForbiddenError,
    InvalidResponseError,
    NotFoundError,
    OfflineError,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
from platui.core.suggestions import did_you_mean, listed, nearest
from platui.core.text import shorten
from platui.models.values.queries import ProjectRef, ProjectsQuery

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.models.wire import Project
    from platui.service import PlatformService

T = TypeVar("T")

_NAMED: Final = 8
_WORD: Final = 80
_LONGEST: Final = 200
_NEAR: Final = 300  # Projects to search for a similar name


async def in_project(
    service: PlatformService, named: ProjectRef, ask: Callable[[ProjectRef], Awaitable[T]]
) -> T:
    """Call `ask` with a project; look it up unless it is a full path or id."""
    if isinstance(named, int):
        try:
            return await ask(named)
        except NotFoundError as error:
            if error.missing != "project":
                raise  # the project exists: something in it does not
            raise await _not_find(service, str(named)) from None
    if "/" not in named.strip("/"):  # not a full path, which contains a group
        return await ask(_ref(await _find(service, named)))
    try:
        return await ask(named)
    except NotFoundError as error:
        meant = await _find_other(service, named, error)
    print_notice(f"Using project {shorten(str(meant), _LONGEST)} for {shorten(named, _WORD)}.")
    return await ask(meant)


async def resolve_project(service: PlatformService, named: ProjectRef) -> ProjectRef:
    async def ask(of: ProjectRef) -> ProjectRef:
        with suppress(ForbiddenError):  # it exists: writing may be allowed
            await _check_exists(service, of)
        return of

    try:
        return await in_project(service, named, ask)
    except NotFoundError:
        raise await _not_find(service, str(named)) from None


async def project_to_write(platform: Platform, named: ProjectRef) -> ProjectRef:
    """Return the project of a write. In a dry run, failures are only printed."""
    service = platform.service
    try:
        await service.start()
        if service.is_authenticated:
            meant = await resolve_project(service, named)
            check_full_path(platform, named, meant)
            return meant
        why = "no access token."  # a trigger token cannot read projects
    except (AmbiguousError, CommandError):
        raise
    except (OfflineError, ServerFailedError) as error:
        if not platform.write_options.dry_run:
            raise
        platform.failures.append(error)
        why = error.sentence
    except (CredentialError, UnauthorizedError) as error:  # sending fails as well
        platform.failures.append(error)
        why = error.sentence
    except PlatuiError as error:  # writing may be allowed without reading
        why = error.sentence
    if not platform.write_options.dry_run:
        return named
    print_notice(f"Project {shorten(str(named), _WORD)} could not be checked: {why}")
    return named


def check_full_path(platform: Platform, named: ProjectRef, meant: ProjectRef) -> None:
    """Refuse an incomplete path with --yes: it may match another project later."""
    if not platform.write_options.yes or _plain(named) == _plain(meant):
        return
    path = shorten(str(meant), _LONGEST)
    raise AmbiguousError(
        f"{shorten(str(named), _WORD)} is an incomplete path of {path}.",
        hint=f"With --yes, use the full path: {path}; or omit --yes.",
    )


async def project_record(service: PlatformService, named: ProjectRef) -> Project:
    if isinstance(named, str) and "/" not in named.strip("/"):
        return await _find(service, named)
    try:
        return await read(service, "a project", resources.projects.project(named))
    except NotFoundError:
        if isinstance(named, str):
            return await _find(service, named)
    # Some platforms do not support the endpoint of one project.
    for one in await _listed(service, ProjectsQuery(), None):
        if one.id == named:
            return one
    raise await _not_find(service, str(named))


async def _find_other(service: PlatformService, named: str, error: NotFoundError) -> ProjectRef:
    try:
        meant = _ref(await _find(service, named))
    except (AmbiguousError, CommandError):
        if await _exists(service, named, error):
            raise error from None
        raise
    except (OfflineError, RateLimitedError, ServerFailedError, InvalidResponseError):
        raise  # unknown whether the project exists
    except PlatuiError:  # a job token cannot list projects
        raise error from None
    # The named project exists without being listed: do not use another one.
    if meant == named or await _exists(service, named, error):
        raise error
    return meant


async def _check_exists(service: PlatformService, project: ProjectRef) -> None:
    """Request pipelines, which every platform supports, to check that the project exists."""
    await gather(service, "pipelines", resources.pipelines.newest(project), 1)


async def _exists(service: PlatformService, named: str, error: NotFoundError) -> bool:
    if error.missing == "project":
        return False
    try:
        await _check_exists(service, named)
    except NotFoundError:
        return False
    except PlatuiError:
        return True  # unknown; the earlier request found it
    return True


async def _find(service: PlatformService, word: str) -> Project:
    end = word.strip("/")
    everything = await _listed(service, ProjectsQuery(end.rpartition("/")[2]), None)
    found = _ending_with(end, await with_paths(service, end, everything))
    if not found:
        raise await _not_find(service, word)
    if len(found) > 1:
        raise AmbiguousError(
            f"{shorten(word, _WORD)} matches {len(found)} projects.",
            hint=f"Use one of: {listed(sorted(str(_ref(one)) for one in found), _NAMED)}.",
        )
    return found[0]


def _plain(project: ProjectRef) -> str:
    return str(project).strip("/").casefold()


def _ref(project: Project) -> ProjectRef:
    return project.path_with_namespace or project.id


def _ending_with(end: str, projects: Iterable[Project]) -> list[Project]:
    """Return the projects that match a path, the end of a path or a name."""
    end = end.casefold()
    found = []
    for one in projects:
        path = one.path_with_namespace.casefold()
        if path == end:
            return [one]
        if path.endswith(f"/{end}") or (not path and one.name.casefold() == end):
            found.append(one)
    return found


async def _not_find(service: PlatformService, word: str) -> CommandError:
    # A pasted path may be that of a group.
    if "/" in word.strip("/"):
        with suppress(PlatuiError):
            if await service.directory.has_group(word.strip("/")):
                return _group(word)
    everything = await _listed(service, ProjectsQuery(), _NEAR)
    shown, word = shorten(word, _WORD), word.strip("/")
    groups = groups_of(one.path_with_namespace for one in everything)
    if word.casefold() in map(str.casefold, groups):
        return _group(word)
    paths = [one.path_with_namespace or one.name for one in everything]
    last = {path.rpartition("/")[2]: path for path in paths}
    near = nearest(word, [*paths, *last])
    meant = did_you_mean(shorten(last.get(near, near) or _containing(word, paths), _WORD))
    return CommandError(
        f"Project {shown} not found, or not visible to this token.",
        hint=meant or "List them with: platui projects",
    )


def _containing(word: str, paths: Iterable[str]) -> str:
    """Return the only path with a word in its last part; empty: none, or several."""
    part = word.casefold()
    found = [path for path in paths if part in path.rpartition("/")[2].casefold()]
    return found[0] if len(found) == 1 and part else ""


def _group(word: str) -> CommandError:
    path = shorten(word.strip("/"), _WORD)
    return CommandError(
        f"{path} is a group, not a project.",
        hint=f"In the dashboard, :projects /{path} lists its projects. "
        f"For platui triage, use {path}/ for all of them.",
    )


async def _listed(
    service: PlatformService, query: ProjectsQuery, limit: int | None
) -> tuple[Project, ...]:
    wanted = resources.projects.projects(query)
    return (await gather(service, "projects", wanted, limit)).items
