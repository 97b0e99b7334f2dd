"""Watch list and incident history of `platui triage`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.cli.command_options import ListOptions
from platui.cli.commands.triage.board import cached_board, path_of_runs
from platui.cli.commands.triage.lookup import HINT, ProjectFinder, group_of
from platui.cli.commands.triage.marks import print_saved
from platui.cli.commands.triage.show import nothing_watched
from platui.cli.error_output import print_error
from platui.cli.options import is_address
from platui.cli.output.lists import as_of_now, printing, style_of
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_lines, print_object
from platui.cli.targets import number_of, project_at
from platui.core.errors import AmbiguousError, CommandError, ConfigError, PlatuiError
from platui.core.suggestions import listed
from platui.core.text import clean, shorten
from platui.models.values.triage_board import Mark
from platui.present.tables.triage import project_keys
from platui.present.tables.triage_history import HISTORY, Over
from platui.present.triage.labels import Names

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.models.values.stored_triage import WatchSelection
    from platui.service import PlatformService

_NAMED: Final = 8

_NO_MARK: Final = Mark()


async def watch(service: PlatformService, words: Sequence[str]) -> None:
    await service.start()
    projects = [word for word in words if not group_of(word)]
    groups = [group for word in words if (group := group_of(word))]
    found, whole = await ProjectFinder(service).select(projects, groups)
    await service.triage_state.watch(found, whole)
    for name in (*found.values(), *(f"{one}/" for one in whole)):
        print_saved(service, f"{shorten(name, 200)} is watched.")


async def unwatch(service: PlatformService, words: Sequence[str]) -> None:
    await service.start()
    watched = service.triage_state.memory.value.watched
    names, base = await _names(service, watched), service.profile.url
    named = (str(project_at([word], base, HINT)) if is_address(word) else word for word in words)
    targets = [_find_watched(word, watched, names) for word in named]
    ids = [one for one in targets if isinstance(one, int)]
    groups = [one for one in targets if isinstance(one, str)]
    await service.triage_state.unwatch(ids, groups)
    left = service.triage_state.memory.value.watched
    for word, one in zip(words, targets, strict=True):
        path = names.path(one) if isinstance(one, int) else one
        if holder := _watched_group(path, left):
            print_saved(service, f"{shorten(word, 200)} is still {_with_group(holder)}.")
        else:
            print_saved(service, f"{shorten(word, 200)} is no longer watched.")


def list_watched(platform: Platform, *, as_json: bool) -> None:
    service = platform.service
    watched = service.triage_state.memory.value.watched
    if watched.is_empty:
        if service.triage_state.is_damaged:
            raise ConfigError("The triage state is damaged: what is watched is unknown.")
        print_error(nothing_watched(service))
    cached = service.local_state.kept_board() if watched.projects else None
    if not watched.projects:
        names = Names(())
    elif cached is not None and set(watched.projects) <= dict(cached.names).keys():
        names = Names(cached.names)
    else:
        platform.run(service.start())
        names = platform.run(_names(service, watched))
    if as_json:
        projects = [project_keys(one, names) for one in watched.projects]
        print_object({"projects": projects, "groups": list(watched.groups)})
        return
    print_lines(clean(names.path(one)) or str(one) for one in watched.projects)
    print_lines(f"{clean(one)}/" for one in watched.groups)


def _find_watched(word: str, watched: WatchSelection, names: Names) -> int | str:
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
                f"{shorten(word, 80)} matches {len(ends)} watched projects.",
                hint=f"Use one of: {listed(paths, _NAMED)}.",
            )
        if ends:
            return ends[0]
    for group in watched.groups:
        if path == group.casefold():
            return group
    number = number_of(path)
    known = path if number is None else names.path(number)
    if holder := _watched_group(known, watched):
        raise CommandError(f"{shorten(word, 80)} is not watched itself, but {_with_group(holder)}.")
    raise CommandError(
        f"{shorten(word, 80)} is not watched.", hint="List them with: platui triage watched"
    )


def _watched_group(path: str, watched: WatchSelection) -> str:
    groups = {group.casefold(): group for group in watched.groups}
    return groups.get(watched._replace(groups=tuple(groups)).group_of(path.casefold()), "")


def _with_group(group: str) -> str:
    name = clean(group)
    return f"watched with its group {name}: platui triage unwatch {name}/"


async def _names(service: PlatformService, watched: WatchSelection) -> Names:
    board = await cached_board(service)
    found = {} if board is None else dict(board.names)
    finder = ProjectFinder(service)
    try:
        if board is None or not board.is_named:
            found |= await finder.names()
        for project in watched.projects:
            if project not in found:  # the user is not a member
                found |= dict([await finder.project(str(project))])
    except PlatuiError:
        pass  # ids are shown instead
    return Names(found.items())


def show_history(platform: Platform, form: str, limit: int) -> None:
    service = platform.service
    memory = service.triage_state.memory.value
    ended = [one for one in memory.history.values() if one.recovered_at is not None]
    ended.sort(key=lambda one: one.recovered_at or one.opened_at, reverse=True)
    some = ended[:limit]
    base = service.profile.url
    names = Names(
        (int(one.incident.lane.project), path)
        for one in some
        if (path := path_of_runs((one.incident.first_red, one.incident.newest_red), base))
    )
    printed = [Over(one, memory.marks.get(one.key, _NO_MARK), names) for one in some]
    list_options = ListOptions(limit, form)
    at, style = as_of_now(platform), style_of(platform)
    with printing("incidents", list_options, HISTORY, at, style) as out:
        out.take(printed)
    if not ended:
        print_notice("No resolved incidents yet.")
    elif len(ended) > limit:
        print_notice(f"{len(ended) - limit} older incidents: use --limit N.")
