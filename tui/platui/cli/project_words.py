"""The project that a word of a command means: its address, its path or the end of it, its id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.listing import gather
from platui.cli.naming import listed, nearest
from platui.cli.patience import narrate
from platui.core.errors import CommandError, NotFoundError, PlatuiError
from platui.core.text import shorten
from platui.models.values.queries import ProjectsQuery

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from platui.models import Project
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService

T = TypeVar("T")

_NAMED: Final = 8
_WORD: Final = 80
_NEAR: Final = 300
"""Projects among which one of a similar name is looked for: a typing mistake is not worth more."""


async def in_project(
    service: PlatformService, named: ProjectRef, ask: Callable[[ProjectRef], Awaitable[T]]
) -> T:
    """Return what the platform says of a project, which may be named by the end of its path.

    A full path and an id cost nothing; only what is none of them is looked for.

    Args:
        service: the platform's.
        named: what the words of the command say.
        ask: asks about a project.

    Raises:
        PlatuiError: it means no project or several, or nobody tells.
    """
    if isinstance(named, int):
        return await ask(named)
    if "/" not in named.strip("/"):  # every project lies in a group: this is no full path
        return await ask(await _found(service, named))
    try:
        return await ask(named)
    except NotFoundError as error:
        try:
            meant = await _found(service, named)
        except PlatuiError as failure:
            if isinstance(failure, CommandError) and "project" in error.sentence.casefold():
                raise
            # The project may be there, and what is asked of it is not; or a job's token is
            # shown no list.
            raise error from None
        if meant == named:
            raise  # the project is there: what is asked of it is not
        narrate(f"{shorten(named, _WORD)} is {shorten(str(meant), 200)}.")
        return await ask(meant)


async def _found(service: PlatformService, word: str) -> ProjectRef:
    """Return the one project that a word means, as the platform names it.

    Raises:
        PlatuiError: there is none for this token, or several; or nobody tells.
    """
    end = word.strip("/")
    query = ProjectsQuery(end.rpartition("/")[2])
    found = _ending_with(end, await _listed(service, query, None))
    if not found:
        raise await _none(service, word)
    if len(found) > 1:
        paths = [one.path_with_namespace or f"{one.id}" for one in found]
        raise CommandError(
            f"{shorten(word, _WORD)} means {len(found)} projects.",
            hint=f"Name one of them: {listed(sorted(paths), _NAMED)}.",
        )
    return found[0].path_with_namespace or found[0].id


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
        return CommandError(
            f"{shorten(word, _WORD)} is a group, not a project.",
            hint=f"In the dashboard, :projects /{shorten(word, _WORD)} shows what is in it.",
        )
    everything = await _listed(service, ProjectsQuery(), _NEAR)
    paths = [one.path_with_namespace or one.name for one in everything]
    last = {path.rpartition("/")[2]: path for path in paths}
    near = nearest(word, [*paths, *last])
    meant = "" if near is None else shorten(last.get(near, near), _WORD)
    return CommandError(
        f"There is no project {shorten(word, _WORD)}, or this token may not see it.",
        hint=f"Did you mean {meant}?" if meant else "platui projects lists them.",
    )


async def _is_group(service: PlatformService, path: str) -> bool:
    """Return whether it is; False, too, where nobody tells."""
    try:
        return await service.directory.has_group(path)
    except PlatuiError:
        return False


async def _listed(
    service: PlatformService, query: ProjectsQuery, limit: int | None
) -> tuple[Project, ...]:
    feed = service.feeds.watch_projects(query)
    return (await gather("projects", feed, limit)).items
