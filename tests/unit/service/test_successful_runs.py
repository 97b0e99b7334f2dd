"""Which run a job is compared with, and how far one looks for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from platui.core.errors import OfflineError, OfflineReason
from platui.models.values.comparison import JobRun, LastSuccessSearch
from platui.models.values.feeds import Page
from platui.models.wire import Job, Pipeline
from platui.service.logs import successful_runs
from platui.service.logs.successful_runs import SuccessfulRuns, run_of
from platui.service.page_cache import Answer

NOW = datetime(2026, 3, 14, tzinfo=UTC)
THIS = JobRun(50, 500, "dbt_run", "main", "failed")


@dataclass
class Platform:
    """A reader on pipelines (id, ref, status) and their jobs (id, name, status)."""

    pipelines: list[tuple[int, str, str]]
    jobs: dict[int, list[tuple[int, str, str]]]
    size: int = 100
    is_offline: bool = False
    repeats: bool = False  # Whether each page of jobs is the first one

    def __post_init__(self) -> None:
        self.asked: list[str] = []
        self.kept: dict[str, Any] = {}

    async def recall(self, operation: Any) -> Any:
        """Return what was asked before."""
        return self.kept.get(operation.target)

    async def fetch(self, operation: Any, *_: Any) -> Any:
        """Answer a question as a platform that knows no filter."""
        if self.is_offline:
            raise OfflineError("Nobody answers.", reason=OfflineReason.REFUSED)
        await asyncio.sleep(0)
        self.asked.append(operation.path)
        query = dict(operation.query)
        number = int(query["page"])
        items: list[Any]
        if operation.path.endswith("/pipelines"):
            everything = [
                Pipeline(id=number, ref=ref, status=status)
                for number, ref, status in self.pipelines
            ]
            part = everything[(number - 1) * self.size : number * self.size]
            wish = query.get("status", ""), query.get("ref", "")
            items = [
                one for one in part if wish[0] in {"", one.status} and wish[1] in {"", one.ref}
            ]
            more = number * self.size < len(everything)
        else:
            pipeline = int(operation.path.split("/")[-2])
            items = [
                Job(id=number, name=name, status=status, ref="main")
                for number, name, status in self.jobs.get(pipeline, [])
            ]
            more = self.repeats
        page = Page(tuple(items), number=number, next=number + 1 if more else None, total=None)
        self.kept[operation.target] = Answer(page, NOW)
        return self.kept[operation.target]


async def found(
    platform: Platform, this: JobRun = THIS
) -> tuple[LastSuccessSearch, list[LastSuccessSearch]]:
    """Return the end of a search, and what was told on the way."""
    told: list[LastSuccessSearch] = []
    greens = SuccessfulRuns(platform, 7)  # type: ignore[arg-type]  # as much as it takes
    return await greens.find(this, told.append), told


GREEN = [(1, "dbt_run", "success")]


async def test_the_newest_green_one_before_is_taken() -> None:
    """Not its own pipeline, not a later one, not another ref, not a red one."""
    platform = Platform(
        [
            (60, "main", "success"), (50, "main", "success"), (45, "dev", "success"),
            (44, "main", "failed"), (40, "main", "success"), (30, "main", "success"),
        ],
        {number: [(number * 10, "dbt_run", "success")] for number in (60, 50, 45, 40, 30)},
    )  # fmt: skip
    search, told = await found(platform)
    assert search.run == JobRun(40, 400, "dbt_run", "main", "success")
    assert (search.without, search.has_no_success, search.is_whole) == ((), False, True)
    assert [one.checking for one in told] == [None, 40]


async def test_a_pipeline_without_the_job_is_passed_over() -> None:
    """And so is one in which it was allowed to fail; that is said."""
    platform = Platform(
        [(number, "main", "success") for number in (40, 39, 38)],
        {
            40: [(1, "other", "success")],
            39: [(2, "dbt_run", "failed")],
            38: [(3, "dbt_run", "failed"), (9, "dbt_run", "success"), (4, "dbt_run", "success")],
        },
    )
    search, _ = await found(platform)
    assert search.run is not None
    assert (search.run.pipeline, search.run.job) == (38, 9)
    assert search.without == (40, 39)


async def test_after_some_pipelines_without_the_job_it_gives_up() -> None:
    """A new job has no green run, however many pipelines there are."""
    platform = Platform([(number, "main", "success") for number in range(49, 0, -1)], {})
    search, _ = await found(platform)
    assert search.run is None
    assert len(search.without) == successful_runs.MOST_PIPELINES
    assert not search.is_whole


async def test_filters_that_are_ignored_cost_pages_but_not_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The green ones are picked out of all; after so many pages it says that there may be more."""
    pipelines = [(number, "main", "failed") for number in range(49, 10, -1)]
    platform = Platform([*pipelines, (9, "main", "success")], {9: GREEN}, size=10)
    search, _ = await found(platform)
    assert search.run is not None
    monkeypatch.setattr(successful_runs, "MOST_PAGES", 2)
    search, _ = await found(platform)
    assert search.run is None
    assert not search.is_whole


async def test_jobs_that_repeat_on_every_page_are_read_once_more() -> None:
    """Some platforms ignore the page of a list; it ends with the first page that adds nothing."""
    platform = Platform([(40, "main", "success"), (39, "main", "success")], {39: GREEN})
    platform.jobs[40] = [(2, "other", "success")]
    platform.repeats = True
    search, _ = await asyncio.wait_for(found(platform), 10)
    assert search.run is not None
    assert search.run.pipeline == 39
    assert sum(path.endswith("/40/jobs") for path in platform.asked) == 2


async def test_a_ref_that_was_never_green_is_compared_with_another() -> None:
    """A tag, a merge request, a new branch: that is said."""
    platform = Platform(
        [(48, "v2", "failed"), (47, "main", "success")], {47: [(470, "dbt_run", "success")]}
    )
    search, _ = await found(platform, JobRun(50, 500, "dbt_run", "v2", "failed"))
    assert search.run is not None
    assert search.run.pipeline == 47
    assert search.has_no_success


async def test_nothing_is_green() -> None:
    """Of no ref."""
    search, _ = await found(Platform([(40, "main", "failed")], {}))
    assert search == LastSuccessSearch("main", has_no_success=True)


async def test_a_job_of_an_unknown_pipeline_takes_the_newest() -> None:
    """The platform does not tell which one it is of."""
    platform = Platform([(90, "main", "success")], {90: GREEN})
    search, _ = await found(platform, THIS._replace(pipeline=None))
    assert search.run is not None


async def test_what_is_kept_is_enough_without_a_line() -> None:
    """The finished jobs of a pipeline are never asked for twice."""
    platform = Platform([(40, "main", "success")], {40: GREEN})
    first, _ = await found(platform)
    asked = len(platform.asked)
    platform.is_offline = True
    assert (await found(platform))[0] == first
    assert len(platform.asked) == asked
    with pytest.raises(OfflineError):
        await found(Platform([], {}, is_offline=True))


def test_a_run_says_what_is_known_of_a_job() -> None:
    """Its pipeline may be known from elsewhere only."""
    job = Job(id=5, name="x", status="failed", ref="main")
    assert run_of(job, 7) == JobRun(7, 5, "x", "main", "failed")
    job = Job(id=5, name="x", pipeline=Pipeline(id=3, ref="dev"))
    assert run_of(job, 7)[:4] == (3, 5, "x", "dev")
