"""Lists paged by key, how deep offsets may lead, and the filters of lists of projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.platform import api_client, in_project
from tests.support.staff import person_of_level, token_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.server import RunningEmulator

NO_KEYSET = {"error": "Keyset pagination is not yet available for this type of request"}


@pytest.fixture
def api(still_platform: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client with the token that sees most."""
    with api_client(still_platform) as client:
        yield client


def pages(api: httpx.Client, path: str, most: int = 99, **query: Any) -> list[list[Any]]:
    """Return the pages of a list, led by its links alone, which are all that it tells."""
    answer = api.get(path, params={"pagination": "keyset", **query})
    found = [answer.json()]
    while len(found) < most and "next" in answer.links:
        answer = api.get(answer.links["next"]["url"])
        found.append(answer.json())
        assert answer.status_code == 200
        assert not {"X-Total", "X-Total-Pages", "X-Page", "X-Next-Page"} & set(answer.headers)
        assert set(answer.links) <= {"next"}
    return found


@pytest.mark.parametrize("sort", ["asc", "desc"])
def test_projects_are_paged_by_id(api: httpx.Client, sort: str) -> None:
    """Every project once, filters kept; another order than by id is 405."""
    whole = api.get("projects", params={"per_page": 100, "order_by": "id", "sort": sort}).json()
    found = pages(api, "projects", order_by="id", sort=sort, per_page=7, simple="true")
    assert {len(page) for page in found[:-1]} == {7}
    assert [one["id"] for page in found for one in page] == [one["id"] for one in whole]
    assert all("permissions" not in one for page in found for one in page)
    for order in ("", "name"):
        refused = api.get("projects", params={"pagination": "keyset", "order_by": order or "path"})
        assert (refused.status_code, refused.json()) == (405, NO_KEYSET)


def test_jobs_of_a_project_are_paged_by_a_cursor(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """The same jobs as by offset, retried ones too; a scope is kept."""
    path = in_project(still_platform, "jobs")
    for query in ({}, {"scope[]": "success"}):
        whole = api.get(path, params={"per_page": 60, **query}).json()
        found = pages(api, path, most=4, per_page=15, **query)
        assert [one["id"] for page in found for one in page] == [one["id"] for one in whole]
    for cursor in ("nonsense", "e30=", "%FF"):
        refused = api.get(f"{path}?pagination=keyset&cursor={cursor}")
        assert (refused.status_code, refused.json()) == (400, {"error": "cursor is invalid"})


@pytest.mark.parametrize("rest", ["branches", "tags", "tree"])
def test_refs_and_folders_are_paged_by_a_token(
    api: httpx.Client, still_platform: RunningEmulator, rest: str
) -> None:
    """`page_token` is the last name of a page; one that nobody has is 422."""
    path = in_project(still_platform, f"repository/{rest}")
    whole = api.get(path, params={"per_page": 100}).json()
    found = pages(api, path, per_page=2)
    assert [one["name"] for page in found for one in page] == [one["name"] for one in whole]
    assert len(found) == -(-len(whole) // 2)
    refused = api.get(path, params={"pagination": "keyset", "page_token": "nobody"})
    assert (refused.status_code, refused.json()) == (422, {"message": "422 Invalid page token"})


@pytest.mark.parametrize("rest", ["pipelines", "pipeline_schedules"])
def test_other_lists_know_no_keys(
    api: httpx.Client, still_platform: RunningEmulator, rest: str
) -> None:
    """405 where the platform has no keys to page by."""
    for path in (in_project(still_platform, rest), "namespaces"):
        refused = api.get(path, params={"pagination": "keyset"})
        assert (refused.status_code, refused.json()) == (405, NO_KEYSET)


def test_offsets_lead_50000_deep_where_keys_lead_deeper(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """Beyond that it is 405, with the words for the kind of record."""
    for path, kind in (("projects", "Project"), (in_project(still_platform, "jobs"), "Ci::Build")):
        query = {"per_page": 100, "page": 501}
        refused = api.get(path, params=query)
        assert refused.status_code == 405
        assert (
            f"offset of 50000 for requests that return objects of type {kind}."
            in (refused.json()["error"])
        )
    assert api.get("projects", params={"per_page": 100, "page": 500}).json() == []
    assert api.get("namespaces", params={"per_page": 100, "page": 501}).status_code == 200


def test_projects_are_filtered(api: httpx.Client) -> None:
    """By number, role, activity; what none of them has leaves none."""
    every = api.get("projects", params={"per_page": 100, "order_by": "id", "sort": "asc"}).json()
    ids = [one["id"] for one in every]

    def found(**query: Any) -> list[dict[str, Any]]:
        sent = {"per_page": 100, "order_by": "id", "sort": "asc", **query}
        return list(api.get("projects", params=sent).json())

    assert [one["id"] for one in found(id_after=ids[4], id_before=ids[9])] == ids[5:9]
    for nothing in ({"archived": True}, {"starred": True}, {"topic": "x"}, {"active": False}):
        assert found(**nothing) == []
    for level in (30, 40, 50):
        kept = found(min_access_level=level)
        assert [one["id"] for one in kept] == [
            one["id"]
            for one in every
            if max(
                (access or {}).get("access_level", 0) for access in one["permissions"].values()
            ) >= level
        ]  # fmt: skip
    assert found(owned=True) == found(min_access_level=50)
    middle = sorted(one["last_activity_at"] for one in every)[len(every) // 2]
    later = {one["id"] for one in found(last_activity_after=middle)}
    assert later == {one["id"] for one in every if one["last_activity_at"] >= middle}
    earlier = {one["id"] for one in found(last_activity_before=middle)}
    assert earlier == {one["id"] for one in every if one["last_activity_at"] <= middle}
    for query, name in (({"min_access_level": 33}, "min_access_level does not have a valid value"),
                        ({"last_activity_after": "soon"}, "last_activity_after is invalid"),
                        ({"id_after": "x"}, "id_after is invalid")):  # fmt: skip
        assert api.get("projects", params=query).json() == {"error": name}


def test_namespaces_are_filtered(api: httpx.Client, still_platform: RunningEmulator) -> None:
    """Owned ones, those at the top, and a search in the whole path."""
    every = api.get("namespaces", params={"per_page": 100}).json()
    nested = next(one for one in every if one["parent_id"] is not None)
    top = nested["full_path"].partition("/")[0]
    whole = api.get("namespaces", params={"search": f"{top}/", "full_path_search": True}).json()
    assert nested["id"] in {one["id"] for one in whole}
    assert api.get("namespaces", params={"search": f"{top}/"}).json() == []
    showcase = still_platform.platform.showcase
    token = token_of(still_platform, person_of_level(still_platform, showcase, "DEVELOPER"))
    with api_client(still_platform, token) as developer:
        mine = developer.get("namespaces", params={"per_page": 100}).json()
        owned = developer.get("namespaces", params={"owned_only": True, "per_page": 100}).json()
    assert {one["id"] for one in owned} < {one["id"] for one in mine}
    assert "user" in {one["kind"] for one in owned}
    tops = api.get("namespaces", params={"top_level_only": True}).json()
    assert {one["parent_id"] for one in tops} == {None}
