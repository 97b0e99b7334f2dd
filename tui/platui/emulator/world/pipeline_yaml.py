"""Pipeline files as text, saying exactly what runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.emulator.world.artifacts import ARCHIVING, KEPT_FOR
from platui.emulator.world.scripts import IMAGE, script_of
from platui.emulator.world.test_reports import TESTING

if TYPE_CHECKING:
    from platui.emulator.world.blueprints import Blueprint
    from platui.emulator.world.jobs import JobSpec, PipelineFile


def yaml_of(blueprint: Blueprint, file: PipelineFile) -> str:
    """Return the text of a pipeline file."""
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
