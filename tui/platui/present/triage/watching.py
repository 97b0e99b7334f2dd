"""What the watch key makes of the projects and groups it is pressed on, and what is said then."""

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
    """What is watched with a group, and so not by itself to be taken away."""

    name: str
    group: str


class Toggled(NamedTuple):
    """What a key does to the watch list."""

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


def toggle_projects(watched: WatchSelection, chosen: Sequence[Watchable]) -> Toggled:
    """Return the change that watches projects, or where all of them are, no longer does."""
    own = [one for one in chosen if one.project in watched.projects]
    groups = {one.project: watched.group_of(one.path) for one in chosen if one.path}
    held = tuple(
        Held(_name(one), clean(group)) for one in chosen if (group := groups.get(one.project, ""))
    )
    fresh = [one for one in chosen if one not in own and not groups.get(one.project)]
    if fresh:
        return Toggled(WatchChange(watch=_ids(fresh)), _names(fresh))
    gone = [one for one in own if not groups.get(one.project)]
    return Toggled(WatchChange(unwatch=_ids(own)), _names(gone), held)


def toggle_group(watched: WatchSelection, group: str) -> Toggled:
    name = f"the group {clean(group)}"
    if group in watched.groups:
        return Toggled(WatchChange(unwatch_groups=(group,)), (name,))
    if outer := watched.group_of(group):
        return Toggled(WatchChange(), (), (Held(name, clean(outer)),))
    return Toggled(WatchChange(watch_groups=(group,)), (name,))


def toggled_words(toggled: Toggled, after: WatchSelection, *, undo: str = "") -> str:
    """Return what has happened; `undo` is the key or command that takes it back, empty: none."""
    change, held = toggled.change, toggled.held
    if not change:
        return _held_words(held)
    what, are = _called(toggled.names)
    back = f"; {undo} takes it back" if undo else ""
    if change.watch or change.watch_groups:
        joins = ", and what joins it later" if change.watch_groups else ""
        return f"{what} {are} watched now{joins}. {count_words(after)} in all{back}."
    gone = f"{what} {are} no longer watched. {count_words(after)} left{back}."
    if not held:
        return gone
    # What counts first: what a group holds stays on the board, and the key does not undo that.
    still = _held_words(held, still=True)
    return f"{still}. {gone}" if toggled.names else f"{still}."


def chosen_words(after: WatchSelection) -> str:
    if not (after.projects or after.groups):
        return "Nothing is watched now; * on a project watches it."
    return f"{count_words(after)} watched now; * on a project adds it or takes it away."


def count_words(watched: WatchSelection) -> str:
    """Return how much is watched: `14 projects`, `2 projects and 1 group`."""
    parts = [
        counted(len(watched.projects), "project") if watched.projects else "",
        counted(len(watched.groups), "group") if watched.groups else "",
    ]
    return " and ".join(filter(None, parts)) or "Nothing"


def _held_words(held: Sequence[Held], *, still: bool = False) -> str:
    """`still`: whether it was watched by itself as well, until now."""
    if not held:
        return ""
    groups = list(dict.fromkeys(one.group for one in held))
    if len(held) == 1:
        what = f"{_capital(held[0].name)} is"
    else:
        what = f"{counted(len(held), 'project')} are"
    group = groups[0]
    its = "its group" if len(groups) == 1 and len(held) == 1 else "the group"
    more = f" and {counted(len(groups) - 1, 'other')}" if len(groups) > 1 else ""
    if still:
        return f"{what} still watched with {its} {group}{more}; :unwatch {group}"
    return f"{what} watched with {its} {group}{more}: unwatch the group, with :unwatch {group}"


def _called(names: Sequence[str]) -> tuple[str, str]:
    if len(names) == 1:
        return _capital(names[0]), "is"
    return counted(len(names), "project"), "are"


def _capital(name: str) -> str:
    return f"The{name[3:]}" if name.startswith("the group ") else name


def _ids(chosen: Iterable[Watchable]) -> tuple[int, ...]:
    return tuple(one.project for one in chosen if isinstance(one.project, int))


def _names(chosen: Iterable[Watchable]) -> tuple[str, ...]:
    return tuple(map(_name, chosen))


def _name(one: Watchable) -> str:
    return one.label or clean(one.path) or f"project {one.project}"
