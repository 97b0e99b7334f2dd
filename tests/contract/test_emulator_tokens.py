"""Access tokens that are good, not good enough, and no longer good (spec §5.2, §7)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, ask, credentials, in_project, running_platform

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

KINDS = ("personal", "project", "group")
EXPIRED = {
    "error": "invalid_token",
    "error_description": "Token is expired. You can either do re-authorization or token refresh.",
}
REVOKED = {
    "error": "invalid_token",
    "error_description": "Token was revoked. You have to re-authorize from the user.",
}
HIGHER = "The request requires higher privileges than provided by the access token."
SELF = "personal_access_tokens/self"
SELF_FIELDS = {
    "id", "name", "revoked", "created_at", "description", "scopes", "user_id", "last_used_at",
    "active", "expires_at",
}  # fmt: skip


@pytest.fixture(scope="module")
def dated() -> Iterator[tuple[RunningEmulator, FakeClock]]:
    """Run a platform whose days pass by hand."""
    clock = FakeClock()
    with running_platform(clock=clock) as platform:
        yield platform, clock


@pytest.fixture(scope="module")
def keys(platform: RunningEmulator) -> dict[str, Any]:
    """Hold a credential of every kind."""
    return credentials(platform)


def _ask(
    platform: RunningEmulator, token: str, path: str = "user", method: str = "GET"
) -> httpx.Response:
    with api_client(platform, token=token) as client:
        return client.request(method, path)


def _end(platform: RunningEmulator, how: str, token: str) -> httpx.Response:
    address = f"{platform.base_url}/-/emulator/{how}"
    return ask("POST", address, data={"token": token})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("state", "body"), [("expired", EXPIRED), ("revoked", REVOKED)])
def test_a_token_that_is_no_longer_good_says_why(
    platform: RunningEmulator, keys: dict[str, Any], kind: str, state: str, body: dict[str, str]
) -> None:
    """401 without a `message`, in words of its own; in either header."""
    token = keys[f"{kind}_{state}"]
    for headers in ({"private-token": token}, {"AUTHORIZATION": f"bearer {token}"}):
        answer = ask("GET", f"{platform.base_url}/api/v4/user", headers=headers)
        assert (answer.status_code, answer.json()) == (401, body)
        assert "RateLimit-Limit" not in answer.headers


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_without_a_scope_for_the_api_is_known_and_refused(
    platform: RunningEmulator, keys: dict[str, Any], kind: str
) -> None:
    """403 that names what would do: either scope to read, `api` to write."""
    token = keys[f"{kind}_without_scope"]
    for method, path, scope in (
        ("GET", in_project(platform), "api read_api"),
        ("HEAD", in_project(platform), ""),
        ("POST", in_project(platform, "pipeline?ref=main"), "api"),
    ):
        answer = _ask(platform, token, path, method)
        assert answer.status_code == 403
        if scope:
            wanted = {"error": "insufficient_scope", "error_description": HIGHER, "scope": scope}
            assert answer.json() == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_for_reading_reads_everything_and_writes_nothing(
    platform: RunningEmulator, keys: dict[str, Any], kind: str
) -> None:
    """The scope is looked at before the request: a write without parameters is 403, not 400."""
    token = keys[f"{kind}_read_only"]
    for path in ("", "pipelines", "jobs", "pipeline_schedules"):
        assert _ask(platform, token, in_project(platform, path)).status_code == 200
    for path in ("projects", in_project(platform, "pipeline_schedules")):
        answer = _ask(platform, token, path, "POST")
        assert (answer.status_code, answer.json()["scope"]) == (403, "api")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("suffix", "scopes"),
    [
        ("", ["api"]),
        ("_read_only", ["read_api"]),
        ("_without_scope", ["read_repository"]),
        ("_expiring_soon", ["api"]),
    ],
)
def test_a_token_tells_about_itself(
    platform: RunningEmulator, keys: dict[str, Any], kind: str, suffix: str, scopes: list[str]
) -> None:
    """Whatever its scopes: ten fields, and never its own text."""
    answer = _ask(platform, keys[f"{kind}{suffix}"], SELF)
    body = answer.json()
    assert answer.status_code == 200
    assert body.keys() == SELF_FIELDS
    assert (body["scopes"], body["active"], body["revoked"]) == (scopes, True, False)
    assert body["user_id"] == _ask(platform, keys[kind]).json()["id"]
    assert keys[f"{kind}{suffix}"] not in answer.text
    ids = {_ask(platform, keys[f"{one}{suffix}"], SELF).json()["id"] for one in KINDS}
    assert len(ids) == len(KINDS)


def test_a_token_can_withdraw_itself(platform_with: PlatformFactory) -> None:
    """204, whatever its scopes; from then on it is refused as revoked, and its sister is not."""
    platform = platform_with()
    keys = credentials(platform)
    for name in ("personal", "group_read_only", "project_without_scope"):
        gone = _ask(platform, keys[name], SELF, "DELETE")
        assert (gone.status_code, gone.content) == (204, b"")
        assert _ask(platform, keys[name], SELF).json() == REVOKED
    assert _ask(platform, keys["personal_second"], SELF).status_code == 200


def test_a_token_ends_on_its_day(dated: tuple[RunningEmulator, FakeClock]) -> None:
    """`expires_at` is a promise: three days on, the token is refused as expired."""
    platform, clock = dated
    token = credentials(platform)["personal_expiring_soon"]
    ends = date.fromisoformat(_ask(platform, token, SELF).json()["expires_at"])
    assert ends - clock.now().date() == timedelta(days=3)
    clock.jump(3 * 86_400 - 12 * 3600)
    assert _ask(platform, token).status_code == 200
    clock.jump(12 * 3600)
    answer = _ask(platform, token)
    assert (answer.status_code, answer.json()) == (401, EXPIRED)
    assert _ask(platform, platform.token, SELF).json()["expires_at"] is None


@pytest.mark.parametrize(("how", "body"), [("expire", EXPIRED), ("revoke", REVOKED)])
def test_the_desk_ends_any_credential(
    platform_with: PlatformFactory, how: str, body: dict[str, str]
) -> None:
    """Access tokens say how they ended; a trigger token is a wrong one; a key is told."""
    platform = platform_with()
    second, trigger = credentials(platform)["personal_second"], platform.trigger_token
    for token in (platform.token, trigger, platform.admin_key):
        assert _end(platform, how, token).json() == {f"{how}d": True}
    assert _end(platform, how, "guess").status_code == 404
    assert _ask(platform, platform.token).json() == body
    assert _ask(platform, second).status_code == 200
    with api_client(platform, token="") as nobody:
        form = {"token": trigger, "ref": "main"}
        triggered = nobody.post(in_project(platform, "trigger/pipeline"), data=form)
    assert (triggered.status_code, triggered.json()) == (404, {"message": "404 Not Found"})
    report = ask(
        "GET",
        f"{platform.admin_url}/api/v1/reporting/report",
        headers={"Authorization": f"Bearer {platform.admin_key}"},
    )
    assert (report.status_code, report.json()) == (401, body)


def test_somebody_who_is_blocked_does_not_come_in(
    platform: RunningEmulator, keys: dict[str, Any]
) -> None:
    """The token is good, its owner is not: 403 in words."""
    for path in ("user", "projects", SELF):
        answer = _ask(platform, keys["blocked_personal"], path)
        assert answer.status_code == 403
        assert answer.json() == {"message": "403 Forbidden - Your account has been blocked."}


@pytest.mark.parametrize("kind", KINDS)
def test_what_every_caller_may_ask(
    platform: RunningEmulator, keys: dict[str, Any], kind: str
) -> None:
    """User, version, metadata, and a namespace by id and by path."""
    token = keys[kind]
    version = _ask(platform, token, "version").json()
    metadata = _ask(platform, token, "metadata").json()
    assert version.items() <= metadata.items()
    assert metadata["kas"]["enabled"] is False
    with api_client(platform) as person:
        mine = person.get("namespaces", params={"per_page": 100}).json()
        for one in mine[:3]:
            for name in (one["id"], one["full_path"].replace("/", "%2F")):
                assert person.get(f"namespaces/{name}").json() == one
    hidden = next(one for one in mine if one["kind"] == "user")
    if kind != "personal":
        answer = _ask(platform, token, f"namespaces/{hidden['id']}")
        assert answer.status_code == 404
        assert answer.json() == {"message": "404 Namespace Not Found"}


def test_the_desk_says_of_each_credential_what_it_is_for(keys: dict[str, Any]) -> None:
    """Every kind is there, each token once, with its owner, its header and a reason."""
    listed = keys["credentials"]
    assert {one["kind"] for one in listed} == {*KINDS, "trigger", "job", "organization"}
    tokens = [one["token"] for one in listed if one["token"] is not None]
    assert len(tokens) == len(set(tokens))
    for one in listed:
        assert keys[one["name"]] == one["token"]
        assert one["owner"]
        assert one["sent_as"]
        assert one["why"].endswith(".")
    lists = keys["allowlists"]
    assert lists["off"]
    assert any(len(listed) > 1 for listed in lists["listing"].values())
    assert any(path.startswith("acme/platform/shared/") for path in lists["public_or_internal"])
