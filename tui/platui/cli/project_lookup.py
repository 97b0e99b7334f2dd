"""Find the project that an argument names: address, path, end of a path, or id."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.output.progress import print_notice
from platui.cli.project_paths import groups_of, with_paths
from platui.cli.reading import gather, read, resources
from platui.cli.suggestions import listed, nearest
from platui.core.errors import (
    AmbiguousError,
    CommandError,
    ForbiddenError,
    IncompletePathError,
    InvalidResponseError,
    NotFoundError,
    OfflineError,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
)
from platui.core.text import shorten
from platui.models.values.queries import ProjectsQuery

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from platui.cli.command_options import WriteOptions
    from platui.cli.connection import Platform
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Project
    from platui.service import PlatformService

T = TypeVar("T")

_NAMED: Final = 8
_WORD: Final = 80
_LONGEST: Final = 200
_NEAR: Final = 300
"""Projects among which one of a similar name is looked for: a typing mistake is not worth more."""


async def in_project(
    service: PlatformService, named: ProjectRef, ask: Callable[[ProjectRef], Awaitable[T]]
) -> T:
    """A full path and an id cost nothing; only what is none of them is looked for."""
    if isinstance(named, int):
        return await _by_id(service, named, ask)
    if "/" not in named.strip("/"):  # every project lies in a group: this is no full path
        return await ask(_ref(await _found(service, named)))
    try:
        return await ask(named)
    except NotFoundError as error:
        meant = await _instead(service, named, error)
    print_notice(f"{shorten(named, _WORD)} is {shorten(str(meant), _LONGEST)}.")
    return await ask(meant)


async def resolve_project(service: PlatformService, named: ProjectRef) -> ProjectRef:
    async def ask(of: ProjectRef) -> ProjectRef:
        with suppress(ForbiddenError):  # it is there: who may not read it may yet write
            await _reach(service, of)
        return of

    try:
        return await in_project(service, named, ask)
    except NotFoundError:
        raise await _none(service, str(named)) from None


async def project_to_write(
    platform: Platform, named: ProjectRef, write_options: WriteOptions
) -> ProjectRef:
    """Return the project that a write is to reach; a dry run need not reach it, and says so."""
    service = platform.service
    try:
        await service.start()
        if service.is_authenticated:
            meant = await resolve_project(service, named)
            check_full_path(named, meant, write_options)
            return meant
        why = "there is no access token."  # a trigger token is enough to write, and opens nothing
    except (AmbiguousError, CommandError, IncompletePathError):
        raise
    except (OfflineError, ServerFailedError) as error:
        if not write_options.dry_run:
            raise
        why = error.sentence
    except PlatuiError as error:  # who may not read may yet write, and what sends has its reasons
        why = error.sentence
    if not write_options.dry_run:
        return named
    print_notice(f"Nobody has looked whether there is {shorten(str(named), _WORD)}: {why}")
    return named


def check_full_path(named: ProjectRef, meant: ProjectRef, write_options: WriteOptions) -> None:
    """Refuse the end of a path with --yes: later another project's path may end alike."""
    if not write_options.yes or _plain(named) == _plain(meant):
        return
    path = shorten(str(meant), _LONGEST)
    raise IncompletePathError(
        f"{shorten(str(named), _WORD)} would be {path}, and nobody is asked whether that is meant.",
        hint=f"With --yes, name it whole: {path}; or leave --yes out.",
    )


async def project_record(service: PlatformService, named: ProjectRef) -> Project:
    """Return the record of a project, with its path wherever anybody tells that."""
    if isinstance(named, str) and "/" not in named.strip("/"):
        return await _found(service, named)
    try:
        return await read(service, "a project", resources.projects.project(named))
    except NotFoundError:
        if isinstance(named, str):
            return await _found(service, named)
    # Not every platform gives a record of its own to each.
    for one in await _listed(service, ProjectsQuery(), None):
        if one.id == named:
            return one
    raise await _none(service, str(named))


async def _by_id(
    service: PlatformService, project: int, ask: Callable[[ProjectRef], Awaitable[T]]
) -> T:
    try:
        return await ask(project)
    except NotFoundError as error:
        if "project" not in error.sentence.casefold():
            raise  # the project is there: what is asked of it is not
        raise await _none(service, str(project)) from None


async def _instead(service: PlatformService, named: str, error: NotFoundError) -> ProjectRef:
    try:
        meant = _ref(await _found(service, named))
    except (AmbiguousError, CommandError):
        if await _is_there(service, named, error):
            raise error from None
        raise
    except (OfflineError, RateLimitedError, ServerFailedError, InvalidResponseError):
        raise  # whether there is such a project is not known now
    except PlatuiError:  # a job's token is shown no list
        raise error from None
    # Of a project that is not in the list, what is asked may be missing: no other one is meant.
    if meant == named or await _is_there(service, named, error):
        raise error
    return meant


async def _reach(service: PlatformService, project: ProjectRef) -> None:
    """Ask for what every project has on every platform; not each has a record of its own."""
    await gather(service, "pipelines", resources.pipelines.newest(project), 1)


async def _is_there(service: PlatformService, named: str, error: NotFoundError) -> bool:
    if "project" in error.sentence.casefold():
        return False
    try:
        await _reach(service, named)
    except NotFoundError:
        return False
    except PlatuiError:
        return True  # nobody tells, and it was answered before
    return True


async def _found(service: PlatformService, word: str) -> Project:
    end = word.strip("/")
    everything = await _listed(service, ProjectsQuery(end.rpartition("/")[2]), None)
    found = _ending_with(end, await with_paths(service, end, everything))
    if not found:
        raise await _none(service, word)
    if len(found) > 1:
        raise AmbiguousError(
            f"{shorten(word, _WORD)} means {len(found)} projects.",
            hint=f"Name one of them: {listed(sorted(str(_ref(one)) for one in found), _NAMED)}.",
        )
    return found[0]


def _plain(project: ProjectRef) -> str:
    return str(project).strip("/").casefold()


def _ref(project: Project) -> ProjectRef:
    return project.path_with_namespace or project.id


def _ending_with(end: str, projects: Iterable[Project]) -> list[Project]:
    """Return those that a path, its end, or a name means; a full path means that one alone."""
    end = end.casefold()
    found = []
    for one in projects:
        path = one.path_with_namespace.casefold()
        if path == end:
            return [one]
        if path.endswith(f"/{end}") or (not path and one.name.casefold() == end):
            found.append(one)
    return found


async def _none(service: PlatformService, word: str) -> CommandError:
    # A browser shows groups and projects in the same way; a name alone is none that was pasted.
    if "/" in word.strip("/") and await _is_group(service, word.strip("/")):
        return _group(word)
    everything = await _listed(service, ProjectsQuery(), _NEAR)
    shown, word = shorten(word, _WORD), word.strip("/")
    if word.casefold() in map(
        str.casefold, groups_of(one.path_with_namespace for one in everything)
    ):
        return _group(word)
    paths = [one.path_with_namespace or one.name for one in everything]
    last = {path.rpartition("/")[2]: path for path in paths}
    near = nearest(word, [*paths, *last])
    meant = "" if near is None else shorten(last.get(near, near), _WORD)
    return CommandError(
        f"There is no project {shown}, or this token may not see it.",
        hint=f"Did you mean {meant}?" if meant else "platui projects lists them.",
    )


def _group(word: str) -> CommandError:
    path = shorten(word.strip("/"), _WORD)
    return CommandError(
        f"{path} is a group, not a project.",
        hint=f"In the dashboard, :projects /{path} shows what is in it. "
        f"All in it is {path}/ for platui triage.",
    )


async def _is_group(service: PlatformService, path: str) -> bool:
    try:
        return await service.directory.has_group(path)
    except PlatuiError:
        return False


async def _listed(
    service: PlatformService, query: ProjectsQuery, limit: int | None
) -> tuple[Project, ...]:
    wanted = resources.projects.projects(query)
    return (await gather(service, "projects", wanted, limit)).items
