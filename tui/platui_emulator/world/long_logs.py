"""Two pipelines with long logs, failed and running, in the project that is quiet for longest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui_emulator.records import LongLog, Project
from platui_emulator.world.catalogue import (
    CLEAN_UP,
    DEFAULT_FILE,
    INGEST,
    TRANSFORM,
    JobSpec,
    pipeline_file,
)
from platui_emulator.world.clock import job_id
from platui_emulator.world.history import NO_SHA
from platui_emulator.world.logs.finished import seconds_for
from platui_emulator.world.pipeline_starts import GREEN
from platui_emulator.world.planner import QUEUE
from platui_emulator.world.plans import Run
from platui_emulator.world.setups import Setup

if TYPE_CHECKING:
    from platui_emulator.world.company import Company
    from platui_emulator.world.project_simulation import ProjectSimulation

_ENDED_SINCE: Final = 30
"""Seconds since the failed pipeline ended, when the emulator opens."""
_RUNNING_SINCE: Final = 20
_CLEAN_UP: Final = 8.0
_BETWEEN: Final = 10.0
"""Seconds that the jobs around the long one take together, waiting included."""


class LongLogs(Setup):
    """The company, with these two pipelines in its showcase."""

    def __init__(self, *, log_bytes: int, lines_per_second: int) -> None:
        self._log_bytes = log_bytes
        self._lines_per_second = lines_per_second
        self._place: ProjectSimulation | None = None
        self._failed: Run | None = None

    def showcase(self, company: Company, now: datetime) -> Project:
        """Return the project of the two pipelines; the first call plants them."""
        if self._place is None:
            self._place = self._plant(company, int(now.timestamp()))
        return self._place.blueprint.record

    def long_logs(self, company: Company) -> Sequence[LongLog]:
        if self._place is None or self._failed is None:
            return ()
        run = self._failed
        return [
            LongLog(
                project_id=run.blueprint.id,
                pipeline_id=run.id,
                job_id=job_id(run.id, attempt.index),
                size=log.size,
                lines=log.line_count(),
                errors=tuple(log.errors()),
            )
            for attempt in self._place.plan(run).attempts
            if (log := company.logs.finished(run, attempt)) is not None
        ]

    def _plant(self, company: Company, now: int) -> ProjectSimulation:
        seconds = float(seconds_for(self._log_bytes))
        created = now - _ENDED_SINCE - _BETWEEN - _CLEAN_UP - seconds
        site = _quietest([company.sites.at(one.lane) for one in company.blueprints], created, now)
        replay = [
            JobSpec("replay_history", INGEST, "load", seconds, "orders", log_bytes=self._log_bytes),
            JobSpec("dbt_run", TRANSFORM, "dbt_run", 60.0),
            JobSpec("drop_dev_schema", CLEAN_UP, "cleanup", _CLEAN_UP, when="always"),
        ]
        follow = [
            JobSpec(
                "follow_events", INGEST, "load", 0.0, "events",
                lines_per_second=self._lines_per_second,
            ),
            JobSpec("dbt_run", TRANSFORM, "dbt_run", 60.0),
        ]  # fmt: skip
        self._failed = _add(company, site, created, "Replay of all orders", replay)
        running = _add(company, site, now - _RUNNING_SINCE - QUEUE, "Events as they come", follow)
        for run in (self._failed, running):
            for attempt in site.plan(run).attempts:
                company.logs.prepare(run, attempt)
        return site


def _add(
    company: Company, site: ProjectSimulation, created: float, title: str, jobs: list[JobSpec]
) -> Run:
    number = company.journal.reserve(company.clockwork.minute(created), 1)
    main = site.blueprint.record.default_branch
    commit = site.history.find(main, created)
    if commit is None:
        raise LookupError(f"{site.blueprint.record.full_path} has no branch {main}")
    run = Run(
        id=number,
        iid=site.runs.iid(site.runs.newest_before(number)) + (site.runs.iid(1) > 1) + 1,
        blueprint=site.blueprint,
        created=created,
        source="api",
        ref=main,
        tag=False,
        commit=commit,
        before_sha=NO_SHA,
        file=pipeline_file(DEFAULT_FILE, title, jobs),
        user=commit.author,
        variables=(),
        fate=GREEN,
    )
    company.journal.add_run(run)
    return run


def _quietest(sites: Sequence[ProjectSimulation], since: float, now: float) -> ProjectSimulation:
    def rank(site: ProjectSimulation) -> tuple[bool, float]:
        newest = site.diary.newest(now)
        return site.diary.created(newest) < since, site.diary.created(newest + 1)

    return max(sites, key=rank)
