"""Toggle watched projects and groups, and describe the change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from platui.core.text import clean
from platui.models.values.stored_triage import WatchChange
from platui.present.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.values.stored_triage import Watchable, WatchSelection
    from platui.models.wire import Project


class Held(NamedTuple):
    name: str
    group: str


class WatchToggle(NamedTuple):
    change: WatchChange
    names: tuple[str, ...]
    held: tuple[Held, ...] = ()


def watched_ids(watched: WatchSelection, projects: Iterable[Project]) -> frozenset[int]:
    ids = frozenset(watched.projects)
    if not watched.groups:
        return ids
    groups = tuple(f"{group}/" for group in watched.groups)
    return ids.union(
        one.id
        for one in projects
        if one.path_with_namespace.startswith(groups) and not one.archived
    )


def toggle_projects(watched: WatchSelection, chosen: Sequence[Watchable]) -> WatchToggle:
    """Watch projects, or unwatch them if all of them are watched."""
    own = [one for one in chosen if one.project in watched.projects]
    groups = {one.project: watched.group_of(one.path) for one in chosen if one.path}
    held = tuple(
        Held(_name(one), clean(group)) for one in chosen if (group := groups.get(one.project, ""))
    )
    fresh = [one for one in chosen if one not in own and not groups.get(one.project)]
    if fresh:
        return WatchToggle(WatchChange(watch=_ids(fresh)), _names(fresh))
    gone = [one for one in own if not groups.get(one.project)]
    return WatchToggle(WatchChange(unwatch=_ids(own)), _names(gone), held)


def toggle_group(watched: WatchSelection, group: str) -> WatchToggle:
    name = f"the group {clean(group)}"
    if group in watched.groups:
        return WatchToggle(WatchChange(unwatch_groups=(group,)), (name,))
    if outer := watched.group_of(group):
        return WatchToggle(WatchChange(), (), (Held(f"The group {clean(group)}", clean(outer)),))
    return WatchToggle(WatchChange(watch_groups=(group,)), (name,))


def toggle_message(toggled: WatchToggle, after: WatchSelection, *, undo: str = "") -> str:
    """Describe the change; `undo` is the key or command that reverts it, "" if none."""
    change, held = toggled.change, toggled.held
    if not change:
        return _group_message(held)
    what = _called(toggled.names)
    back = f"; {undo} to undo" if undo else ""
    if change.watch or change.watch_groups:
        joins = ", including future projects" if change.watch_groups else ""
        return f"Watching {what}{joins}. {count_words(after)} in total{back}."
    gone = f"Stopped watching {what}. {count_words(after)} left{back}."
    if not held:
        return gone
    # First the projects that stay on the board via a group: the key cannot remove them.
    still = _group_message(held, still=True)
    return f"{still}. {gone}" if toggled.names else f"{still}."


def choice_message(after: WatchSelection) -> str:
    if not (after.projects or after.groups):
        return "No projects watched. Press * on a project to watch it."
    return f"{count_words(after)} watched. Press * on a project to add or remove it."


def count_words(watched: WatchSelection) -> str:
    parts = [
        counted(len(watched.projects), "project") if watched.projects else "",
        counted(len(watched.groups), "group") if watched.groups else "",
    ]
    return " and ".join(filter(None, parts)) or "Nothing"


def _group_message(held: Sequence[Held], *, still: bool = False) -> str:
    """Describe items watched via a group; `still`: they were also watched directly."""
    if not held:
        return ""
    groups = list(dict.fromkeys(one.group for one in held))
    what = f"{held[0].name} is" if len(held) == 1 else f"{counted(len(held), 'project')} are"
    group = groups[0]
    more = f" and {counted(len(groups) - 1, 'other')}" if len(groups) > 1 else ""
    if still:
        return f"{what} still watched via group {group}{more}; :unwatch {group}"
    return f"{what} watched via group {group}{more}. Run :unwatch {group} to stop."


def _called(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else counted(len(names), "project")


def _ids(chosen: Iterable[Watchable]) -> tuple[int, ...]:
    return tuple(one.project for one in chosen if isinstance(one.project, int))


def _names(chosen: Iterable[Watchable]) -> tuple[str, ...]:
    return tuple(map(_name, chosen))


def _name(one: Watchable) -> str:
    return one.label or clean(one.path) or f"project {one.project}"
