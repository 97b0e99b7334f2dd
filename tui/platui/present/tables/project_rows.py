"""Rows of projects with caching, and the tree of namespaces."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.present.projects import ALL_NAMESPACES, STAR, namespace_of, project_label
from platui.present.tables.projects import NAMESPACES, PROJECTS, LastRun
from platui.present.tables.spec import TIMELESS, ColumnSpec, Context, TableSpec
from platui.present.times import age_valid_seconds

if TYPE_CHECKING:
    from platui.models.values.table import Row
    from platui.models.wire import Namespace, Pipeline, Project


class _Node(NamedTuple):
    path: str
    projects: int
    is_watched: bool = False


def _node_name(node: _Node, _at: Context) -> str:
    parent, _, name = node.path.rpartition("/")
    return "  " * (node.path.count("/") if parent else 0) + (clean(name) or "all")


NAMESPACE_TREE: Final[TableSpec[_Node]] = TableSpec(
    key=lambda node: node.path,
    search=lambda node: (node.path,),
    columns=(
        ColumnSpec(
            "star", cell=lambda node, _: STAR * node.is_watched, role="accent", width=1,
            searched=False, optional=True,
        ),
        ColumnSpec(
            "namespace", "NAMESPACE", cell=_node_name, width=20, minimum=10, flexible=True
        ),
        ColumnSpec(
            "count", cell=lambda node, _: str(node.projects or ("" if node.path else 0)),
            role="muted", width=4, searched=False, right=True,
        ),
    ),
)  # fmt: skip


class _Kept(NamedTuple):
    run: LastRun
    made_at: datetime
    until: datetime  # When the displayed age changes
    row: Row
    order: tuple[bool, str, str]


class ProjectRows:
    """The rows of a list of projects; unchanged rows are reused, since most stay."""

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}
        self._inputs: tuple[object, object, Collection[int], bool] = ((), (), (), True)
        self._made_at = self._until = _LONG_AGO
        self._rows: list[Row] = []

    def rows(
        self,
        projects: Iterable[Project],
        latest: Mapping[int, Pipeline | None],
        watched: Collection[int],
        now: datetime,
        *,
        by_namespace: bool = True,
    ) -> list[Row]:
        """Return a row per project, watched ones first; the same list for identical arguments."""
        before, states, marked, was_by_namespace = self._inputs
        is_valid = states is latest and marked == watched and self._made_at <= now < self._until
        if is_valid and before is projects and was_by_namespace is by_namespace:
            return self._rows
        every = tuple(projects)
        is_longer = (
            is_valid
            and isinstance(before, tuple)
            and len(self._kept) == len(before) < len(every)
            and all(map(operator.is_, before, every))
        )
        # While a list is being loaded, existing rows stay.
        fresh = dict(self._kept) if is_longer else {}
        for project in every[len(fresh) :]:
            number = project.id
            is_known, is_watched = number in latest, number in watched
            run = LastRun(project, latest.get(number), is_known, is_watched=is_watched)
            kept = self._kept.get(number)
            if kept is None or kept.run != run or not kept.made_at <= now < kept.until:
                kept = _make_row(run, now)
            fresh[number] = kept
        if by_namespace:
            # In the previous order, which is fast to sort.
            found = [fresh.pop(number) for number in self._kept if number in fresh]
            found += fresh.values()
            found.sort(key=operator.attrgetter("order"))
        else:
            found = sorted(fresh.values(), key=lambda kept: not kept.run.is_watched)
        self._kept = {kept.run.project.id: kept for kept in found}
        self._rows = [kept.row for kept in found]
        self._inputs = projects, latest, frozenset(watched), by_namespace
        self._made_at = now
        ends = (self._kept[number].until for number in latest if number in self._kept)
        self._until = min(ends, default=now + timedelta(days=1))
        return self._rows


_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def _make_row(run: LastRun, now: datetime) -> _Kept:
    project, pipeline = run.project, run.pipeline
    holds = age_valid_seconds(pipeline.created_at if pipeline is not None else None, now)
    name = project_label(project).lower()
    order = (not run.is_watched, clean(namespace_of(project)).lower(), name)
    row = PROJECTS.row(run, Context(now))
    return _Kept(run, now, now + timedelta(seconds=holds), row, order)


def namespace_rows(
    namespaces: Iterable[Namespace], projects: Iterable[Project], watched: Collection[str] = ()
) -> list[Row]:
    """Return the tree with project counts; `watched` are full paths."""
    direct = Counter(map(namespace_of, projects))
    counts: dict[str, int] = {}
    for home, number in direct.items():
        path = home
        while path:
            counts[path] = counts.get(path, 0) + number
            path = path.rpartition("/")[0]
    paths = {item.full_path or item.path for item in namespaces} | set(counts)
    ordered = sorted(paths - {""}, key=lambda path: path.lower().split("/"))
    nodes = (_Node(path, counts.get(path, 0), path in watched) for path in ordered)
    return NAMESPACE_TREE.rows((_Node(ALL_NAMESPACES, direct.total()), *nodes), TIMELESS)


def flat_namespace_rows(namespaces: Iterable[Namespace]) -> list[Row]:
    """Return a row per namespace by name; duplicate paths keep their rows."""
    named = sorted(namespaces, key=lambda one: ((one.name or one.path).lower(), one.id))
    return NAMESPACES.rows(named, TIMELESS)
