"""Tables of projects with their last pipelines, and of namespaces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.table import BLANK, Cell
from platui.present.projects import STAR, namespace_of, project_label
from platui.present.status import severity, status_cell
from platui.present.tables.pipelines import AGE, ID, PIPELINES
from platui.present.tables.spec import ColumnSpec, TableSpec
from platui.present.times import age

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.wire import Namespace, Pipeline, Project


class LastRun(NamedTuple):
    project: Project
    pipeline: Pipeline | None = None
    is_known: bool = True  # Whether it is loaded; `pipeline` None then means no runs
    error: PlatuiError | None = None  # Why it could not be loaded
    is_watched: bool = False


def _state(run: LastRun) -> Cell:
    if run.pipeline is not None:
        return status_cell(run.pipeline.status)
    return Cell("no runs", "muted") if run.is_known else BLANK


def _cli_state(run: LastRun) -> str:
    if run.pipeline is not None:
        return status_cell(run.pipeline.status).text
    return "none yet" if run.is_known else "?"


PROJECTS: Final[TableSpec[LastRun]] = TableSpec(
    key=lambda run: str(run.project.id),
    search=lambda run: (run.project.name, run.project.description, str(run.project.id)),
    status=lambda run: run.pipeline.status if run.pipeline is not None else "",
    screen=("star", "project", "last", "age", "ref", "namespace", "id"),
    cli=("last", "age", "project", "ref", "id"),
    columns=(
        ColumnSpec(
            "star",
            name=None,
            cell=lambda run, _: Cell(STAR if run.is_watched else "", "accent"),
            sort=lambda run, _: not run.is_watched,
            searched=False,
            width=1,
        ),
        ColumnSpec(
            "id",
            "ID",
            cli_title="PROJECT ID",
            value=lambda run, _: run.project.id,
            # Projects without namespace are told apart by id.
            cell=lambda run, _: "" if namespace_of(run.project) else f"#{run.project.id}",
            cli_text=lambda run, _: str(run.project.id),
            sort=lambda run, _: run.project.id,
            role="muted",
            width=8,
            priority=1,
            optional=True,
            whole=True,
        ),
        ColumnSpec(
            "project",
            "PROJECT",
            name="path_with_namespace",
            value=lambda run, _: run.project.path_with_namespace or None,
            cell=lambda run, _: project_label(run.project),
            cli_text=lambda run, _: run.project.path_with_namespace or run.project.name,
            width=26,
            minimum=14,
            flexible=True,
            middle=True,
        ),
        ColumnSpec("name", value=lambda run, _: run.project.name or None),
        ColumnSpec(
            "namespace",
            "NAMESPACE",
            value=lambda run, _: namespace_of(run.project) or None,
            csv=False,
            in_cli=False,
            role="muted",
            width=22,
            minimum=10,
            priority=1,
            optional=True,
        ),
        ColumnSpec(
            "description",
            "DESCRIPTION",
            in_cli=False,
            value=lambda run, _: run.project.description or None,
            cli_limit=120,
            minimum=20,
            priority=1,
        ),
        ColumnSpec("default_branch", value=lambda run, _: run.project.default_branch or None),
        ColumnSpec("visibility", value=lambda run, _: run.project.visibility or None),
        ColumnSpec("created_at", value=lambda run, _: run.project.created_at),
        ColumnSpec(
            "active",
            "ACTIVE",
            in_cli=False,
            name="last_activity_at",
            value=lambda run, _: run.project.last_activity_at,
            cli_text=lambda run, at: age(run.project.last_activity_at, at.now),
            right=True,
        ),
        ColumnSpec("web_url", value=lambda run, _: run.project.web_url or None),
        ColumnSpec(
            "last",
            "LAST RUN",
            cli_title="STATUS",
            name="last_pipeline",
            value=lambda run, at: PIPELINES.object(run.pipeline, at) if run.pipeline else None,
            csv=("status", "id", "ref", "created_at", "took", "web_url"),
            cell=lambda run, _: _state(run),
            cli_text=lambda run, _: _cli_state(run),
            sort=lambda run, _: severity(run.pipeline.status) if run.pipeline else None,
            width=10,
            whole=True,
        ),
        replace(AGE.of(lambda run: run.pipeline), name=None),
        ColumnSpec(
            "ref",
            "REF",
            name=None,
            cell=lambda run, _: run.pipeline.ref if run.pipeline else "",
            role="muted",
            searched=False,
            width=14,
            minimum=6,
            flexible=True,
            priority=2,
            middle=True,
        ),
    ),
)

PROJECT_RECORDS: Final = PROJECTS.less("star", "last", "age", "ref").with_cli(
    "id", "project", "active", "description"
)

NAMESPACES: Final[TableSpec[Namespace]] = TableSpec(
    key=lambda one: str(one.id),
    screen=("namespace", "path", "kind", "id"),
    cli=("id", "kind", "path", "namespace"),
    columns=(
        replace(ID, role="muted", width=8),
        ColumnSpec("kind", "KIND", role="muted", width=6, priority=2),
        ColumnSpec("full_path"),
        ColumnSpec(
            "path",
            "PATH",
            cli_text=lambda one, _: one.full_path or one.path,
            role="muted",
            width=24,
            minimum=10,
            priority=1,
            ends=True,
        ),
        ColumnSpec(
            "namespace",
            "NAME",
            name="name",
            cell=lambda one, _: one.name or one.path,
            cli_text=lambda one, _: one.name,
            width=30,
            minimum=10,
            flexible=True,
        ),
        ColumnSpec("parent_id"),
        ColumnSpec("web_url"),
    ),
)
