"""Windows on lists: `page`, `per_page`, the headers and the links (spec §8)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from tests.support.platform import api_client, in_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.server import RunningEmulator


@pytest.fixture
def api(still_platform: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client with the token that sees most."""
    with api_client(still_platform) as client:
        yield client


def test_a_list_has_twenty_items_where_nothing_is_said(api: httpx.Client) -> None:
    """Spec §8: `page` is 1 and `per_page` 20 by default."""
    answer = api.get("projects")
    total = int(answer.headers["X-Total"])
    assert len(answer.json()) == 20
    assert answer.headers["X-Page"] == "1"
    assert answer.headers["X-Per-Page"] == "20"
    assert answer.headers["X-Prev-Page"] == ""
    assert answer.headers["X-Next-Page"] == "2"
    assert total > 20
    assert int(answer.headers["X-Total-Pages"]) == -(-total // 20)


def test_more_than_a_hundred_items_a_page_are_cut_down(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """Spec §8: the maximum is 100, and asking for more is no error."""
    answer = api.get(in_project(still_platform, "pipelines"), params={"per_page": 200})
    assert answer.status_code == 200
    assert answer.headers["X-Per-Page"] == "100"
    assert len(answer.json()) == min(100, int(answer.headers["X-Total"]))


def test_links_lead_through_the_whole_list(api: httpx.Client) -> None:
    """A client that follows `Link` alone sees every project once, and keeps its own filters."""
    first = api.get("projects", params={"per_page": 7, "simple": "true", "order_by": "id"})
    total, ids = int(first.headers["X-Total"]), [one["id"] for one in first.json()]
    answer = first
    while "next" in answer.links:
        assert "simple=true" in answer.links["next"]["url"]
        answer = api.get(answer.links["next"]["url"])
        ids += [one["id"] for one in answer.json()]
    assert len(ids) == total
    assert ids == sorted(set(ids), reverse=True)
    assert answer.headers["X-Next-Page"] == ""
    assert answer.links["last"]["url"].endswith(f"page={answer.headers['X-Page']}&per_page=7")


def test_links_name_the_host_that_was_asked(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """A relay in front of the platform keeps its own links, as its Host header says."""
    answer = api.get("projects", params={"page": 2}, headers={"Host": "relay.test:81"})
    assert still_platform.base_url not in answer.headers["Link"]
    assert answer.links["prev"]["url"].startswith("http://relay.test:81/api/v4/projects?page=1&")
    assert {"prev", "first", "next", "last"} == set(answer.links)
    assert answer.json()[0]["web_url"].startswith("http://relay.test:81/")


def test_a_page_past_the_end_is_empty(api: httpx.Client) -> None:
    """Past the end there is nothing, which is no error."""
    for path, page in (("projects", 1_000), ("namespaces", 10**17)):
        answer = api.get(path, params={"page": page})
        assert (answer.status_code, answer.json()) == (200, [])
        assert answer.headers["X-Next-Page"] == ""


def test_an_empty_list_has_one_page(api: httpx.Client) -> None:
    """`X-Total-Pages` is never below 1."""
    answer = api.get("projects", params={"search": "no project is called like this"})
    assert answer.json() == []
    assert (answer.headers["X-Total"], answer.headers["X-Total-Pages"]) == ("0", "1")


def test_nobody_counts_the_jobs_of_a_project(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """`/projects/:id/jobs` has links but no totals and no last page."""
    seen: list[int] = []
    url = f"{in_project(still_platform, 'jobs')}?per_page=15"
    for _ in range(4):
        answer = api.get(url)
        assert "X-Total" not in answer.headers
        assert "X-Total-Pages" not in answer.headers
        assert "last" not in answer.links
        seen += [job["id"] for job in answer.json()]
        url = answer.links["next"]["url"]
    assert len(seen) == 60
    assert seen == sorted(set(seen), reverse=True)


def test_pages_of_pipelines_join_without_gap(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """Small pages together are the same list as one big page, from either end."""
    path = in_project(still_platform, "pipelines")
    for filters, sort in itertools.product(({}, {"status": "failed"}), ("desc", "asc")):
        query = {"sort": sort, **filters}
        whole = [one["id"] for one in api.get(path, params={**query, "per_page": 30}).json()]
        parts = [
            one["id"]
            for page in (1, 2, 3)
            for one in api.get(path, params={**query, "per_page": 10, "page": page}).json()
        ]
        assert whole == parts
        assert whole == sorted(set(whole), reverse=sort == "desc")


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"page": "two"}, "page is invalid"),
        ({"per_page": "many"}, "per_page is invalid"),
        ({"per_page": "0"}, "per_page does not have a valid value"),
        ({"page": "9" * 5000}, "page is invalid"),
    ],
)
def test_numbers_that_are_none_are_refused(
    api: httpx.Client, query: dict[str, str], error: str
) -> None:
    """A page is a number."""
    answer = api.get("projects", params=query)
    assert (answer.status_code, answer.json()) == (400, {"error": error})
