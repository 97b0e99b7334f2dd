"""Columns of single pipelines, jobs and variables, beyond those of lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.core.secrets import MASK
from platui.present.masking import masked, names_secret
from platui.present.tables.jobs import ARTIFACTS, JOBS
from platui.present.tables.pipelines import PIPELINES
from platui.present.tables.spec import ColumnSpec, Context, TableSpec, plain, seconds

if TYPE_CHECKING:
    from platui.models.wire import Bridge, Job, Pipeline, Variable


def _parts(field: str, *names: str) -> ColumnSpec[Any]:
    """Return a column for some fields of a nested record; null if empty."""

    def value(one: Any, _at: Context) -> dict[str, Any] | None:
        if (part := getattr(one, field)) is None:
            return None
        values = {name: getattr(part, name) for name in names}
        return {
            name: plain(value) if value or value is False else None
            for name, value in values.items()
        }

    return ColumnSpec(field, value=value)


_USER: Final = _parts("user", "id", "username", "name")

PIPELINE_RECORDS: Final[TableSpec[Pipeline]] = PIPELINES.of(
    lambda one: one,
    *map(ColumnSpec, ("iid", "project_id", "before_sha", "tag", "yaml_errors")),
    _USER,
    *map(ColumnSpec, ("started_at", "committed_at")),
    ColumnSpec("queued_duration", value=lambda one, _: seconds(one.queued_duration)),
    ColumnSpec("coverage"),
    _parts("detailed_status", "text", "label", "group"),
)

JOB_RECORDS: Final[TableSpec[Job]] = JOBS.of(
    lambda one: one,
    *map(ColumnSpec, ("tag", "coverage")),
    _USER,
    _parts("commit", "id", "title", "author_name", "created_at", "web_url"),
    _parts("runner", "id", "name", "description", "status", "online"),
    ColumnSpec("tag_list", value=lambda one, _: list(one.tag_list)),
    ColumnSpec(
        "artifacts",
        value=lambda one, at: [ARTIFACTS.object(file, at) for file in one.artifacts],
    ),
    *map(ColumnSpec, ("artifacts_expire_at", "erased_at")),
)

BRIDGES: Final[TableSpec[Bridge]] = JOBS.of(
    lambda one: one,
    ColumnSpec(
        "downstream_pipeline",
        value=lambda one, at: (
            PIPELINES.object(one.downstream_pipeline, at) if one.downstream_pipeline else None
        ),
    ),
)


def _is_secret(one: Variable) -> bool:
    return one.value is None or names_secret(one.key)


def _value(one: Variable, _at: Context) -> str | None:
    return None if _is_secret(one) else masked(one.value or "")[0]


# The value of a variable whose name suggests a secret is null.
VARIABLES: Final[TableSpec[Variable]] = TableSpec(
    key=lambda one: one.key,
    columns=(
        ColumnSpec("key", "KEY", minimum=12),
        ColumnSpec(
            "value",
            "VALUE",
            value=_value,
            cli_text=lambda one, at: MASK if _is_secret(one) else _value(one, at) or "",
            minimum=20,
        ),
        ColumnSpec("kind", "KIND", name="variable_type", priority=1),
        ColumnSpec("is_secret", value=lambda one, _: _is_secret(one)),
    ),
)
