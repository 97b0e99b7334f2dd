"""Find the projects, groups and incidents that arguments of `platui triage` name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.triage.causes import SHORTEST, keys_of, shown_keys
from platui.cli.commands.triage.board import Asking, kept_board
from platui.cli.options import is_address
from platui.cli.output.progress import print_notice
from platui.cli.project_lookup import project_record
from platui.cli.project_paths import groups_of, paths_from_pipelines
from platui.cli.reading import read, resources
from platui.cli.suggestions import listed, nearest
from platui.cli.targets import number_of, project_at
from platui.core.errors import (
    AmbiguousError,
    CommandError,
    ConfigError,
    OfflineError,
    RateLimitedError,
    ServerFailedError,
)
from platui.core.text import clean, shorten
from platui.models.values.queries import ProjectsQuery
from platui.models.values.stored_triage import WatchSelection
from platui.present.counts import counted
from platui.present.times import age
from platui.present.triage.names import Names, incident_name
from platui.ui.addresses import route_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage_board import Board, BoardItem, CauseGroup
    from platui.models.wire import Project
    from platui.service import PlatformService

HINT: Final = "platui triage --help"
_WHOLE: Final = ("/…", "/...", "/*", "/")
"""What says that a group is meant, and all in it."""
_MOST: Final = 8
_WORD: Final = 80
_SIGNATURE: Final = 12
"""Digits and letters of the key of a signature, which may be digits only."""
_LISTED: Final = "platui triage lists them."


class Wished(NamedTuple):
    """What words name, with the full paths of the projects, or what else they are called."""

    projects: Mapping[int, str]
    groups: tuple[str, ...] = ()

    @property
    def watched(self) -> WatchSelection:
        return WatchSelection(tuple(self.projects), self.groups, is_chosen=True)


def group_of(word: str) -> str:
    """Return the group that a word names with all in it (`finance/…`); empty where it is none."""
    for end in _WHOLE:
        if word.endswith(end) and not is_address(word):
            return word.removesuffix(end).strip("/")
    return ""


class Finder:
    """Finds projects and groups; the list of projects is asked for once, and only if it must be."""

    def __init__(self, service: PlatformService) -> None:
        self._service = service
        self._all: tuple[Project, ...] | None = None
        self._told: list[Project] | None = None
        """The same with their paths, wherever anybody tells them."""

    async def wished(self, projects: Iterable[str], groups: Iterable[str]) -> Wished:
        found = dict([await self.project(word) for word in projects])
        whole: dict[str, None] = {}
        for word in groups:
            group, inside = await self._group(word)
            if all(one.path_with_namespace for one in await self._projects()):
                whole[group] = None
                continue
            found |= {one.id: one.path_with_namespace for one in inside}
            print_notice(
                "This platform does not say which group a project is in. Meant are "
                f"{counted(len(inside), 'project')} of {shorten(group, _WORD)} that ran; "
                "what joins it later is not."
            )
        return Wished(found, tuple(whole))

    async def project(self, word: str) -> tuple[int, str]:
        """Return id and full path, or the name where the platform tells no paths."""
        ref = project_at([word], self._service.profile.url, HINT)
        project = await project_record(self._service, ref)
        return project.id, _name_of(project)

    async def _group(self, word: str) -> tuple[str, list[Project]]:
        """Where the list of projects tells no paths, it takes a request for each to find out."""
        path = word.strip("/")
        begin = f"{path}/".casefold()
        pathed = await self._pathed()
        inside = [one for one in pathed if one.path_with_namespace.casefold().startswith(begin)]
        if inside:
            return inside[0].path_with_namespace[: len(begin) - 1], inside
        groups = groups_of(one.path_with_namespace for one in pathed)
        near = nearest(path, groups)
        there = f"There is {listed(groups, _MOST)}." if groups else ""
        raise CommandError(
            f"No project of yours lies in a group {shorten(path, _WORD)}.",
            hint=f"Did you mean {shorten(near, _WORD)}?" if near else there,
        )

    async def names(self) -> dict[int, str]:
        return {one.id: _name_of(one) for one in await self._projects()}

    async def _pathed(self) -> Sequence[Project]:
        if self._told is None:
            projects = await self._projects()
            bare = [one for one in projects if not one.path_with_namespace]
            told = await paths_from_pipelines(self._service, bare) if bare else []
            self._told = [*(one for one in projects if one.path_with_namespace), *told]
        return self._told

    async def _projects(self) -> tuple[Project, ...]:
        if self._all is None:
            wanted = resources.projects.projects(ProjectsQuery())
            listing = await read(self._service, "its projects", wanted)
            self._all = listing.items
        return self._all


def _name_of(project: Project) -> str:
    return project.path_with_namespace or project.name


class Found(NamedTuple):
    """One incident that a word means."""

    item: BoardItem
    key: IncidentKey
    name: str


async def find_incident(service: PlatformService, word: str) -> Found:
    """Return the incident that a word means, live, or as it is kept while the platform is away.

    It is `PROJECT`, `PROJECT#PIPELINE` or the number of a red pipeline of it; of a path its
    end is enough, and an address of the project or pipeline is as good.
    """
    wanted = _read(word, service.profile.url)
    memory = service.triage_state.memory.value
    kept = await kept_board(service)
    ids = () if kept is None else _projects_meant(wanted, kept)
    known: dict[int, str] = {}
    if not ids and wanted.project:
        history = {int(project) for project, _ in memory.history}
        at_memory = tuple(one for one in history if wanted.project == str(one))
        if not at_memory and "/" in wanted.project:
            known = dict([await Finder(service).project(wanted.project)])
        ids = at_memory or tuple(known)
    watched = WatchSelection(ids) if ids else None
    if watched is None and not (memory.watched.projects or memory.watched.groups):
        raise _none(word, [])
    board, names = await _told_or_kept(service, Asking(service, watched, known), kept)
    broken = [(item, item.incident) for item in board.items if item.incident is not None]
    found = [Found(item, one.key, clean(incident_name(one.key, names))) for item, one in broken]
    matching = [one for one in found if wanted.means(one.item, names)]
    called = [one.name for one in matching or found]
    if not matching:
        raise _none(word, called)
    if len(matching) > 1:
        raise AmbiguousError(
            f"{shorten(word, _WORD)} means {counted(len(matching), 'incident')}.",
            hint=f"Name one of them: {listed(called, _MOST)}.",
        )
    return matching[0]


async def find_cause(service: PlatformService, word: str) -> CauseGroup:
    wanted = word.strip().casefold()
    if wanted.isdecimal() and len(wanted) < _SIGNATURE:
        raise ConfigError(
            f"{shorten(word, _WORD)} is a place in one listing, and another cause in the next.",
            hint=f"A cause is named by its key, which has letters only. {_LISTED}",
        )
    if len(wanted) < SHORTEST:
        raise ConfigError(
            f"{shorten(word, _WORD) or 'Nothing'} is too short: it takes {SHORTEST} letters of "
            "the key of a cause.",
            hint=_LISTED,
        )
    watched = service.triage_state.memory.value.watched
    if not (watched.projects or watched.groups):
        raise CommandError("Nothing is watched, and so nothing is known to be broken.", hint=HINT)
    board, _ = await _told_or_kept(service, Asking(service), await kept_board(service))
    called = zip(shown_keys(board.groups), board.groups, strict=True)
    found = [(key, group) for key, group in called if _means(wanted, group)]
    if not found:
        raise CommandError(
            f"No cause of what is broken is called {shorten(word, _WORD)}.",
            hint=_LISTED if board.groups else "Nothing is broken.",
        )
    if len(found) > 1:
        raise AmbiguousError(
            f"{shorten(word, _WORD)} means {counted(len(found), 'cause')}.",
            hint=f"Name one of them: {listed([key for key, _ in found], _MOST)}.",
        )
    return found[0][1]


def _means(wanted: str, group: CauseGroup) -> bool:
    if group.signature is not None and group.signature.key == wanted:
        return True
    return any(key.startswith(wanted) for key in keys_of(group))


async def _told_or_kept(
    service: PlatformService, asking: Asking, kept: Board | None
) -> tuple[Board, Names]:
    """Return a live board, or what is kept: marks of incidents need not wait for the platform."""
    try:
        return await asking.whole(), asking.names()
    except (OfflineError, ServerFailedError, RateLimitedError) as error:
        board = asking.board if asking.board is not None and asking.board.groups else kept
        if board is None or not board.groups:
            raise
        now = service.clock.now()
        told = f", the oldest of {age(board.fetched_at, now)} ago" if board.fetched_at else ""
        print_notice(f"{error.sentence} What is broken is what was kept{told}.")
        asking.board = board
        return board, asking.names()


class _Wanted(NamedTuple):
    project: str = ""
    """Its path, or the end of it; or its id."""
    pipeline: int | None = None

    def means(self, item: BoardItem, names: Names) -> bool:
        incident = item.incident
        if incident is None:
            return False
        reds = {incident.first_red.id, incident.newest_red.id, *incident.reds}
        if self.pipeline is not None and self.pipeline not in reds:
            return False
        return not self.project or self.is_project(item.lane.project, names)

    def is_project(self, project: ProjectRef, names: Names) -> bool:
        if self.project == str(project):
            return True
        path, end = names.path(project).casefold(), self.project.casefold()
        return path == end or path.endswith(f"/{end}")


def _read(word: str, base: str) -> _Wanted:
    if is_address(word):
        place = route_of(word, base)
        if place is None or place.project is None:
            raise ConfigError(f"{shorten(word, 200)} is not of {base}.", hint=HINT)
        return _Wanted(str(place.project), place.pipeline)
    project, sign, number = word.strip().rpartition("#")
    if not sign:
        project, number = number, ""
        if (alone := number_of(project)) is not None:
            return _Wanted("", alone)
    pipeline = number_of(number)
    if (sign and pipeline is None) or not (project or sign):
        raise ConfigError(
            f"{shorten(word, _WORD) or 'Nothing'} names no incident.",
            hint="platui triage tells what they are called: group/project#4711.",
        )
    return _Wanted(project.strip("/"), pipeline)


def _projects_meant(wanted: _Wanted, board: Board) -> tuple[int, ...]:
    names = Names(board.names)
    if wanted.project:
        ids = [one for one, _ in board.names if wanted.is_project(one, names)]
    else:
        ids = [int(item.lane.project) for item in board.items if wanted.means(item, names)]
    return tuple(dict.fromkeys(ids))


def _none(word: str, others: Sequence[str]) -> CommandError:
    return CommandError(
        f"Nothing that is broken is called {shorten(word, _WORD)}.",
        hint=f"There is: {listed(others, _MOST)}." if others else "platui triage tells what is.",
    )
