"""Watched projects and groups: toggling them, and the dialog in which they are chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.stored_triage import Watchable, WatchChange, WatchSelection
from platui.models.values.table import Cell, Row
from platui.present.counts import counted, plural
from platui.present.projects import project_label
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.present.times import age

if TYPE_CHECKING:
    from platui.models.wire import Project
    from platui.present.chrome import Piece


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
    groups = {one: watched.group_of(one.path) for one in chosen}
    held = tuple(Held(_name(one), clean(group)) for one, group in groups.items() if group)
    fresh = [one for one in chosen if one not in own and not groups[one]]
    if fresh:
        return WatchToggle(WatchChange(watch=_ids(fresh)), tuple(map(_name, fresh)))
    gone = [one for one in own if not groups[one]]
    return WatchToggle(WatchChange(unwatch=_ids(own)), tuple(map(_name, gone)), held)


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
    names = toggled.names
    what = names[0] if len(names) == 1 else counted(len(names), "project")
    back = f"; {undo} to undo" if undo else ""
    if change.watch or change.watch_groups:
        joins = ", including future projects" if change.watch_groups else ""
        return f"Watching {what}{joins}. {count_words(after)} in total{back}."
    gone = f"Stopped watching {what}. {count_words(after)} left{back}."
    if not held:
        return gone
    # First the projects that stay on the board via a group: the key cannot remove them.
    still = _group_message(held, still=True)
    return f"{still}. {gone}" if names else f"{still}."


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
    group, *others = dict.fromkeys(one.group for one in held)
    what = f"{held[0].name} is" if len(held) == 1 else f"{counted(len(held), 'project')} are"
    more = f" and {counted(len(others), 'other')}" if others else ""
    if still:
        return f"{what} still watched via group {group}{more}; :unwatch {group}"
    return f"{what} watched via group {group}{more}. Run :unwatch {group} to stop."


def _ids(chosen: Iterable[Watchable]) -> tuple[int, ...]:
    return tuple(one.project for one in chosen if isinstance(one.project, int))


def _name(one: Watchable) -> str:
    return one.label or clean(one.path) or f"project {one.project}"


class _Choice(NamedTuple):
    key: str
    name: Cell
    note: str
    active: datetime | None = None


CHOICES: Final = TableSpec["_Choice"](
    key=lambda one: one.key,
    columns=(
        ColumnSpec(
            "project", "PROJECT", cell=lambda one, _: one.name, width=44, minimum=20, flexible=True
        ),
        ColumnSpec(
            "active",
            "ACTIVE",
            cell=lambda one, at: age(one.active, at.now),
            role="muted",
            searched=False,
            width=6,
            right=True,
        ),
        ColumnSpec("note", role="muted", width=26, minimum=12, priority=1, optional=True),
    ),
)

SUGGESTED_FOR: Final = timedelta(days=30)  # Projects active within this time are suggested
MOST_SUGGESTED: Final = 30  # Each watched project costs requests
_A_MINUTE: Final = 200.0  # Most requests of the board per minute
_GROUP: Final = "group "
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


def group_key(path: str) -> str:
    return f"{_GROUP}{path}"


def watched_keys(watched: WatchSelection) -> frozenset[str]:
    return frozenset([*map(str, watched.projects), *map(group_key, watched.groups)])


def suggested(projects: Iterable[Project], now: datetime) -> frozenset[str]:
    lately = [one for one in projects if not one.archived and now - _active(one) <= SUGGESTED_FOR]
    lately.sort(key=_active, reverse=True)
    return frozenset(str(one.id) for one in lately[:MOST_SUGGESTED])


def choice_rows(
    projects: Sequence[Project], watched: WatchSelection, now: datetime, *, by_activity: bool
) -> list[Row]:
    """Return watched groups, projects with watched ones first, then other groups."""
    ids = frozenset(watched.projects)
    shown = [one for one in projects if one.id in ids or not one.archived]
    if by_activity:
        shown.sort(key=_active, reverse=True)
    shown.sort(key=lambda one: one.id not in ids)
    inside = _count_inside(projects)
    groups = [_group(path, inside[path]) for path in watched.groups]
    unwatched = (path for path in sorted(inside) if not watched.group_of(f"{path}/"))
    others = [_group(path, inside[path]) for path in unwatched]
    listed = [*groups, *(_project(one, watched) for one in shown), *others]
    return CHOICES.rows(listed, Context(now))


def _count_inside(projects: Iterable[Project]) -> Counter[str]:
    """Return the number of projects in each group; archived ones do not count."""
    found = Counter[str]()
    for one in projects:
        *folders, _ = one.path_with_namespace.split("/") if not one.archived else [""]
        found.update(filter(None, accumulate(folders, "{}/{}".format)))
    return found


def other_part(keys: Sequence[str], here: str | None) -> str | None:
    """Return the first key of the other part (projects or groups)."""
    from_group = here is not None and here.startswith(_GROUP)
    other = [key for key in keys if key.startswith(_GROUP) != from_group]
    return next(iter(other), None)


def covered(projects: Iterable[Project], marks: Collection[str]) -> int:
    return len(watched_ids(_selection(marks), projects))


def choice_pieces(
    marked: int, groups: int, total: int, costs: tuple[int, float]
) -> tuple[Piece, ...]:
    """Return the counts; `costs` are projects and the seconds of a refresh round."""
    some = f" and {counted(groups, 'group')}" if groups else ""
    watched, seconds = costs
    rate = round(min(watched * 60 / max(seconds, 1.0), _A_MINUTE))
    return (
        (f"{marked} of {total:,} marked{some}", "accent" if marked or groups else "text"),
        (f"about {rate} {plural(rate, 'request')} a minute", "muted"),
    )


def marked_groups(marks: Iterable[str]) -> int:
    return sum(key.startswith(_GROUP) for key in marks)


def _selection(marks: Collection[str]) -> WatchSelection:
    ids = (int(key) for key in marks if not key.startswith(_GROUP))
    paths = sorted(key.removeprefix(_GROUP) for key in marks if key.startswith(_GROUP))
    return WatchSelection(tuple(ids), tuple(paths))


def choice_made(
    watched: WatchSelection, shown: Collection[str], marks: Collection[str]
) -> WatchChange:
    """Return the changes; watched projects that were not shown are not changed."""
    wanted = _selection([key for key in shown if key in marks])
    gone = frozenset(shown) - frozenset(marks)
    return WatchChange(
        watch=tuple(one for one in wanted.projects if one not in watched.projects),
        watch_groups=tuple(path for path in wanted.groups if path not in watched.groups),
        unwatch=tuple(one for one in watched.projects if str(one) in gone),
        unwatch_groups=tuple(one for one in watched.groups if group_key(one) in gone),
    )


def _active(project: Project) -> datetime:
    return project.last_activity_at or _NEVER


def _project(project: Project, watched: WatchSelection) -> _Choice:
    path = clean(project.path_with_namespace) or f"{project_label(project)} #{project.id}"
    group = watched.group_of(project.path_with_namespace) if watched.groups else ""
    name = Cell(path, "muted" if group else "text")
    return _Choice(str(project.id), name, f"via {group}" * bool(group), project.last_activity_at)


def _group(path: str, inside: int) -> _Choice:
    name = Cell(f"{clean(path)}/", "accent")
    return _Choice(group_key(path), name, f"group of {counted(inside, 'project')}")
