"""What is watched: chosen, left and listed from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.dispatch import tell
from platui.cli.naming import listed
from platui.cli.patience import narrate
from platui.cli.told import say_lines, say_object
from platui.cli.triage_finding import Finder, group_of, kept_board
from platui.cli.triage_marks import kept
from platui.cli.triage_shape import project_keys
from platui.cli.triage_show import has_any, nothing_watched
from platui.core.errors import AmbiguousError, CommandError, PlatuiError
from platui.core.text import clean, shorten
from platui.present.triage_names import Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.cli.connecting import Platform
    from platui.models.values.triage_memory import Watched
    from platui.service import PlatformService

_NAMED: Final = 8


def watch(platform: Platform, words: Sequence[str]) -> int:
    """Watch projects and groups from now on; returns the exit code.

    Raises:
        PlatuiError: one of them is not there, and none was added.
    """
    service = platform.service

    async def add() -> None:
        await service.start()
        projects = [word for word in words if not group_of(word)]
        groups = [group for word in words if (group := group_of(word))]
        wished = await Finder(service).wished(projects, groups)
        await service.triage_book.watch(wished.projects, wished.groups)
        for name in (*wished.projects.values(), *(f"{one}/" for one in wished.groups)):
            narrate(f"{shorten(name, 200)} is watched.")

    platform.run(add())
    return kept(service)


def unwatch(platform: Platform, words: Sequence[str]) -> int:
    """Watch projects and groups no more; returns the exit code.

    Raises:
        PlatuiError: one of them is not watched, and none was taken away.
    """
    service = platform.service

    async def take() -> None:
        await service.start()
        watched = service.triage_book.memory.value.watched
        names = await _names(service, watched)
        meant = [_meant(word, watched, names) for word in words]
        ids = [one for one in meant if isinstance(one, int)]
        groups = [one for one in meant if isinstance(one, str)]
        await service.triage_book.unwatch(ids, groups)
        left = service.triage_book.memory.value.watched
        for word, one in zip(words, meant, strict=True):
            path = names.path(one) if isinstance(one, int) else one
            if holder := _holder(path, left):
                narrate(f"{shorten(word, 200)} is still {_with(holder)}.")
            else:
                narrate(f"{shorten(word, 200)} is watched no more.")

    platform.run(take())
    return kept(service)


def list_watched(platform: Platform, *, as_json: bool) -> int:
    """Print what is watched; returns the exit code.

    That there is nothing is no failure: it is said on stderr.
    """
    service = platform.service
    watched = service.triage_book.memory.value.watched
    if not has_any(watched):
        empty = nothing_watched(service)
        tell(empty.sentence, empty)

    async def ask() -> Names:
        await service.start()
        return await _names(service, watched)

    names = _names_left(service, watched) or platform.run(ask())
    if as_json:
        projects = [project_keys(one, names) for one in watched.projects]
        say_object({"projects": projects, "groups": list(watched.groups)})
        return 0
    say_lines(clean(names.path(one)) or str(one) for one in watched.projects)
    say_lines(f"{clean(one)}/" for one in watched.groups)
    return 0


def _meant(word: str, watched: Watched, names: Names) -> int | str:
    """Return the project, by its id, or the group that a word names of those that are watched.

    Raises:
        AmbiguousError: several of them are called so.
        CommandError: there is none.
    """
    path = (group_of(word) or word).strip("/").casefold()
    if not group_of(word):
        ends = []
        for project in watched.projects:
            known = names.path(project).casefold()
            if path in {str(project), known}:
                return project
            if known.endswith(f"/{path}"):
                ends.append(project)
        if len(ends) > 1:
            paths = sorted(names.path(one) for one in ends)
            raise AmbiguousError(
                f"{shorten(word, 80)} means {len(ends)} projects that are watched.",
                hint=f"Name one of them: {listed(paths, _NAMED)}.",
            )
        if ends:
            return ends[0]
    for group in watched.groups:
        if path == group.casefold():
            return group
    known = names.path(int(path)) if path.isdecimal() else path
    if holder := _holder(known, watched):
        raise CommandError(f"{shorten(word, 80)} is not watched alone, but {_with(holder)}.")
    raise CommandError(
        f"{shorten(word, 80)} is not watched.", hint="platui triage watched lists what is."
    )


def _holder(path: str, watched: Watched) -> str:
    """Return the watched group that a project or group is in, however it is written."""
    groups = {group.casefold(): group for group in watched.groups}
    return groups.get(watched._replace(groups=tuple(groups)).group_of(path.casefold()), "")


def _with(group: str) -> str:
    """Return with which group a project is watched, and how that is undone."""
    name = clean(group)
    return f"watched with its group {name}: platui triage unwatch {name}/"


def _names_left(service: PlatformService, watched: Watched) -> Names | None:
    """Return what the board called watched projects when it was left; None: not all of them.

    With them nothing is asked, and nothing is imported that asks.
    """
    if not watched.projects:
        return Names(())
    left = service.remembrance.kept_board()
    if left is None or not set(watched.projects) <= dict(left.names).keys():
        return None
    return Names(left.names)


async def _names(service: PlatformService, watched: Watched) -> Names:
    """Return what watched projects are called, as far as anybody tells."""
    board = await kept_board(service)
    found = {} if board is None else dict(board.names)
    finder = Finder(service)
    try:
        if board is None or not board.is_named:
            found |= await finder.names()
        for project in watched.projects:
            if project not in found:  # one is no member of it
                found |= dict([await finder.project(str(project))])
    except PlatuiError:
        pass  # ids will do
    return Names(found.items())
