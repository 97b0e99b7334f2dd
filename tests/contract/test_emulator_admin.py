"""The administration API (spec 2.1, 4.2, 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.platform import api_client, ask, credentials

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import httpx

    from platui.emulator.server import RunningEmulator


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
    assert {str(one["id"]): one["path_with_namespace"] for one in listed}.items() <= {
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
