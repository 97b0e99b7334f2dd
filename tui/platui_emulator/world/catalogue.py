"""Jobs and pipeline files before anything runs, and those of each kind of project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

INGEST: Final = "Batch Ingestion"
SOURCE_TESTS: Final = "Source Tests"
TRANSFORM: Final = "Transformation"
TRAINING: Final = "Training"
TRANSFORM_TESTS: Final = "Transformation Tests"
SYNC: Final = "Activation"
DOCS: Final = "Docs"
CLEAN_UP: Final = "Clean Up"

STAGES: Final = (
    INGEST, SOURCE_TESTS, TRANSFORM, TRAINING, TRANSFORM_TESTS, SYNC, DOCS, CLEAN_UP,
)  # fmt: skip

DEFAULT_FILE: Final = "full-ci.yml"
CHILD_FILE: Final = "pipelines/marts-ci.yml"
FILE_VARIABLE: Final = "_PIPELINE_FILE_NAME"


@dataclass(frozen=True, slots=True)
class JobSpec:
    """A job as its pipeline file describes it."""

    name: str
    stage: str
    work: str
    """What it does, which decides its script, its log and what can go wrong with it."""
    seconds: float
    subject: str = ""
    allow_failure: bool = False
    when: str = "on_success"
    tag: str = "data"
    log_bytes: int = 0
    """Size of its log; 0 for the usual size of its work."""
    lines_per_second: int = 0
    """Of a log that grows until the job is canceled."""

    @property
    def bridge(self) -> bool:
        """Whether it starts a child pipeline instead of running a script."""
        return self.work == "bridge"


@dataclass(frozen=True, slots=True)
class PipelineFile:
    """A pipeline file: its jobs, in stage order."""

    path: str
    title: str
    jobs: tuple[JobSpec, ...]
    stages: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        used = {job.stage for job in self.jobs}
        # Frozen, and read for every pipeline that is planned.
        object.__setattr__(self, "stages", tuple(stage for stage in STAGES if stage in used))


def pipeline_file(path: str, title: str, jobs: list[JobSpec]) -> PipelineFile:
    """Return the file with its jobs put in stage order."""
    return PipelineFile(path, title, tuple(sorted(jobs, key=lambda job: STAGES.index(job.stage))))


DBT_KINDS: Final = frozenset({"warehouse", "dbt"})


def files_of(
    kind: str, entities: Sequence[str], models: int, *, child: bool
) -> dict[str, PipelineFile]:
    """Return the pipeline files of a project, by path."""
    files = {file.path: file for file in _KINDS[kind](tuple(entities), models)}
    if child:
        full = files[DEFAULT_FILE]
        bridge = JobSpec("build_marts", TRANSFORM_TESTS, "bridge", 0, CHILD_FILE)
        files[DEFAULT_FILE] = pipeline_file(full.path, full.title, [*full.jobs, bridge])
        files[CHILD_FILE] = _marts(tuple(entities))
    return files


def _loads(entities: Sequence[str], seconds: float) -> list[JobSpec]:
    return [
        JobSpec(f"load_{entity}", INGEST, "load", seconds * (1 + 0.35 * (rank % 3)), entity)
        for rank, entity in enumerate(entities)
    ]


def _source_tests() -> list[JobSpec]:
    return [
        JobSpec("test_sources", SOURCE_TESTS, "dbt_test", 35, "sources"),
        JobSpec("check_freshness", SOURCE_TESTS, "freshness", 15, allow_failure=True),
    ]


def _docs() -> list[JobSpec]:
    return [
        JobSpec("generate_docs", DOCS, "docs", 40, allow_failure=True),
        JobSpec("publish_lineage", DOCS, "publish", 15, allow_failure=True, when="manual"),
    ]


def _clean_up() -> list[JobSpec]:
    return [JobSpec("drop_dev_schema", CLEAN_UP, "cleanup", 8, when="always")]


def _dbt_run(models: int, share: float = 1.0, name: str = "dbt_run") -> JobSpec:
    return JobSpec(name, TRANSFORM, "dbt_run", 40 + models * share * 1.1)


def _dbt_test(models: int, share: float = 1.0) -> JobSpec:
    return JobSpec("dbt_test", TRANSFORM_TESTS, "dbt_test", 30 + models * share * 0.8)


def _dev(models: int) -> PipelineFile:
    jobs = [
        JobSpec("lint_sql", SOURCE_TESTS, "lint", 25, allow_failure=True),
        JobSpec("create_dev_schema", INGEST, "sql", 12),
        JobSpec("clone_prod_tables", INGEST, "sql", 30),
        _dbt_run(models, 0.5),
        _dbt_test(models, 0.5),
        JobSpec("compare_with_prod", TRANSFORM_TESTS, "sql", 45, allow_failure=True),
        *_clean_up(),
    ]
    return pipeline_file("dev-ci.yml", "Development", jobs)


def _marts(entities: Sequence[str]) -> PipelineFile:
    jobs = [
        JobSpec(f"build_{entity}_mart", TRANSFORM, "sql", 40 + 15 * rank, entity)
        for rank, entity in enumerate(entities)
    ]
    jobs += [
        JobSpec("row_count_checks", TRANSFORM_TESTS, "sql", 20),
        JobSpec("refresh_dashboards", SYNC, "sync", 30, "dashboards", allow_failure=True),
    ]
    return pipeline_file(CHILD_FILE, "Marts", jobs)


def _ingest(entities: Sequence[str], models: int) -> list[PipelineFile]:
    staging = _dbt_run(models, 0.4, "dbt_run_staging")
    tests = JobSpec("dbt_test_staging", TRANSFORM_TESTS, "dbt_test", 20 + models * 0.3)
    full = [*_loads(entities, 130), *_source_tests(), staging, tests, *_docs(), *_clean_up()]
    refresh = [*_loads(entities, 75), _source_tests()[0], staging, tests, *_clean_up()]
    backfill = [*_loads(entities, 320), staging, tests, *_clean_up()]
    return [
        pipeline_file(DEFAULT_FILE, "Full load", full),
        pipeline_file("refresh-ci.yml", "Incremental refresh", refresh),
        pipeline_file("backfill-ci.yml", "Backfill", backfill),
        _dev(models // 2),
    ]


def _dbt(entities: Sequence[str], models: int) -> list[PipelineFile]:
    full = [
        *_loads(entities[:3], 60),
        *_source_tests(),
        JobSpec("dbt_seed", TRANSFORM, "dbt_seed", 25),
        JobSpec("dbt_snapshot", TRANSFORM, "dbt_snapshot", 50),
        _dbt_run(models),
        _dbt_test(models),
        JobSpec("row_count_checks", TRANSFORM_TESTS, "sql", 25),
        *_docs(),
        *_clean_up(),
    ]
    refresh = [
        *_loads(entities[:2], 40),
        _dbt_run(models, 0.6),
        _dbt_test(models, 0.4),
        JobSpec("refresh_dashboards", SYNC, "sync", 25, "dashboards", allow_failure=True),
        *_clean_up(),
    ]
    return [
        pipeline_file(DEFAULT_FILE, "Full refresh", full),
        pipeline_file("refresh-ci.yml", "Incremental refresh", refresh),
        _dev(models),
    ]


def _warehouse(entities: Sequence[str], models: int) -> list[PipelineFile]:
    full, refresh, dev = _dbt(entities, models)
    extra = [
        JobSpec(f"load_{name}", INGEST, "load", 45, name)
        for name in ("exchange_rates", "store_calendar")
    ]
    extra += [
        JobSpec("grant_access", DOCS, "sql", 12),
        JobSpec("suspend_warehouse", CLEAN_UP, "cleanup", 6, when="always", allow_failure=True),
    ]
    weekly = [*_loads(entities, 90), _dbt_run(models, 1.3, "dbt_run_full_refresh")]
    weekly += [_dbt_test(models), JobSpec("recluster_tables", TRANSFORM, "sql", 160), *_clean_up()]
    return [
        pipeline_file(full.path, full.title, [*full.jobs, *extra]),
        refresh,
        pipeline_file("weekly-ci.yml", "Weekly rebuild", weekly),
        dev,
    ]


def _ml(entities: Sequence[str], models: int) -> list[PipelineFile]:
    full = [
        *_loads(entities, 70),
        *_source_tests(),
        _dbt_run(models, 0.4, "build_features"),
        JobSpec("fit_model", TRAINING, "train", 360),
        JobSpec("evaluate_model", TRANSFORM_TESTS, "python", 60),
        JobSpec("score_customers", SYNC, "python", 90),
        JobSpec("promote_model", DOCS, "publish", 20, allow_failure=True, when="manual"),
        JobSpec("publish_model_card", DOCS, "docs", 15, allow_failure=True),
        *_clean_up(),
    ]
    refresh = [
        *_loads(entities, 40),
        _dbt_run(models, 0.3, "build_features"),
        JobSpec("test_features", TRANSFORM_TESTS, "dbt_test", 30, "features"),
        JobSpec("score_customers", SYNC, "python", 120),
        JobSpec("check_drift", TRANSFORM_TESTS, "python", 45),
        *_clean_up(),
    ]
    gpu = [
        JobSpec("build_features", TRANSFORM, "dbt_run", 80),
        JobSpec("fit_model_gpu", TRAINING, "train", 420, tag="gpu-a100"),
        JobSpec("evaluate_model", TRANSFORM_TESTS, "python", 60),
        *_clean_up(),
    ]
    return [
        pipeline_file(DEFAULT_FILE, "Train and score", full),
        pipeline_file("refresh-ci.yml", "Score", refresh),
        pipeline_file("gpu-ci.yml", "GPU training", gpu),
        _dev(models // 2),
    ]


def _reverse_etl(entities: Sequence[str], models: int) -> list[PipelineFile]:
    syncs = [
        JobSpec(f"sync_{entity}", SYNC, "sync", 110 + 40 * rank, entity)
        for rank, entity in enumerate(entities)
    ]
    full = [
        JobSpec("extract_audience", INGEST, "sql", 60, entities[0]),
        *_source_tests(),
        _dbt_run(models, 0.5),
        _dbt_test(models, 0.4),
        *syncs,
        JobSpec("check_sync_results", DOCS, "python", 25, allow_failure=True),
        *_clean_up(),
    ]
    refresh = [
        JobSpec("extract_changes", INGEST, "sql", 35, entities[0]),
        _dbt_run(models, 0.3),
        JobSpec("test_changes", TRANSFORM_TESTS, "dbt_test", 25),
        *syncs,
        *_clean_up(),
    ]
    return [
        pipeline_file(DEFAULT_FILE, "Full sync", full),
        pipeline_file("refresh-ci.yml", "Changes only", refresh),
        _dev(models // 2),
    ]


def _quality(entities: Sequence[str], models: int) -> list[PipelineFile]:
    checks = [
        JobSpec(f"check_{entity}", TRANSFORM_TESTS, "dbt_test", 70 + 20 * rank, entity)
        for rank, entity in enumerate(entities)
    ]
    full = [
        JobSpec("load_results", INGEST, "load", 60, "results"),
        JobSpec("load_thresholds", INGEST, "load", 30, "thresholds"),
        *_source_tests(),
        _dbt_run(models, 0.4),
        *checks,
        JobSpec("publish_scorecard", SYNC, "sync", 20, "scorecard", allow_failure=True),
        *_docs(),
        *_clean_up(),
    ]
    refresh = [
        JobSpec("load_results", INGEST, "load", 45, "results"),
        JobSpec("refresh_profiles", TRANSFORM, "sql", 60),
        _dbt_run(models, 0.3),
        *checks,
        *_clean_up(),
    ]
    return [
        pipeline_file(DEFAULT_FILE, "All checks", full),
        pipeline_file("refresh-ci.yml", "Hourly checks", refresh),
        _dev(models // 2),
    ]


def _tooling(entities: Sequence[str], models: int) -> list[PipelineFile]:
    full = [
        JobSpec("install_packages", INGEST, "python", 50),
        JobSpec("load_fixtures", INGEST, "load", 45, entities[0]),
        JobSpec("lint_sql", SOURCE_TESTS, "lint", 30, allow_failure=True),
        JobSpec("unit_tests", SOURCE_TESTS, "unit_tests", 120),
        JobSpec("compile_models", TRANSFORM, "dbt_run", 60 + models * 0.4),
        JobSpec("integration_tests", TRANSFORM_TESTS, "dbt_test", 110),
        JobSpec("build_package", DOCS, "python", 35),
        JobSpec("publish_package", DOCS, "publish", 15, allow_failure=True, when="manual"),
        *_clean_up(),
    ]
    refresh = [
        JobSpec("load_fixtures", INGEST, "load", 45, entities[0]),
        JobSpec("unit_tests", SOURCE_TESTS, "unit_tests", 120),
        JobSpec("compile_models", TRANSFORM, "dbt_run", 50 + models * 0.3),
        JobSpec("integration_tests", TRANSFORM_TESTS, "dbt_test", 90),
        JobSpec("check_downstream", TRANSFORM_TESTS, "python", 70, allow_failure=True),
        *_clean_up(),
    ]
    return [
        pipeline_file(DEFAULT_FILE, "Build", full),
        pipeline_file("refresh-ci.yml", "Verify", refresh),
        _dev(models // 2),
    ]


_KINDS: Final[dict[str, Callable[[tuple[str, ...], int], list[PipelineFile]]]] = {
    "ingest": _ingest,
    "dbt": _dbt,
    "warehouse": _warehouse,
    "ml": _ml,
    "reverse_etl": _reverse_etl,
    "quality": _quality,
    "tooling": _tooling,
}
