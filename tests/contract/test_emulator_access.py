"""Credentials, roles and visibility (spec §5), and the refusals that go with them (spec §7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.support.platform import api_client, ask, credentials, in_project

from platui_emulator.http.credentials import Kind

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

UNAUTHORIZED = {"message": "401 Unauthorized"}


@pytest.fixture(scope="module")
def keys(platform: RunningEmulator) -> dict[str, Any]:
    """Hold a credential of every kind."""
    return credentials(platform)


@pytest.mark.parametrize("kind", ["personal", "personal_second", "project", "group"])
def test_each_kind_of_access_token_opens_the_project(
    platform: RunningEmulator, keys: dict[str, Any], kind: str
) -> None:
    """Spec §5.2: personal, project and group tokens are sent alike."""
    for headers in (
        {"private-token": keys[kind]},
        {"PRIVATE-TOKEN": keys[kind]},
        {"Authorization": f"Bearer {keys[kind]}"},
    ):
        answer = ask("GET", f"{platform.base_url}/api/v4/{in_project(platform)}", headers=headers)
        assert answer.status_code == 200
        assert answer.json()["path_with_namespace"] == platform.project


@pytest.mark.parametrize("path", ["projects", "namespaces", "user", "version", "projects/1"])
def test_without_a_credential_there_is_nothing(platform: RunningEmulator, path: str) -> None:
    """Spec §7: 401 with one field `message`, and no word on the quota of nobody."""
    with api_client(platform, token="") as nobody, api_client(platform, token="guess") as guesser:
        for client in (nobody, guesser):
            answer = client.get(path)
            assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED)
            assert "RateLimit-Limit" not in answer.headers


@pytest.mark.parametrize("kind", ["trigger", "admin_key"])
def test_other_kinds_of_keys_are_no_access_tokens(
    platform: RunningEmulator, keys: dict[str, Any], kind: str
) -> None:
    """A trigger token triggers only; the organization's key is for the administration API."""
    with api_client(platform, token=keys[kind]) as client:
        assert client.get("projects").json() == UNAUTHORIZED


def test_a_token_of_another_seed_is_unknown(
    platform: RunningEmulator, platform_with: PlatformFactory
) -> None:
    """Tokens are made from the seed."""
    with api_client(platform_with(seed=8), token=platform.token) as client:
        assert client.get("user").status_code == 401


def test_a_project_token_sees_its_project_and_what_is_public(
    platform: RunningEmulator, keys: dict[str, Any]
) -> None:
    """Private and internal projects do not exist for a guest bot; they are 404, not 403."""
    with api_client(platform, token=keys["project"]) as bot, api_client(platform) as person:
        seen = bot.get("projects", params={"per_page": 100}).json()
        every = person.get("projects", params={"per_page": 100}).json()
        assert platform.project in {one["path_with_namespace"] for one in seen}
        others = [one for one in seen if one["path_with_namespace"] != platform.project]
        assert {one["visibility"] for one in others} == {"public"}
        assert len(seen) < len(every)
        hidden = next(
            one["id"]
            for one in every
            if one["visibility"] == "private" and one["path_with_namespace"] != platform.project
        )
        answer = bot.get(f"projects/{hidden}/pipelines")
        missing = bot.get("projects/999999999/pipelines")
        assert bot.get("user").json()["bot"] is True
    assert (answer.status_code, answer.json()) == (404, {"message": "404 Project Not Found"})
    assert (missing.status_code, missing.json()) == (404, answer.json())


def test_a_group_token_sees_what_lies_below_its_group(
    platform: RunningEmulator, keys: dict[str, Any]
) -> None:
    """Group tokens inherit downwards only."""
    group = platform.project.rpartition("/")[0]
    with api_client(platform, token=keys["group"]) as bot:
        seen = bot.get("projects", params={"membership": "true", "per_page": 100}).json()
    paths = {one["path_with_namespace"] for one in seen}
    assert platform.project in paths
    assert all(path.startswith(f"{group}/") for path in paths)


def test_a_read_only_token_may_not_write(platform: RunningEmulator, keys: dict[str, Any]) -> None:
    """A token with the scope for reading gets all GETs and a 403 that names the missing scope."""
    with api_client(platform, token=keys["personal_read_only"]) as client:
        assert client.get(in_project(platform, "pipelines")).status_code == 200
        for path in ("pipeline", "pipeline_schedules"):
            answer = client.post(in_project(platform, path), params={"ref": "main"})
            assert answer.status_code == 403
            assert answer.json()["error"] == "insufficient_scope"
            assert answer.json()["scope"] == "api"
        assert client.post("projects", json={"name": "mine"}).status_code == 403


def test_a_guest_of_a_project_may_look_but_not_start(platform: RunningEmulator) -> None:
    """Below developer, writing is 403; a project that is open to all is there for everybody."""
    outsider, project = _outsider(platform)
    with api_client(platform, token=outsider) as client:
        path = f"projects/{quote(project, safe='')}"
        assert client.get(f"{path}/pipelines").status_code == 200
        answer = client.post(f"{path}/pipeline", params={"ref": "main"})
    assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})


def test_an_expired_token_says_so_in_another_shape(platform_with: PlatformFactory) -> None:
    """An expired token answers 401 with `error` and `error_description`; its sister lives on."""
    platform = platform_with()
    second = credentials(platform)["personal_second"]
    said = ask("POST", f"{platform.base_url}/-/emulator/expire", data={"token": platform.token})
    with api_client(platform) as old, api_client(platform, token=second) as new:
        answer = old.get("user")
        assert new.get("user").status_code == 200
    assert said.json() == {"expired": True}
    assert answer.status_code == 401
    assert answer.json()["error"] == "invalid_token"
    assert answer.json()["error_description"].startswith("Token is expired.")


def test_only_a_real_token_can_be_made_to_expire(platform: RunningEmulator) -> None:
    """The desk says when it does not know a token."""
    answer = ask("POST", f"{platform.base_url}/-/emulator/expire", data={"token": "guess"})
    assert answer.status_code == 404


def test_the_user_of_a_token_is_told(platform: RunningEmulator, keys: dict[str, Any]) -> None:
    """`/user` names the owner of the token."""
    with api_client(platform) as first, api_client(platform, token=keys["personal_second"]) as two:
        assert first.get("user").json() == two.get("user").json()
        assert first.get("user").json()["username"] == keys["user"]


READING = (
    "projects", "namespaces", "{p}/pipelines", "{p}/pipelines/{pipeline}",
    "{p}/pipelines/{pipeline}/jobs", "{p}/jobs", "{p}/jobs/{job}", "{p}/jobs/{job}/trace",
    "{p}/repository/files/README.md?ref=main",
)  # fmt: skip
WRITING = ("projects", "{p}/pipeline", "{p}/pipeline_schedules")


@pytest.fixture(scope="module")
def places(platform: RunningEmulator) -> dict[str, str]:
    """Say what stands for the names in the paths of spec 4.3."""
    with api_client(platform) as client:
        job = client.get(in_project(platform, "jobs")).json()[0]
    return {"p": in_project(platform), "pipeline": job["pipeline"]["id"], "job": job["id"]}


@pytest.mark.parametrize("kind", ["personal", "project", "group"])
def test_rule_1_access_tokens_open_all_but_the_trigger(
    platform: RunningEmulator, keys: dict[str, Any], places: dict[str, str], kind: str
) -> None:
    """Spec §5.2: every endpoint of 4.3; the trigger has a credential of its own."""
    with api_client(platform, token=keys[kind]) as client:
        for path in READING:
            assert client.get(path.format(**places)).status_code == 200
        for path in WRITING[1:]:
            assert client.post(path.format(**places)).status_code == 400
        trigger = in_project(platform, "trigger/pipeline")
        for token, status in (("", 404), (keys[kind], 404), (keys["trigger"], 201)):
            form = {"token": token, "ref": "main"}
            assert client.post(trigger, data=form).status_code == status


@pytest.mark.parametrize(
    "kind", ["trigger", "admin_key", "admin_key_without_scope", "job_finished"]
)
def test_rule_1_other_credentials_open_none_of_it(
    platform: RunningEmulator, keys: dict[str, Any], places: dict[str, str], kind: str
) -> None:
    """Spec §5.2: scoped to triggering only, to the other API, or to specific endpoints."""
    with api_client(platform, token=keys[kind]) as client:
        for method, paths in (("GET", READING), ("POST", WRITING)):
            for path in paths:
                answer = client.request(method, path.format(**places))
                assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED)


def test_rule_5_tokens_are_secrets(platform: RunningEmulator, keys: dict[str, Any]) -> None:
    """However a secret is sent, the journal does not have it, and no answer repeats it."""
    secret = keys["trigger"]
    names = ("token", "private_token", "job_token", "variables[][secret_value]")
    with api_client(platform, token=keys["personal"]) as client:
        for name in names:
            for query in ({name: secret, "page": "1"}, {"page": "1", name: secret}):
                answer = client.get("projects", params=query)
                assert secret not in answer.text
        wrong = client.post(in_project(platform, "trigger/pipeline"), params={"token": secret})
        assert secret not in wrong.text
        journal = client.get(f"{platform.base_url}/-/emulator/requests").text
    assert "variables%5B%5D%5Bsecret_value%5D=***" in journal
    assert secret not in journal
    assert keys["personal"] not in journal


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"PRIVATE-TOKEN": ""},
        {"PRIVATE-TOKEN": "guess"},
        {"PRIVATE-TOKEN": "personal-2001.1-00000000000000000000"},
        {"PRIVATE-TOKEN": "personal-2001.99-00000000000000000000"},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer guess"},
        {"Authorization": "Basic Z3Vlc3M6Z3Vlc3M="},
        {"JOB-TOKEN": "guess"},
        {"Cookie": "session=guess"},
    ],
)
def test_rule_6_invalid_or_missing_credentials_are_401(
    platform: RunningEmulator, places: dict[str, str], headers: dict[str, str]
) -> None:
    """Spec §5.2 rule 6 and §7: one field `message`, for every endpoint of 4.3."""
    with api_client(platform, token="") as client:
        for method, paths in (("GET", READING), ("POST", WRITING)):
            for path in paths:
                answer = client.request(method, path.format(**places), headers=headers)
                assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED)


def _outsider(platform: RunningEmulator) -> tuple[str, str]:
    """Return a token and an open project in which its owner has no role."""
    issue = platform.platform.credentials.issue
    for person in platform.platform.world.people():
        if person.bot or person.state != "active":
            continue
        token = issue(Kind.PERSONAL, person.id)
        with api_client(platform, token=token) as client:
            for one in client.get("projects", params={"per_page": 100}).json():
                roles = one["permissions"]
                if not roles["project_access"] and not roles["group_access"]:
                    return token, one["path_with_namespace"]
    pytest.fail("everybody has a role everywhere")
