"""The files that a job leaves behind in its archive, from what its log says it did."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any, Final

from platui.emulator.world import models
from platui.emulator.world.archives import Member
from platui.emulator.world.ids import model_mebibytes
from platui.emulator.world.log_rows import data_tests
from platui.emulator.world.log_rows import models as built_models
from platui.emulator.world.test_reports import junit_of

if TYPE_CHECKING:
    from platui.emulator.records import SuiteReport
    from platui.emulator.world.plans import Attempt, Run

JUNIT: Final = "target/junit.xml"
_MEBIBYTE: Final = 1 << 20
_BLOCK: Final = 1 << 16
_DBT_VERSION: Final = "1.8.7"


def members_of(
    run: Run, attempt: Attempt, job_id: int, text: str, suite: SuiteReport | None
) -> list[Member]:
    """Return the files of a job that ended; `text` is its log without colours."""
    program = "dbt" if attempt.spec.work in {"dbt_run", "dbt_test", "docs"} else attempt.spec.work
    made: dict[str, bytes] = {f"logs/{program}.log": text.encode()}
    if attempt.spec.work in {"dbt_run", "docs", "dbt_test"}:
        made["target/manifest.json"] = _manifest(run, attempt)
        made["target/run_results.json"] = _json(_run_results(run, attempt, text))
    if attempt.spec.work == "docs":
        made["target/catalog.json"] = _json(_catalog(run))
    if attempt.spec.work == "train":
        made["target/metrics.json"] = _json(_metrics(run, job_id))
    if suite is not None:
        made[JUNIT] = junit_of(suite)
    members = [Member(path, content) for path, content in sorted(made.items())]
    if attempt.spec.work == "train":
        size = model_mebibytes(job_id) * _MEBIBYTE
        members.append(Member("target/model.bin", _noise(job_id), size // _BLOCK))
    return members


def _json(value: dict[str, Any]) -> bytes:
    # Without indents: with them it would be Python that writes, ten times slower.
    return json.dumps(value).encode()


def _metadata(run: Run, attempt: Attempt) -> dict[str, Any]:
    return {
        "dbt_version": _DBT_VERSION,
        "project_name": run.blueprint.package,
        "adapter_type": run.blueprint.adapter,
        "invocation_id": sha256(f"{run.id}:{attempt.index}".encode()).hexdigest()[:32],
        "env": {"CI_COMMIT_SHA": run.commit.sha, "CI_PIPELINE_ID": str(run.id)},
    }


def _manifest(run: Run, attempt: Attempt) -> bytes:
    blueprint = run.blueprint
    nodes = _nodes(blueprint.package, tuple(models.model_names(blueprint)))
    return b'{"metadata": %s, "nodes": %s}' % (_json(_metadata(run, attempt)), nodes)


@lru_cache(maxsize=16)
def _nodes(package: str, names: tuple[str, ...]) -> bytes:
    """Return the models of a manifest: the same in all of a project's."""
    nodes = {
        f"model.{package}.{name}": {
            "resource_type": "model",
            "name": name,
            "schema": models.folder_of(name),
            "original_file_path": models.path_of(name),
            "config": {"materialized": "view" if name.startswith("stg_") else "table"},
        }
        for name in names
    }
    return _json(nodes)


def _run_results(run: Run, attempt: Attempt, text: str) -> dict[str, Any]:
    package = run.blueprint.package
    results: list[dict[str, Any]] = [
        {
            "unique_id": f"model.{package}.{row.name.rpartition('.')[2]}",
            "status": "success",
            "execution_time": row.seconds,
            "message": row.message,
        }
        for row in built_models(text)
    ]
    results += [
        {
            "unique_id": f"test.{package}.{row.name}",
            "status": "fail" if row.rows else "pass",
            "execution_time": row.seconds,
            "failures": row.rows,
        }
        for row in data_tests(text)
    ]
    elapsed = round(sum(one["execution_time"] for one in results), 2)
    return {"metadata": _metadata(run, attempt), "results": results, "elapsed_time": elapsed}


def _catalog(run: Run) -> dict[str, Any]:
    source = run.blueprint.source
    tables = {f"source.{source}.{entity}": {"rows": None} for entity in run.blueprint.entities}
    return {"sources": tables}


def _metrics(run: Run, job_id: int) -> dict[str, Any]:
    return {
        "commit": run.commit.sha,
        "features": 184,
        "model_mebibytes": model_mebibytes(job_id),
        "val_auc": round(0.8 + job_id % 130 / 1000, 4),
    }


def _noise(job_id: int) -> bytes:
    """Return a block of bytes that belongs to the job and does not compress."""
    count = _BLOCK // 64
    return b"".join(blake2b(f"{job_id}:{number}".encode()).digest() for number in range(count))
