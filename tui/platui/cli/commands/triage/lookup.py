"""Find the projects, groups and incidents that arguments of `platui triage` name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.causes import SHORTEST, abbreviated_keys, keys_of
from platui.cli.commands.triage.board import BoardReader, cached_board
from platui.cli.options import is_address
from platui.cli.output.progress import print_notice
from platui.cli.project_lookup import project_record
from platui.cli.project_paths import groups_of, paths_from_pipelines
from platui.cli.reading import read, resources
from platui.cli.targets import number_of, project_at
from platui.core.errors import (
    AmbiguousError,
    CommandError,
    ConfigError,
    OfflineError,
    RateLimitedError,
    ServerFailedError,
)
from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import did_you_mean, listed, nearest
from platui.core.text import clean, shorten
from platui.models.values.queries import ProjectRef, ProjectsQuery
from platui.models.values.stored_triage import WatchSelection
from platui.present.counts import counted
from platui.present.times import age
from platui.present.triage.labels import Names, incident_name, ref_of
from platui.present.triage.reasons import cause
from platui.ui.addresses import route_of

if TYPE_CHECKING:
    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage_board import Board, BoardItem, CauseGroup
    from platui.models.wire import Project
    from platui.service import PlatformService

HINT: Final = "platui triage --help"
_MAX_LISTED: Final = 8
_MAX_WORD: Final = 80
_SIGNATURE_LENGTH: Final = 12  # Length of the key of a signature, which may have only digits
_LIST_HINT: Final = "List them with: platui triage"


def group_of(word: str) -> str:
    """Return the group of a word such as `finance/…`; "" if it is a project."""
    for end in ("/…", "/...", "/*", "/"):
        if word.endswith(end) and not is_address(word):
            return word.removesuffix(end).strip("/")
    return ""


class ProjectFinder:
    """Finds projects and groups; fetches the list of projects at most once."""

    def __init__(self, service: PlatformService) -> None:
        self._service = service
        self._all: tuple[Project, ...] | None = None
        self._with_paths: list[Project] | None = None  # The projects whose paths are known

    async def select(
        self, projects: Iterable[str], groups: Iterable[str]
    ) -> tuple[dict[int, str], tuple[str, ...]]:
        """Return the paths of projects by id, and the groups that the platform lists in full."""
        found = dict([await self.project(word) for word in projects])
        whole: dict[str, None] = {}
        for word in groups:
            group, inside = await self._group(word)
            if all(one.path_with_namespace for one in await self._projects()):
                whole[group] = None
                continue
            found |= {one.id: one.path_with_namespace for one in inside}
            print_notice(
                "This platform does not list the projects of a group. Using "
                f"{counted(len(inside), 'project')} of {shorten(group, _MAX_WORD)} with pipelines; "
                "later ones are not included."
            )
        return found, tuple(whole)

    async def project(self, word: str) -> tuple[int, str]:
        ref = project_at([word], self._service.profile.url, HINT)
        project = await project_record(self._service, ref)
        return project.id, _name_of(project)

    async def _group(self, word: str) -> tuple[str, list[Project]]:
        # If the list of projects has no paths, this takes a request per project.
        path = word.strip("/")
        begin = f"{path}/".casefold()
        if self._with_paths is None:
            projects = await self._projects()
            bare = [one for one in projects if not one.path_with_namespace]
            found = await paths_from_pipelines(self._service, bare) if bare else []
            self._with_paths = [*(one for one in projects if one.path_with_namespace), *found]
        pathed = self._with_paths
        inside = [one for one in pathed if one.path_with_namespace.casefold().startswith(begin)]
        if inside:
            return inside[0].path_with_namespace[: len(begin) - 1], inside
        groups = groups_of(one.path_with_namespace for one in pathed)
        meant = did_you_mean(shorten(nearest(path, groups), _MAX_WORD))
        known = f"Groups: {listed(groups, _MAX_LISTED)}." if groups else ""
        raise CommandError(
            f"None of your projects is in a group {shorten(path, _MAX_WORD)}.", hint=meant or known
        )

    async def names(self) -> dict[int, str]:
        return {one.id: _name_of(one) for one in await self._projects()}

    async def _projects(self) -> tuple[Project, ...]:
        if self._all is None:
            wanted = resources.projects.projects(ProjectsQuery())
            listing = await read(self._service, "its projects", wanted)
            self._all = listing.items
        return self._all


def _name_of(project: Project) -> str:
    return project.path_with_namespace or project.name


Found = tuple["BoardItem", "IncidentKey", str]  # With the name of the incident


async def find_incident(service: PlatformService, word: str, all_hint: str = "") -> Found:
    """Find the only incident of a project, `PROJECT#PIPELINE`, pipeline id or URL."""
    first, *others = found = await find_incidents(service, word)
    if others:
        lines = [
            " · ".join(filter(None, (name, ref_of(item), shorten(cause(item), _MAX_WORD))))
            for item, _, name in found[:_MAX_LISTED]
        ]
        more = len(found) - len(lines)
        sentence = f"{shorten(word, _MAX_WORD)} matches {counted(len(found), 'incident')}:"
        raise AmbiguousError(
            "\n".join([sentence, *lines, *([f"and {more} more"] if more else [])]),
            hint=f"Give one of these names{all_hint}.",
        )
    return first


async def find_incidents(service: PlatformService, word: str) -> list[Found]:
    """Find incidents, at least one, live or else cached."""
    wanted = _parse(word, service.profile.url)
    memory = service.triage_state.memory.value
    cached = await cached_board(service)
    ids = () if cached is None else wanted.projects_of(cached)
    known: dict[int, str] = {}
    if not ids and wanted.project:
        history = {int(project) for project, _ in memory.history}
        at_memory = tuple(one for one in history if wanted.project == str(one))
        if not at_memory and "/" in wanted.project:
            known = dict([await ProjectFinder(service).project(wanted.project)])
        ids = at_memory or tuple(known)
    watched = WatchSelection(ids) if ids else None
    if watched is None and memory.watched.is_empty:
        raise _not_found(word, [])
    board, names = await _live_or_cached(service, BoardReader(service, watched, known), cached)
    found = [
        (item, item.incident.key, clean(incident_name(item.incident.key, names)))
        for item in board.items
        if item.incident is not None
    ]
    matching = [one for one in found if wanted.matches(one[0], names)]
    if not matching:
        raise _not_found(word, [name for _, _, name in found])
    return matching


async def find_cause(service: PlatformService, word: str) -> CauseGroup:
    wanted = word.strip().casefold()
    if wanted.isdecimal() and len(wanted) < _SIGNATURE_LENGTH:
        raise ConfigError(
            f"{shorten(word, _MAX_WORD)} is a position, which changes; give the key of the cause.",
            hint=f"A key has only letters. {_LIST_HINT}",
        )
    if len(wanted) < SHORTEST:
        raise ConfigError(
            f'"{shorten(word, _MAX_WORD)}" is too short: give {SHORTEST} letters of the key of a '
            "cause.",
            hint=_LIST_HINT,
        )
    if service.triage_state.memory.value.watched.is_empty:
        raise CommandError("No project is watched.", hint=HINT)
    board, _ = await _live_or_cached(service, BoardReader(service), await cached_board(service))
    called = zip(abbreviated_keys(board.groups), board.groups, strict=True)
    found = [
        (key, group)
        for key, group in called
        if (group.signature is not None and group.signature.key == wanted)
        or any(one.startswith(wanted) for one in keys_of(group))
    ]
    if not found:
        raise CommandError(
            f'Unknown cause "{shorten(word, _MAX_WORD)}".',
            hint=_LIST_HINT if board.groups else "Nothing is broken.",
        )
    if len(found) > 1:
        raise AmbiguousError(
            f"{shorten(word, _MAX_WORD)} matches {counted(len(found), 'cause')}.",
            hint=f"Use one of: {listed([key for key, _ in found], _MAX_LISTED)}.",
        )
    return found[0][1]


async def _live_or_cached(
    service: PlatformService, reader: BoardReader, cached: Board | None
) -> tuple[Board, Names]:
    try:
        return await reader.read_complete(), reader.names()
    except (OfflineError, ServerFailedError, RateLimitedError) as error:
        board = reader.board if reader.board is not None and reader.board.groups else cached
        if board is None or not board.groups:
            raise
        now = service.clock.now()
        age_text = f", the oldest of {age(board.fetched_at, now)} ago" if board.fetched_at else ""
        print_notice(f"{error.sentence} Using cached incidents{age_text}.")
        reader.board = board
        return board, reader.names()


class _IncidentRef(NamedTuple):
    project: str = ""  # Path, end of a path, or id
    pipeline: int | None = None

    def matches(self, item: BoardItem, names: Names) -> bool:
        incident = item.incident
        if incident is None:
            return False
        reds = {incident.first_red.id, incident.newest_red.id, *incident.reds}
        if self.pipeline is not None and self.pipeline not in reds:
            return False
        return not self.project or self.is_project(item.lane.project, names)

    def projects_of(self, board: Board) -> tuple[int, ...]:
        names = Names(board.names)
        ids = [one for one, _ in board.names if self.is_project(one, names)]
        if not self.project:
            ids = [int(item.lane.project) for item in board.items if self.matches(item, names)]
        return tuple(dict.fromkeys(ids))

    def is_project(self, project: ProjectRef, names: Names) -> bool:
        if self.project == str(project):
            return True
        path, end = names.path(project).casefold(), self.project.casefold()
        return path == end or path.endswith(f"/{end}")


def _parse(word: str, base: str) -> _IncidentRef:
    if is_address(word):
        place = route_of(word, base)
        if place is None or place.project is None:
            raise ConfigError(f"{shorten(word, 200)} is not a URL of {base}.", hint=HINT)
        return _IncidentRef(str(place.project), place.pipeline)
    project, sign, number = word.strip().rpartition("#")
    if not sign:
        project, number = number, ""
        if (alone := number_of(project)) is not None:
            return _IncidentRef("", alone)
    pipeline = number_of(number)
    if (sign and pipeline is None) or not (project or sign):
        raise ConfigError(
            f'Invalid incident "{shorten(word, _MAX_WORD)}".',
            hint="Use a name listed by platui triage, e.g. group/project#4711.",
        )
    return _IncidentRef(project.strip("/"), pipeline)


def _not_found(word: str, others: Sequence[str]) -> CommandError:
    return CommandError(
        f'Unknown incident "{shorten(word, _MAX_WORD)}".',
        hint=f"Incidents: {listed(others, _MAX_LISTED)}." if others else _LIST_HINT,
    )
