"""Files of every sort, refs in every order, and what a HEAD tells."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import pytest
from tests.support.platform import api_client, in_project
from tests.support.staff import person_of_level, token_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.server import RunningEmulator


@pytest.fixture
def api(still_platform: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client with the token that sees most."""
    with api_client(still_platform) as client:
        yield client


def entries(api: httpx.Client, project: int | str) -> list[dict[str, Any]]:
    """Return everything in a repository."""
    found: list[dict[str, Any]] = []
    path = f"projects/{quote(str(project), safe='')}/repository/tree"
    answer = api.get(path, params={"recursive": "true", "per_page": 100})
    found += answer.json()
    while "next" in answer.links:
        answer = api.get(answer.links["next"]["url"])
        found += answer.json()
    return found


def test_files_of_every_sort_come_as_they_are(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """Text, a picture, an empty file, blanks and other scripts in a name: digests and sizes hold."""  # noqa: E501
    kinds = set()
    for entry in entries(api, still_platform.project):
        if entry["type"] == "tree":
            continue
        path = in_project(still_platform, f"repository/files/{quote(entry['path'], safe='')}")
        body = api.get(path, params={"ref": "main"}).json()
        content = base64.b64decode(body["content"], validate=True)
        raw = api.get(f"{path}/raw")
        assert raw.content == content
        assert body["content_sha256"] == hashlib.sha256(content).hexdigest()
        assert (body["size"], body["file_path"]) == (len(content), entry["path"])
        assert body["blob_id"] == entry["id"]
        assert body["file_name"] == entry["name"]
        kinds |= {
            "empty" if not content else "binary" if b"\0" in content else "text",
            "odd name" if not entry["name"].isascii() and " " in entry["name"] else "tame name",
        }
        for asked in (path, f"{path}/raw"):
            head = api.head(asked, params={"ref": "main"})
            assert (head.status_code, head.content) == (200, b"")
            assert unquote(head.headers["X-Gitlab-File-Path"]) == entry["path"]
            for header, key in (
                ("X-Gitlab-Size", "size"),
                ("X-Gitlab-Blob-Id", "blob_id"),
                ("X-Gitlab-Content-Sha256", "content_sha256"),
                ("X-Gitlab-Commit-Id", "commit_id"),
                ("X-Gitlab-Last-Commit-Id", "last_commit_id"),
                ("X-Gitlab-Ref", "ref"),
            ):
                assert head.headers[header] == str(body[key])
        if "binary" in kinds and len(kinds) == 5:
            break
    assert kinds == {"text", "binary", "empty", "odd name", "tame name"}


def test_one_file_is_large(api: httpx.Client) -> None:
    """More than a megabyte, in one project."""
    first = min(one["id"] for one in api.get("projects", params={"per_page": 100}).json())
    path = f"projects/{first}/repository/files/seeds%2Fstore_calendar.csv"
    body = api.get(path, params={"ref": "HEAD"}).json()
    assert body["size"] > 1 << 20
    assert hashlib.sha256(base64.b64decode(body["content"])).hexdigest() == body["content_sha256"]
    other = path.replace(str(first), str(first + 1))
    assert api.get(other, params={"ref": "HEAD"}).status_code == 404


def test_tags_come_in_every_order_and_alone(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """By name, date and version, both ways; what is no order is 422."""
    path = in_project(still_platform, "repository/tags")

    def names(**query: str) -> list[str]:
        return [one["name"] for one in api.get(path, params={"per_page": 100, **query}).json()]

    newest = names()
    assert newest == names(order_by="updated", sort="desc") == names(sort="asc")[::-1]
    assert names(order_by="name", sort="asc") == sorted(newest)
    versions = [tuple(map(int, name[1:].split("."))) for name in names(order_by="version")]
    assert versions == sorted(versions, reverse=True)
    assert names(search=f"^{newest[0]}$") == [newest[0]]
    one = api.get(f"{path}/{newest[0]}").json()
    assert (one["name"], one["target"], one["protected"]) == (newest[0], one["commit"]["id"], True)
    assert one["release"] == {"tag_name": newest[0], "description": one["message"]}
    missing = api.get(f"{path}/v0")
    assert (missing.status_code, missing.json()) == (404, {"message": "404 Tag Not Found"})
    refused = api.get(path, params={"sort": "sideways"})
    assert (refused.status_code, refused.json()) == (
        422, {"message": "422 Unprocessable Entity"},
    )  # fmt: skip
    assert api.get(path, params={"order_by": "size"}).status_code == 400


def test_branches_say_who_may_push_and_match_patterns(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """Protected ones are for maintainers; `regex` finds, and what is no pattern is refused."""
    path = in_project(still_platform, "repository/branches")
    showcase = still_platform.platform.showcase
    for level, onto_main in (("DEVELOPER", False), ("MAINTAINER", True)):
        token = token_of(still_platform, person_of_level(still_platform, showcase, level))
        with api_client(still_platform, token) as client:
            found = client.get(path, params={"per_page": 100}).json()
        assert {one["can_push"] for one in found if one["protected"]} == {onto_main}
        assert {one["can_push"] for one in found if not one["protected"]} <= {True}
    every = [one["name"] for one in api.get(path, params={"per_page": 100}).json()]
    found = api.get(path, params={"regex": "^(feature|fix)/", "per_page": 100}).json()
    assert [one["name"] for one in found] == [
        name for name in every if name.startswith(("feature/", "fix/"))
    ]
    for pattern in ("(", "(?=a)", "x" * 101):
        refused = api.get(path, params={"regex": pattern})
        assert (refused.status_code, refused.json()) == (400, {"error": "regex is invalid"})
    for sort, reverse in (("updated_asc", False), ("updated_desc", True)):
        dates = [
            one["commit"]["committed_date"] for one in api.get(path, params={"sort": sort}).json()
        ]
        assert dates == sorted(dates, reverse=reverse)
    assert api.get(path, params={"sort": "sideways"}).status_code == 422
    heads = [api.head(f"{path}/{name}").status_code for name in ("main", "nothing")]
    assert heads == [204, 404]


def test_a_commit_is_found_by_hash_branch_and_tag(
    api: httpx.Client, still_platform: RunningEmulator
) -> None:
    """And says how the newest pipeline on it ended."""
    pipeline = api.get(in_project(still_platform, "pipelines"), params={"status": "failed"}).json()
    path = in_project(still_platform, "repository/commits")
    body = api.get(f"{path}/{pipeline[0]['sha']}").json()
    assert (body["id"], body["short_id"]) == (pipeline[0]["sha"], pipeline[0]["sha"][:8])
    assert body["status"] in {"failed", "success", "running", "pending", "canceled"}
    assert api.get(f"{path}/{body['short_id']}").json() == body
    assert api.get(f"{path}/main").status_code == 200
    missing = api.get(f"{path}/{'0' * 40}")
    assert (missing.status_code, missing.json()) == (404, {"message": "404 Commit Not Found"})
