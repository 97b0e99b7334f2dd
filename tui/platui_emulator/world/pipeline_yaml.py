"""Pipeline files as text, saying exactly what runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui_emulator.world.artifacts import ARCHIVING, KEPT_FOR
from platui_emulator.world.job_tests import TESTING

if TYPE_CHECKING:
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.catalogue import JobSpec, PipelineFile


IMAGE: Final = "registry.acme.example/data/runtime:2.14.3"


def script_of(blueprint: Blueprint, spec: JobSpec) -> tuple[str, ...]:
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


def yaml_of(blueprint: Blueprint, file: PipelineFile) -> str:
    lines = [f"# {file.title} of {blueprint.record.name}", "", "stages:"]
    lines += [f"  - {stage}" for stage in file.stages]
    lines += [
        "",
        "default:",
        f"  image: {IMAGE}",
        "  timeout: 15m",
        "  interruptible: true",
        "",
        "variables:",
        "  DBT_PROFILES_DIR: $CI_PROJECT_DIR",
        f"  DBT_SCHEMA: {blueprint.package}",
        "  GIT_DEPTH: 20",
    ]
    for spec in file.jobs:
        lines += ["", f"{spec.name}:", f"  stage: {spec.stage}"]
        lines += _bridge(spec) if spec.bridge else _job(blueprint, spec)
    return "\n".join(lines) + "\n"


def _bridge(spec: JobSpec) -> list[str]:
    return ["  trigger:", f"    include: {spec.subject}", "    strategy: depend"]


def _job(blueprint: Blueprint, spec: JobSpec) -> list[str]:
    lines = ["  tags:", f"    - {spec.tag}", "  script:"]
    lines += [f"    - {line}" for line in script_of(blueprint, spec)]
    if spec.when != "on_success":
        lines.append(f"  when: {spec.when}")
    if spec.allow_failure:
        lines.append("  allow_failure: true")
    if spec.work == "load":
        lines += ["  retry:", "    max: 1", "    when: script_failure"]
    if spec.work in ARCHIVING:
        lines += ["  artifacts:", "    paths:", "      - target/", "      - logs/"]
        if spec.work in TESTING:
            lines += ["    when: always", "    reports:", "      junit: target/junit.xml"]
        lines.append(f"    expire_in: {KEPT_FOR.days} days")
    return lines
