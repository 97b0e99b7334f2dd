"""The scenario `hostile`: every text an attack, and still a platform that one can work with."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, ask, credentials, in_project, running_platform

from platui_emulator.http.variants import spec_only as fields
from platui_emulator.http.variants.attacks import PAYLOADS, RARE, all_bare, bare, poisoned, wrapped
from platui_emulator.http.variants.hostile import LINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.server import RunningEmulator

compared = pytest.mark.variants("default", reason="it is compared with the fixtures' platform")

PATHS = (
    "projects?per_page=100",
    "namespaces",
    "user",
    "{project}",
    "{project}/pipelines?per_page=100",
    "{project}/pipelines/{pipeline}",
    "{project}/pipelines/{pipeline}/jobs?per_page=100",
    "{project}/jobs?per_page=100",
    "{project}/jobs/{job}",
    "{project}/pipeline_schedules",
    "{project}/repository/branches",
    "{project}/repository/tags",
    "{project}/repository/tree?ref=main",
)
LEFT_ALONE = re.compile(
    r"(_at|_date|status|state|kind|type|visibility|source|encoding|format|cron|timezone|url"
    r"|url_to_repo|details_path|favicon)$"
)


@pytest.fixture(scope="module")
def hostile(hostile_platform: RunningEmulator) -> RunningEmulator:
    """Return the platform by a shorter name."""
    return hostile_platform


@pytest.fixture(scope="module")
def client(hostile: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a plain client on it."""
    with api_client(hostile) as opened:
        yield opened


@pytest.fixture(scope="module")
def answers(still_platform: RunningEmulator, client: httpx.Client) -> list[tuple[Any, Any]]:
    """Return the answers of the honest platform and of the hostile one to the same questions."""
    with api_client(still_platform) as other:
        project = in_project(still_platform)
        pipeline = other.get(f"{project}/pipelines?status=failed").json()[0]["id"]
        job = other.get(f"{project}/pipelines/{pipeline}/jobs").json()[0]["id"]
        names = {"project": project, "pipeline": pipeline, "job": job}
        asked = [path.format(**names) for path in PATHS]
        return [(other.get(path).json(), client.get(path).json()) for path in asked]


def texts(honest: Any, hostile: Any, key: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the name, the honest and the hostile form of every text that is in both answers."""
    if isinstance(honest, dict) and isinstance(hostile, dict):
        for name in honest.keys() & hostile.keys():
            yield from texts(honest[name], hostile[name], name)
    elif isinstance(honest, list) and isinstance(hostile, list):
        known = {one["id"]: one for one in hostile if isinstance(one, dict) and "id" in one}
        for number, one in enumerate(honest):
            # Other tests may have written to either platform: places in a list say nothing.
            has_id = isinstance(one, dict) and "id" in one
            other = known.get(one["id"]) if has_id else hostile[number]
            yield from texts(one, other, key)
    elif isinstance(honest, str) and isinstance(hostile, str):
        yield key, honest, hostile


@compared
def test_every_text_carries_attacks_and_is_itself_without_them(
    answers: list[tuple[Any, Any]],
) -> None:
    """All but words and moments, which a client has to understand, carry two of them."""
    seen = [text for honest, hostile in answers for text in texts(honest, hostile)]
    plain = [text for text in seen if not LEFT_ALONE.search(text[0])]
    assert len(plain) > 2_000
    for name, honest, hostile in plain:
        if "sha256" not in name:
            assert hostile == poisoned(honest), name
            assert bare(hostile) == honest != hostile, name
    words = [text for text in seen if text[0] in {"status", "created_at"}]
    odd = [text for text in words if text[1] != text[2]]
    assert 0 < len(odd) < len(words) / 5
    assert {name for name, _, _ in odd} == {"status", "created_at"}


@compared
def test_every_attack_occurs(answers: list[tuple[Any, Any]]) -> None:
    """In the few answers that one walk sees."""
    seen = json.dumps([hostile for _, hostile in answers], ensure_ascii=False)
    missing = [
        payload
        for payload in (*PAYLOADS, *RARE)
        if json.dumps(wrapped(payload), ensure_ascii=False)[1:-1] not in seen
    ]
    assert missing == []


@compared
def test_few_records_have_no_shape(answers: list[tuple[Any, Any]]) -> None:
    """Some do, most do not, and all projects are there."""
    lists = [(one, other) for one, other in answers if isinstance(one, list)]
    items = [item for _, hostile in lists for item in hostile]
    odd = [item for item in items if not isinstance(item, dict) or "id" not in item]
    assert 0 < len(odd) < len(items) / 10
    honest, hostile = lists[0]
    assert {one["id"] for one in honest} <= {
        one["id"] for one in hostile if isinstance(one, dict) and "id" in one
    }


@compared
def test_links_lead_elsewhere(answers: list[tuple[Any, Any]]) -> None:
    """Other hosts, other schemes, and control characters in what has the right host."""
    links = [
        text
        for one, other in answers
        for name, _, text in texts(one, other)
        if name.endswith("_url")
    ]
    for sign in ("javascript:", "https://evil.example/", "@evil.example", "file:", "\x1b", "\r\n"):
        assert any(sign in link for link in links), sign


def test_the_same_question_has_the_same_answer(
    hostile: RunningEmulator, client: httpx.Client
) -> None:
    """Byte for byte, so that watching comes to rest; its odd ETag is understood."""
    path = in_project(hostile, "jobs")
    first, second = client.get(path), client.get(path)
    assert first.content == second.content
    tag = dict(first.headers.raw)[b"etag"]
    assert b"\x9d" in tag
    raw: list[tuple[bytes, bytes]] = [(b"If-None-Match", tag)]
    assert client.get(path, headers=raw).status_code == 304


def test_what_a_client_sends_back_is_understood(
    hostile: RunningEmulator, client: httpx.Client
) -> None:
    """Paths, refs, file and branch names with their attacks, in address, query and body."""
    project = client.get(in_project(hostile)).json()
    path = project["path_with_namespace"]
    assert path != hostile.project == bare(path)
    ref = project["default_branch"]
    pipelines = client.get(in_project(hostile, "pipelines", project=path), params={"ref": ref})
    listed = [one["ref"] for one in pipelines.json() if isinstance(one, dict) and "ref" in one]
    assert listed
    assert {*listed} == {ref}
    tree = client.get(in_project(hostile, "repository/tree", project=path), params={"ref": ref})
    entry = next(
        one["path"]
        for one in tree.json()
        if isinstance(one, dict) and bare(one.get("path", "")).endswith(".yml")
    )
    place = in_project(hostile, f"repository/files/{quote(entry, safe='')}", project=path)
    file = client.get(place, params={"ref": ref}).json()
    content = base64.b64decode(file["content"])
    assert (file["file_path"], file["size"]) == (entry, len(content))
    assert file["content_sha256"] == hashlib.sha256(content).hexdigest()
    assert b"\x1b]52" in content
    assert b"\xff\xfe" in content
    new = {"description": poisoned("nightly"), "ref": ref, "cron": "0 1 * * *"}
    made = client.post(in_project(hostile, "pipeline_schedules", project=path), json=new)
    assert made.status_code == 201
    assert made.json()["description"] == poisoned("nightly")


def test_headers_are_as_hostile_as_http_allows(
    hostile: RunningEmulator, client: httpx.Client
) -> None:
    """Another origin in `Link`, C1 characters, and no number where one should be."""
    answer = client.get("projects", params={"per_page": 5})
    raw = {name.decode(): value for name, value in answer.headers.raw}
    assert b'<https://evil.example/api/v4/projects?page=2&per_page=5>; rel="next"' in raw["link"]
    assert hostile.base_url.encode() not in raw["link"]
    for name in ("x-next-page", "x-total", "ratelimit-limit", "ratelimit-remaining"):
        assert not raw[name].isdigit() or len(raw[name]) > 15
    log = client.get(in_project(hostile, f"jobs/{_ended_job(hostile, client)}/trace"))
    assert (
        ".." in log.headers["content-disposition"] or "/etc" in log.headers["content-disposition"]
    )


def test_a_log_is_hostile_and_can_be_had_in_parts(
    hostile: RunningEmulator, client: httpx.Client
) -> None:
    """Between its own lines; a range is one of the bytes that were seen."""
    path = in_project(hostile, f"jobs/{_ended_job(hostile, client)}/trace")
    whole = client.get(path).content
    lines = whole.split(b"\n")
    assert sum(line in LINES for line in lines) > 5
    assert any(line.startswith(b"Running with") for line in lines) or b"Job " in whole
    part = client.get(path, headers={"Range": "bytes=50-"})
    assert (part.status_code, part.content) == (206, whole[50:])


def test_refusals_are_hostile(hostile: RunningEmulator) -> None:
    """Their words, not their status."""
    with api_client(hostile, "unknown") as stranger:
        refused = stranger.get("projects")
    assert refused.status_code == 401
    assert refused.json() == {"message": poisoned("401 Unauthorized")}


def test_the_report_is_hostile(hostile: RunningEmulator) -> None:
    """Names, paths, addresses; its shape is the spec's, for what has another is not read at all."""
    address = f"{hostile.admin_url}/api/v1/reporting/report"
    headers = {"Authorization": f"Bearer {hostile.admin_key}"}
    report = ask("GET", address, headers=headers).json()
    users = report["users"]
    for number, user in users.items():
        assert number.isdigit()
        assert user["email"] != bare(user["email"])
        assert "@" in bare(user["email"])
    assert any("unknown" in map(bare, user) for user in users.values())
    groups = [*report["platform"]["groups"].values()]
    assert groups
    levels = {
        member["max_access_level"] for group in groups for member in group["members"].values()
    }
    assert "DEVELOPER" in levels
    assert "OWNER" in set(map(bare, levels))
    assert all(group["path"] != bare(group["path"]) for group in groups)


def test_it_can_be_hostile_and_no_more_than_the_spec_at_once() -> None:
    """One variant over the other: the spec's fields poisoned, and what is sent back understood."""
    with (
        running_platform(scenario="hostile", spec_only=True, clock=FakeClock()) as both,
        api_client(both) as client,
    ):
        projects = client.get("projects", params={"per_page": 100})
        path = in_project(both, "pipelines", project=poisoned(both.project))
        pipelines = client.get(path, params={"status": "failed"})
        neighbour = client.get(in_project(both))
    assert "link" not in projects.headers
    for project in projects.json():
        assert {bare(name) for name in project} <= {"id", "description", "name", "unknown"}
        assert project["name"] == poisoned(bare(project["name"])) != bare(project["name"])
    listed = [one for one in pipelines.json() if isinstance(one, dict) and "ref" in one]
    assert {bare(name) for one in listed for name in one} - {"unknown"} == {
        *fields.PIPELINE_SUMMARY
    }
    assert len({bare(one["status"]) for one in listed}) > 1
    assert (neighbour.status_code, neighbour.json()) == (404, {"error": poisoned("404 Not Found")})


def test_the_desk_stays_honest(hostile: RunningEmulator) -> None:
    """Announcement and credentials have no attacks in them."""
    for said in (hostile.announcement(), credentials(hostile)):
        assert all_bare(said) == said


def _ended_job(hostile: RunningEmulator, client: httpx.Client) -> int:
    listed = client.get(in_project(hostile, "jobs?per_page=100")).json()
    return next(
        int(one["id"])
        for one in listed
        if isinstance(one, dict) and one.get("status") in {"success", "failed"}
    )
