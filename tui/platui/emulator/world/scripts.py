"""The shell lines of each kind of work: what the pipeline file says and the log repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.emulator.world.blueprints import Blueprint
    from platui.emulator.world.jobs import JobSpec

IMAGE: Final = "registry.acme.example/data/runtime:2.14.3"


def script_of(blueprint: Blueprint, spec: JobSpec) -> tuple[str, ...]:
    """Return the script of a job."""
    lines = _SCRIPTS.get(spec.work, ("python scripts/{name}.py",))
    values = {
        "name": spec.name,
        "source": blueprint.source,
        "package": blueprint.package,
        "subject": spec.subject or blueprint.entities[0],
        "only": _selection(spec),
        "client": _CLIENTS[blueprint.adapter],
    }
    return tuple(line.format(**values) for line in lines)


def _selection(spec: JobSpec) -> str:
    """Return the options that choose what dbt works on."""
    if spec.work == "dbt_test" and spec.subject:
        return f" --select {'source:*' if spec.subject == 'sources' else spec.subject}"
    if "full_refresh" in spec.name:
        return " --full-refresh"
    return " --select staging" if "staging" in spec.name else ""


_CLIENTS: Final = {
    "redshift": 'psql "$WAREHOUSE_URL" --echo-queries --file',
    "snowflake": "snowsql -c prod -o friendly=false -f",
}

_SQL: Final = ("{client} sql/{name}.sql",)

_SCRIPTS: Final = {
    "load": (
        "python -m acme_ingest.{source} load {subject} --pages 500",
        "python -m acme_ingest.{source} verify",
    ),
    "dbt_run": ("dbt deps", "dbt run --target prod{only}"),
    "dbt_test": ("dbt deps", "dbt test --target prod{only}"),
    "dbt_seed": ("dbt deps", "dbt seed --target prod"),
    "dbt_snapshot": ("dbt deps", "dbt snapshot --target prod"),
    "freshness": ("dbt deps", "dbt source freshness --target prod"),
    "docs": ("dbt deps", "dbt docs generate --target prod", "python scripts/upload_docs.py"),
    "lint": ("sqlfluff lint models --dialect ansi --processes 4",),
    "sql": _SQL,
    "cleanup": _SQL,
    "train": ("python -m {package}.train --epochs 40 --seed 7",),
    "sync": ("python -m acme_sync {source} {subject} --batch-size 200",),
    "unit_tests": ("pip install -e '.[test]'", "pytest --cov --color=yes"),
}
