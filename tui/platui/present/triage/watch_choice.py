"""The dialog for choosing watched projects: rows, and projects suggested at first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.core.text import clean
from platui.models.values.stored_triage import WatchChange
from platui.models.values.table import Cell
from platui.present.counts import counted, plural
from platui.present.projects import project_label
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.present.times import age

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from platui.models.values.stored_triage import WatchSelection
    from platui.models.values.table import Row
    from platui.models.wire import Project
    from platui.present.chrome import Piece


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
    groups = [_group(path, projects) for path in watched.groups]
    others = [_group(path, projects) for path in _groups_of(projects, watched)]
    listed = [*groups, *(_project(one, watched) for one in shown), *others]
    return CHOICES.rows(listed, Context(now))


def _groups_of(projects: Iterable[Project], watched: WatchSelection) -> list[str]:
    found = set()
    for one in projects:
        *folders, _ = one.path_with_namespace.split("/") if not one.archived else [""]
        found |= {"/".join(folders[:end]) for end in range(1, len(folders) + 1)}
    return sorted(path for path in found if path and not watched.group_of(f"{path}/"))


def other_part(keys: Sequence[str], here: str | None) -> str | None:
    """Return the first key of the other part (projects or groups)."""
    from_group = here is not None and here.startswith(_GROUP)
    other = [key for key in keys if key.startswith(_GROUP) != from_group]
    return next(iter(other), None)


def covered(projects: Iterable[Project], marks: Collection[str]) -> int:
    groups = tuple(f"{path}/" for path in _marked_paths(marks))
    inside = {
        str(one.id)
        for one in projects
        if groups and not one.archived and one.path_with_namespace.startswith(groups)
    }
    return len(inside | {key for key in marks if not key.startswith(_GROUP)})


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
    return len(_marked_paths(marks))


def _marked_paths(marks: Iterable[str]) -> list[str]:
    return sorted(key.removeprefix(_GROUP) for key in marks if key.startswith(_GROUP))


def choice_made(
    watched: WatchSelection, shown: Collection[str], marks: Collection[str]
) -> WatchChange:
    """Return the changes; watched projects that were not shown are not changed."""
    wanted = [int(key) for key in shown if key in marks and not key.startswith(_GROUP)]
    gone = frozenset(shown) - frozenset(marks)
    return WatchChange(
        watch=tuple(one for one in wanted if one not in watched.projects),
        watch_groups=tuple(
            path
            for path in _marked_paths(frozenset(marks) & frozenset(shown))
            if path not in watched.groups
        ),
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


def _group(path: str, projects: Iterable[Project]) -> _Choice:
    inside = sum(
        one.path_with_namespace.startswith(f"{path}/") and not one.archived for one in projects
    )
    name = Cell(f"{clean(path)}/", "accent")
    return _Choice(group_key(path), name, f"group of {counted(inside, 'project')}")
