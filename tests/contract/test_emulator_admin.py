"""The administration API (spec 2.1, 4.2, 5.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.openapi import fits
from tests.support.platform import api_client, ask, credentials

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import httpx
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator


def _get(platform: RunningEmulator, path: str, key: str | None = None) -> httpx.Response:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return ask("GET", f"{platform.admin_url}/api/v1/{path}", headers=headers)


def _groups(level: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for group_id, group in level.items():
        yield group_id, group
        yield from _groups(group.get("subgroups", {}))


def test_the_report_tells_who_may_do_what(platform: RunningEmulator) -> None:
    """Spec 2.1: nested groups with members and projects, and every user that is named."""
    answer = _get(platform, "reporting/report", platform.admin_key)
    report = answer.json()
    assert answer.status_code == 200
    assert report.keys() == {"platform", "users"}
    groups = dict(_groups(report["platform"]["groups"]))
    projects: dict[str, dict[str, Any]] = {}
    members: list[tuple[str, dict[str, str]]] = []
    for group in groups.values():
        assert {"name", "path", "members"} <= group.keys()
        assert all(
            one["path"].startswith(f"{group['path']}/")
            for _, one in _groups(group.get("subgroups", {}))
        )
        projects |= group.get("projects", {})
        members += group["members"].items()
    for project in projects.values():
        assert project.keys() == {"name", "path", "members"}
        members += project["members"].items()
    assert any("subgroups" in group for group in groups.values())
    assert members
    for user_id, member in members:
        assert user_id in report["users"]
        assert member.keys() == {"max_access_level"}
        assert member["max_access_level"].isupper()
    assert all(key.isdigit() for key in {*groups, *projects, *report["users"]})
    for user in report["users"].values():
        assert user.keys() == {"email", "name", "service_identity_uuid", "state", "username"}
    with api_client(platform) as api:
        listed = api.get("projects", params={"per_page": 100}).json()
    # Other tests make projects of a user's own; the report is on the groups' and their people.
    grouped = [one for one in listed if one["namespace"]["kind"] == "group"]
    assert grouped
    assert {str(one["id"]): one["path_with_namespace"] for one in grouped}.items() <= {
        key: project["path"] for key, project in projects.items()
    }.items()


def test_the_report_needs_a_key_with_its_scope(platform: RunningEmulator) -> None:
    """Spec 5.1: no key, a key of the other API, and a key without the scope."""
    keys = credentials(platform)
    for wrong in (None, "guess", platform.token, keys["trigger"]):
        answer = _get(platform, "reporting/report", wrong)
        assert (answer.status_code, answer.json()) == (401, {"message": "401 Unauthorized"})
    answer = _get(platform, "reporting/report", keys["admin_key_without_scope"])
    assert answer.status_code == 403
    assert "reporting" in answer.json()["message"]


def test_the_report_has_no_quota(platform: RunningEmulator) -> None:
    """Spec §8 limits the project API only."""
    answer = _get(platform, "reporting/report", platform.admin_key)
    assert not [name for name in answer.headers if name.lower().startswith("ratelimit")]


def test_the_api_documents_itself(platform: RunningEmulator) -> None:
    """Spec §9: a page to read, and OpenAPI 3 whose references all lead somewhere."""
    page = _get(platform, "docs")
    document = _get(platform, "openapi.json").json()
    assert page.headers["Content-Type"].startswith("text/html")
    assert 'id="/reporting"' in page.text
    assert "openapi.json" in page.text
    assert document["openapi"].startswith("3.")
    assert document["servers"] == [{"url": f"{platform.admin_url}/api/v1"}]
    assert list(document["paths"]) == ["/reporting/report"]
    schemas = document["components"]["schemas"]
    for reference in _references(document):
        assert reference.removeprefix("#/components/schemas/") in schemas


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref":
                yield inner
            else:
                yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def test_other_paths_and_verbs_are_refused(platform: RunningEmulator) -> None:
    """There is one operation, and it is read."""
    assert _get(platform, "reporting", platform.admin_key).status_code == 404
    posted = ask("POST", f"{platform.admin_url}/api/v1/reporting/report")
    assert posted.status_code == 405


def test_rule_5_1_1_the_key_comes_as_a_bearer_token(platform: RunningEmulator) -> None:
    """In `Authorization: Bearer` and nowhere else; the scheme in any case."""
    address, key = f"{platform.admin_url}/api/v1/reporting/report", platform.admin_key
    for headers in ({"authorization": f"bearer {key}"}, {"AUTHORIZATION": f"BEARER {key}"}):
        assert ask("HEAD", address, headers=headers).status_code == 200
    for headers in (
        {"PRIVATE-TOKEN": key},
        {"Authorization": key},
        {"Authorization": f"Basic {key}"},
    ):
        answer = ask("GET", address, headers=headers)
        assert (answer.status_code, answer.json()) == (401, {"message": "401 Unauthorized"})
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_rule_5_1_2_a_key_has_to_be_good_and_to_have_the_scope(platform: RunningEmulator) -> None:
    """A key that ended is told so; one without the scope is known and refused."""
    keys = credentials(platform)
    ended = _get(platform, "reporting/report", keys["admin_key_expired"])
    assert (ended.status_code, ended.json()["error"]) == (401, "invalid_token")
    lacking = _get(platform, "reporting/report", keys["admin_key_without_scope"])
    said = "403 Forbidden - The key does not have the scope reporting"
    assert (lacking.status_code, lacking.json()) == (403, {"message": said})


def test_rule_5_1_4_reporting_has_to_be_enabled(platform_with: PlatformFactory) -> None:
    """Opt-in per organization: until support has enabled it, the best key gets nothing."""
    platform = platform_with()
    desk = f"{platform.base_url}/-/emulator/reporting"
    assert ask("POST", desk, data={"enabled": "false"}).json() == {"enabled": False}
    answer = _get(platform, "reporting/report", platform.admin_key)
    said = "403 Forbidden - Reporting is not enabled for this organization"
    assert (answer.status_code, answer.json()) == (403, {"message": said})
    assert ask("POST", desk, data={"enabled": "true"}).json() == {"enabled": True}
    assert _get(platform, "reporting/report", platform.admin_key).status_code == 200


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json", 200),
        ("text/html,application/xhtml+xml,*/*;q=0.8", 200),
        ("application/*", 200),
        ("", 200),
        ("text/csv", 406),
        ("application/json;q=0, text/*", 406),
    ],
)
def test_the_report_is_json_or_not_at_all(
    platform: RunningEmulator, accept: str, status: int
) -> None:
    """Spec 4.2: `accept: application/json`; whoever can't take that is told."""
    headers = {"Authorization": f"Bearer {platform.admin_key}", "Accept": accept}
    answer = ask("HEAD", f"{platform.admin_url}/api/v1/reporting/report", headers=headers)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/json"


def test_the_docs_are_a_page_for_people_and_json_for_programs(platform: RunningEmulator) -> None:
    """Spec §9: the description is published at `/docs`; the page links to it as a file."""
    address = f"{platform.admin_url}/api/v1/docs"
    page = ask("GET", address, headers={"Accept": "text/html,*/*;q=0.8"})
    document = ask("GET", address, headers={"Accept": "application/json"}).json()
    assert document == _get(platform, "openapi.json").json()
    linked = re.findall(r'href="([^"#]+)"', page.text)
    assert [ask("GET", f"{address}/../{link}").status_code for link in linked] == [200]
    targets = set(re.findall(r' id="([^"]+)"', page.text))
    assert {link.removeprefix("#") for link in re.findall(r'href="(#[^"]+)"', page.text)} <= targets
    assert "/reporting" in targets
    for name in document["components"]["schemas"]:
        assert f'id="record-{name}"' in page.text
    for status in ("200", "401", "403", "406"):
        assert f"<td>{status}</td>" in page.text


def test_the_description_is_valid(platform: RunningEmulator) -> None:
    """By a public validator, where it is installed: `pip install openapi-spec-validator`."""
    validator = pytest.importorskip("openapi_spec_validator")
    validator.validate(_get(platform, "openapi.json").json())


def test_what_is_answered_is_what_is_described(platform: RunningEmulator) -> None:
    """The report, its example and each refusal fit the schemas, field by field."""
    document = _get(platform, "openapi.json").json()
    responses = document["paths"]["/reporting/report"]["get"]["responses"]
    keys = credentials(platform)
    answers = [
        _get(platform, "reporting/report", key)
        for key in (
            platform.admin_key, None, keys["admin_key_expired"], keys["admin_key_without_scope"]
        )
    ]  # fmt: skip
    assert [str(answer.status_code) for answer in answers] == ["200", "401", "401", "403"]
    for answer in answers:
        content = responses[str(answer.status_code)]["content"]["application/json"]
        assert fits(answer.json(), content["schema"], document)
        assert "example" not in content or fits(content["example"], content["schema"], document)
    assert not fits({"platform": {}}, {"$ref": "#/components/schemas/Report"}, document)
