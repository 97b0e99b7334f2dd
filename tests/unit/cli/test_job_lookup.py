"""The job that a name means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from platui.cli.job_lookup import find_job_by_name
from platui.cli.log_options import LogOptions
from platui.core.errors import CommandError
from platui.models.values.feeds import Listing
from platui.models.wire import Job, Pipeline

if TYPE_CHECKING:
    from platui.service import PlatformService


class Platform:
    """Answers with pipelines, newest first, each with one job of the name."""

    def __init__(self, *pipelines: tuple[str, str], first_page: int = 100) -> None:
        """Take the status of each pipeline, and that of its job."""
        numbers = range(len(pipelines), 0, -1)
        self._pipelines = [
            Pipeline(id=number, status=status, ref="main")
            for number, (status, _) in zip(numbers, pipelines, strict=True)
        ]
        self._jobs = {
            number: Job(id=number * 10, name="lint", status=status)
            for number, (_, status) in zip(numbers, pipelines, strict=True)
        }
        self._first_page = first_page

    async def read(self, resource: Any, *, limit: int | None = None, **_: Any) -> Listing[Any]:
        """Return the jobs of a pipeline, or pipelines: the first page, unless it is limited."""
        words = resource.endpoint().path.split("/")
        if words[-1] == "jobs":
            return Listing((self._jobs[int(words[-2])],), complete=True)
        some = self._pipelines if limit is not None else self._pipelines[: self._first_page]
        return Listing(tuple(some), complete=some is self._pipelines)


async def found(platform: Platform, *, only_failed: bool = True) -> tuple[int, str]:
    """Return the number of the job, and what is said of its pipeline."""
    wanted = LogOptions(target=("7", "lint"), only_failed=only_failed)
    one = await find_job_by_name(cast("PlatformService", platform), wanted)
    return one.target.id, one.note


async def test_a_job_that_may_fail_is_that_of_its_newest_pipeline() -> None:
    """Also if that one is successful: in an older one it would run on an older commit."""
    platform = Platform(("success", "success"), ("success", "failed"), ("failed", "failed"))
    assert await found(platform) == (
        20,
        "Job 20 of pipeline #2 (main, the newest pipeline of the project in which it failed).",
    )
    assert await found(platform, only_failed=False) == (
        30,
        "Job 30 of pipeline #3 (main, the newest of the project).",
    )


async def test_many_successful_pipelines_hide_no_failure() -> None:
    """Those of merge requests succeed, the one of the night failed."""
    platform = Platform(*[("success", "success")] * 40, ("failed", "failed"))
    number, _ = await found(platform)
    assert number == 10


async def test_a_job_that_failed_nowhere_is_not_chosen() -> None:
    """An older attempt that succeeded is nothing to retry."""
    with pytest.raises(CommandError, match="Job lint failed in none of the newest pipelines"):
        await found(Platform(("success", "success"), ("failed", "success")))


async def test_pages_without_a_match_are_passed() -> None:
    """A platform that ignores filters has nothing left on its first page."""
    platform = Platform(("failed", "success"), ("failed", "failed"), first_page=0)
    number, _ = await found(platform)
    assert number == 10
