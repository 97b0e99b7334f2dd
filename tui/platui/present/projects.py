"""Projects and namespaces as rows."""

from __future__ import annotations

import operator
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, Column, Row
from platui.present.counts import plural
from platui.present.status import severity, status_cell
from platui.present.times import age, age_holds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from platui.models import Namespace, Pipeline, Project

PROJECT_COLUMNS = (
    Column("star", "", 1),
    Column("project", "PROJECT", 26, minimum=14, flexible=True),
    Column("last", "LAST RUN", 10),
    Column("age", "AGE", 4, right=True),
    Column("ref", "REF", 14, minimum=6, flexible=True, priority=2),
    Column("namespace", "NAMESPACE", 22, minimum=10, priority=1, optional=True),
    Column("id", "ID", 8, priority=1, optional=True),
)

NAMESPACE_COLUMNS = (
    Column("star", "", 1, optional=True),
    Column("namespace", "NAMESPACE", 20, minimum=10, flexible=True),
    Column("count", "", 4, right=True),
)

FLAT_NAMESPACE_COLUMNS = (
    Column("star", "", 1, optional=True),
    Column("namespace", "NAMESPACE", 30, minimum=10, flexible=True),
    Column("path", "PATH", 24, minimum=10, priority=1),
    Column("kind", "KIND", 6, priority=2),
    Column("id", "ID", 8),
)

ALL_NAMESPACES = ""
"""Key of the row that stands for every namespace."""


def namespace_of(project: Project) -> str:
    """Return the full path of the namespace a project lives in; empty when not told."""
    if project.namespace is not None and project.namespace.full_path:
        return project.namespace.full_path
    return project.path_with_namespace.rpartition("/")[0]


def project_label(project: Project) -> str:
    """Return what a project is called: its path's last part, else its name, else its id."""
    return clean(project.path or project.name or f"project {project.id}")


class _Kept(NamedTuple):
    """A row, and what it was made of."""

    project: Project
    pipeline: Pipeline | None
    known: bool
    """Whether it is known if there is a pipeline."""
    watched: bool
    made_at: datetime
    until: datetime
    """From then on the age says something else."""
    row: Row
    order: tuple[bool, str, str]


class ProjectRows:
    """The rows of one list of projects, each made anew only when it looks different.

    Thousands of projects are drawn again at every answer; nearly all rows and nearly their
    whole order are those of before.
    """

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}
        self._asked: tuple[object, object, Collection[int]] = ((), (), ())
        self._made_at = self._until = _LONG_AGO
        self._rows: list[Row] = []
        self._by_namespace = True

    def rows(
        self,
        projects: Iterable[Project],
        latest: Mapping[int, Pipeline | None],
        watched: Collection[int],
        now: datetime,
        *,
        by_namespace: bool = True,
    ) -> list[Row]:
        """Return a row a project, the watched ones first; a state not known yet stays blank.

        The same projects and states, by identity, make the same list. Those behind the
        watched ones are in the order of their namespaces and names, or else in the one given.
        """
        asked = self._asked
        same = asked[0] is projects and asked[1] is latest and asked[2] == watched
        same = same and self._by_namespace is by_namespace
        if not same or not self._made_at <= now < self._until:
            self._by_namespace = by_namespace
            self._rows = self._renewed(projects, latest, watched, now)
            self._asked = projects, latest, frozenset(watched)
            self._made_at = now
            ends = (self._kept[number].until for number in latest if number in self._kept)
            self._until = min(ends, default=now + timedelta(days=1))
        return self._rows

    def _renewed(
        self,
        projects: Iterable[Project],
        latest: Mapping[int, Pipeline | None],
        watched: Collection[int],
        now: datetime,
    ) -> list[Row]:
        before, fresh = self._kept, {}
        projects = tuple(projects)
        if self._only_more(projects, latest, watched, now):
            # The rows of before stand as they are: a list that is being loaded is mostly that.
            fresh, projects = dict(before), projects[len(before) :]
        for project in projects:
            number = project.id
            kept = before.get(number)
            pipeline = latest.get(number)
            if (
                kept is None
                or kept.project is not project
                or kept.pipeline is not pipeline
                or kept.watched is not (number in watched)
                or kept.known is not (number in latest)
                or not kept.made_at <= now < kept.until
            ):
                kept = _made(project, latest, now, watched=number in watched)
            fresh[number] = kept
        if self._by_namespace:
            # In the order of before, which sorting goes through without comparing all with all.
            found = [fresh.pop(number) for number in before if number in fresh]
            found += fresh.values()
            found.sort(key=_order)
        else:
            found = sorted(fresh.values(), key=_not_watched)
        self._kept = {kept.project.id: kept for kept in found}
        return [kept.row for kept in found]

    def _only_more(
        self,
        projects: tuple[Project, ...],
        latest: Mapping[int, Pipeline | None],
        watched: Collection[int],
        now: datetime,
    ) -> bool:
        """Return whether there are more projects after those of before, and nothing else is new."""
        before, states, marked = self._asked
        return (
            isinstance(before, tuple)
            and len(self._kept) == len(before) < len(projects)
            and states is latest
            and marked == watched
            and self._made_at <= now < self._until
            and all(map(operator.is_, before, projects))
        )


_order = operator.attrgetter("order")


def _not_watched(kept: _Kept) -> bool:
    return not kept.watched


_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def _made(
    project: Project, latest: Mapping[int, Pipeline | None], now: datetime, *, watched: bool
) -> _Kept:
    row = _project_row(project, latest, now, watched=watched)
    pipeline = latest.get(project.id)
    holds = age_holds(pipeline.created_at if pipeline is not None else None, now)
    return _Kept(
        project,
        pipeline,
        project.id in latest,
        watched,
        now,
        now + timedelta(seconds=holds),
        row,
        (not watched, row.sort[5], row.sort[1]),
    )


def project_rows(
    projects: Iterable[Project],
    latest: Mapping[int, Pipeline | None],
    watched: Collection[int],
    now: datetime,
) -> list[Row]:
    """Return the rows of a list that is drawn once."""
    return ProjectRows().rows(projects, latest, watched, now)


def _project_row(
    project: Project, latest: Mapping[int, Pipeline | None], now: datetime, *, watched: bool
) -> Row:
    label, namespace = project_label(project), clean(namespace_of(project))
    pipeline = latest.get(project.id)
    state, moment, ref = BLANK, "", BLANK
    if pipeline is not None:
        state = status_cell(pipeline.status)
        moment = age(pipeline.created_at, now)
        ref = Cell(clean(pipeline.ref), "muted")
    elif project.id in latest:
        state = Cell("no runs", "muted")
    return Row(
        key=str(project.id),
        cells=(
            Cell("★" if watched else "", "accent"),
            Cell(label),
            state,
            Cell(moment, "muted"),
            ref,
            Cell(namespace, "muted"),
            # Beside a name alone, the number tells which one it is.
            Cell(f"#{project.id}", "muted") if not namespace else BLANK,
        ),
        sort=(
            not watched,
            label.lower(),
            severity(pipeline.status) if pipeline is not None else None,
            -pipeline.created_at.timestamp() if pipeline and pipeline.created_at else None,
            ref.text,
            namespace.lower(),
            project.id,
        ),
        search=" ".join(
            (label, namespace, clean(project.name), clean(project.description), str(project.id),
             state.text),
        ).lower(),
    )  # fmt: skip


def projects_summary(
    count: int, total: int | None, latest: Mapping[int, Pipeline | None]
) -> tuple[tuple[str, str], ...]:
    """Return the line above the list: how many, how many red or running, of how many known."""
    statuses = [pipeline.status for pipeline in latest.values() if pipeline is not None]
    loaded = f"{count}" if total is None or total <= count else f"{count} of {total}"
    pieces: list[tuple[str, str]] = [(f"{loaded} {plural(count, 'project')}", "text")]
    for status, word, role in (("failed", "red", "failed"), ("running", "running", "running")):
        number = statuses.count(status)
        if number:
            pieces.append((f"{number} {word}", role))
    if 0 < len(latest) < count:
        pieces.append((f"state of {len(latest)} known", "muted"))
    return tuple(pieces)


def namespace_rows(
    namespaces: Iterable[Namespace], projects: Iterable[Project], watched: Collection[str] = ()
) -> list[Row]:
    """Return the namespaces as a tree by path, each with the number of projects in it.

    Args:
        namespaces: all that are known.
        projects: what is counted.
        watched: full paths of those that are watched whole.
    """
    direct = Counter(map(namespace_of, projects))
    counts: dict[str, int] = {}
    for home, number in direct.items():
        path = home
        while path:
            counts[path] = counts.get(path, 0) + number
            path = path.rpartition("/")[0]
    total = direct.total()
    paths = {item.full_path or item.path for item in namespaces} | set(counts)
    rows = [Row(ALL_NAMESPACES, (BLANK, Cell("all"), Cell(str(total), "muted")))]
    for path in sorted(paths - {""}, key=lambda path: path.lower().split("/")):
        parent, _, name = path.rpartition("/")
        depth = path.count("/") if parent else 0
        rows.append(
            Row(
                path,
                (
                    Cell("★" if path in watched else "", "accent"),
                    Cell("  " * depth + clean(name)),
                    Cell(str(counts.get(path, 0) or ""), "muted"),
                ),
                search=clean(path).lower(),
            ),
        )
    return rows


def are_flat(projects: Sequence[Project]) -> bool:
    """Return whether no project tells its namespace: the spec promises name and id (§2.7)."""
    return bool(projects) and not any(map(namespace_of, projects))


def flat_namespace_rows(namespaces: Iterable[Namespace]) -> list[Row]:
    """Return a row a namespace by name; of several with one path each has its own."""
    rows = [
        Row(
            str(item.id),
            (
                Cell(clean(item.name or item.path)),
                Cell(clean(item.path), "muted"),
                Cell(clean(item.kind), "muted"),
                Cell(f"#{item.id}", "muted"),
            ),
        )
        for item in namespaces
    ]
    return sorted(rows, key=lambda row: (row.cells[0].text.lower(), int(row.key)))


def in_namespace(project: Project, path: str) -> bool:
    """Return whether a project lives in a namespace or below it."""
    where = namespace_of(project)
    return path in {ALL_NAMESPACES, where} or where.startswith(path + "/")
