"""The large company: as many projects and pipelines as promised, and the memory of a small one."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from tests.support.company import NOW
from tests.support.platform import api_client

from platui_emulator.world import Company
from platui_emulator.world.large_company import holding

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory


@lru_cache(maxsize=1)
def big() -> Company:
    """Return the company that these tests look at."""
    return Company(7, found=holding)


def test_it_has_as_many_of_everything_as_it_says() -> None:
    """The pipelines are counted project by project: a sample of each rhythm stands for it."""
    projects = big().projects()
    assert len(projects) == 5000
    assert len({one.full_path for one in projects}) == 5000
    assert 300 <= len(big().groups()) <= 400
    assert 2000 <= len(big().people()) <= 3000
    assert len({one.username for one in big().people()}) == len(big().people())
    periods = Counter(one.period for one in big().blueprints)
    counted = 0
    for period, number in periods.items():
        sample = next(one.record for one in big().blueprints if one.period == period)
        counted += number * big().pipelines.page(sample.id, NOW, offset=0, limit=0)[1]
    assert 190_000 <= counted <= 210_000
    assert big().pipelines.page(projects[0].id, NOW, offset=0, limit=0)[1] > 10_000


def test_names_are_words_and_differ_from_seed_to_seed() -> None:
    """Nothing is called by a number, and another seed is another company."""
    words = Counter(part for one in big().projects() for part in one.path.split("-"))
    assert not any(any(char.isdigit() for char in word) for word in words)
    assert len(words) > 150
    other = Company(8, found=holding).projects()
    assert {one.full_path for one in other} != {one.full_path for one in big().projects()}


def test_numbers_lead_back_to_their_pipelines() -> None:
    """There are more projects than lanes in a small company: numbers must have room for all."""
    seen: set[int] = set()
    for project in big().projects()[::311]:
        for pipeline in big().pipelines.page(project.id, NOW, offset=0, limit=3)[0]:
            assert big().pipelines.get(project.id, pipeline.id, NOW) == pipeline
            assert pipeline.id not in seen
            seen.add(pipeline.id)
            job = big().pipelines.jobs(project.id, pipeline.id, NOW, with_retried=True)[-1:]
            assert [big().pipelines.job(project.id, one.id, NOW) for one in job] == list(job)


def test_sites_that_nobody_asks_for_take_no_memory() -> None:
    """Looking at twice as many projects takes no more: the first ones are forgotten."""
    own, projects = Company(7, found=holding), big().projects()

    def look(since: int, until: int) -> int:
        for project in projects[since:until]:
            own.pipelines.page(project.id, NOW, offset=0, limit=1)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        first = look(10, 75)
        second = look(75, 140)
    finally:
        tracemalloc.stop()
    assert second < first * 1.4  # and not twice as much


def test_the_platform_counts_projects_but_not_ten_thousand_pipelines(
    platform_with: PlatformFactory,
) -> None:
    """Every page of projects tells how many there are; long lists of pipelines do not."""
    platform = platform_with(scenario="big")
    with api_client(platform) as client:
        page = client.get("projects", params={"order_by": "last_activity_at", "per_page": 100})
        assert page.headers["X-Total"] == "5000"
        moments = [one["last_activity_at"] for one in page.json()]
        assert moments == sorted(moments, reverse=True)
        last = client.get("projects", params={"page": 50, "per_page": 100})
        assert len(last.json()) == 100
        long = client.get("projects/101/pipelines")
        assert "X-Total" not in long.headers
        assert long.headers["X-Next-Page"] == "2"
        newest = client.get(f"projects/{page.json()[0]['id']}/pipelines").json()[0]
        assert newest["created_at"] == moments[0]
        names = client.get("namespaces", params={"per_page": 100})
        assert names.headers["X-Total"] == "356"
