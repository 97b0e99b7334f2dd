"""Ids and encoded paths (spec §4.1): slashes inside a segment are encoded."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from tests.support.platform import api_client, in_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.server import RunningEmulator

NO_ROUTE = {"error": "404 Not Found"}


@pytest.fixture
def api(platform: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client with the token that sees most."""
    with api_client(platform) as client:
        yield client


def test_id_and_encoded_path_name_the_same_project(
    api: httpx.Client, platform: RunningEmulator
) -> None:
    """A project is named by its number or by its whole path."""
    by_path = api.get(in_project(platform))
    by_id = api.get(f"projects/{by_path.json()['id']}")
    lower = api.get(in_project(platform).replace("%2F", "%2f"))
    assert by_path.status_code == 200
    assert by_path.json() == by_id.json() == lower.json()


def test_a_slash_that_is_not_encoded_leads_nowhere(
    api: httpx.Client, platform: RunningEmulator
) -> None:
    """`acme/demo` is two segments, and no route has them."""
    answer = api.get(f"projects/{platform.project}/pipelines")
    assert (answer.status_code, answer.json()) == (404, NO_ROUTE)


def test_a_file_in_a_folder_is_one_segment(api: httpx.Client, platform: RunningEmulator) -> None:
    """Spec 2.6: content in base64 with its digest; raw gives the same bytes."""
    entries = api.get(
        in_project(platform, "repository/tree"), params={"recursive": "true", "per_page": 100}
    ).json()
    path = next(one["path"] for one in entries if one["type"] == "blob" and "/" in one["path"])
    encoded = in_project(platform, f"repository/files/{quote(path, safe='')}")
    answer = api.get(encoded, params={"ref": "main"})
    raw = api.get(f"{encoded}/raw", params={"ref": "main"})
    body = answer.json()
    content = base64.b64decode(body["content"], validate=True)
    assert content == raw.content
    assert body["file_path"] == path
    assert body["file_name"] == path.rpartition("/")[2]
    assert body["size"] == len(content)
    assert body["encoding"] == "base64"
    assert body["content_sha256"] == hashlib.sha256(content).hexdigest()
    assert body["blob_id"] == next(one["id"] for one in entries if one["path"] == path)
    assert {"ref", "commit_id", "last_commit_id"} <= body.keys()
    unencoded = api.get(in_project(platform, f"repository/files/{path}"), params={"ref": "main"})
    assert unencoded.json() == NO_ROUTE


def test_a_branch_with_a_slash_is_one_segment(api: httpx.Client) -> None:
    """Branch names are encoded like paths."""
    for project in api.get("projects", params={"per_page": 100}).json():
        branches = f"projects/{project['id']}/repository/branches"
        for branch in api.get(branches, params={"per_page": 100}).json():
            if "/" in branch["name"]:
                found = api.get(f"{branches}/{quote(branch['name'], safe='')}")
                assert found.json() == branch
                return
    pytest.fail("no branch of the company has a slash in its name")


@pytest.mark.parametrize(
    ("path", "query", "status", "body"),
    [
        ("", {}, 404, {"message": "404 Project Not Found"}),
        ("pipelines/1", {}, 404, {"message": "404 Not found"}),
        ("pipelines/one", {}, 400, {"error": "pipeline_id is invalid"}),
        ("jobs/1", {}, 404, {"message": "404 Not Found"}),
        ("jobs/1/trace", {}, 404, {"message": "404 Not Found"}),
        ("repository/files/nowhere", {}, 400, {"error": "ref is missing"}),
        ("repository/files/nowhere", {"ref": "main"}, 404, {"message": "404 File Not Found"}),
        ("repository/files/README.md", {"ref": "no"}, 404, {"message": "404 Commit Not Found"}),
        ("repository/tree", {"ref": "no"}, 404, {"message": "404 Tree Not Found"}),
        ("repository/files/a%0Ab%0D", {"ref": "main"}, 404, {"message": "404 File Not Found"}),
        ("repository/branches/no", {}, 404, {"message": "404 Branch Not Found"}),
        ("pipelines", {"status": "red"}, 400, {"error": "status does not have a valid value"}),
        ("jobs", {"scope[]": "red"}, 400, {"message": "Scope contains invalid value(s)"}),
        ("no/such/route", {}, 404, NO_ROUTE),
    ],
)
def test_what_is_not_there_says_so_in_its_own_words(
    api: httpx.Client,
    platform: RunningEmulator,
    path: str,
    query: dict[str, str],
    status: int,
    body: dict[str, str],
) -> None:
    """Each look-up has its own sentence (spec §7, and what real servers send)."""
    project = "no/such/project" if path == "" else None
    answer = api.get(in_project(platform, path, project=project), params=query)
    assert (answer.status_code, answer.json()) == (status, body)


def test_a_verb_that_does_not_fit_is_405(api: httpx.Client, platform: RunningEmulator) -> None:
    """The path is right, the method is not."""
    answer = api.delete(in_project(platform))
    assert (answer.status_code, answer.json()) == (405, {"error": "405 Not Allowed"})
    assert answer.headers["Allow"] == "GET"


def test_hostile_paths_are_answered(api: httpx.Client) -> None:
    """Bytes that are no text, huge numbers and dots do not bring the server down."""
    for path in ("projects/%FF%FE", f"projects/{'9' * 4000}", "projects/..%2F..", "projects/%00"):
        assert api.get(path).status_code == 404
    page = api.get(f"{api.base_url.copy_with(path='/a%0Ab')}")
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
