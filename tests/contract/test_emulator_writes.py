"""Starting, scheduling and creating: every payload form (spec 4.3), and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.platform import api_client, ask, in_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

FILE = "_PIPELINE_FILE_NAME"
SCHEDULE = {"description": "Nightly", "ref": "main", "cron": "0 4 * * *"}


@pytest.fixture(scope="module")
def api(platform: RunningEmulator) -> Iterator[httpx.Client]:
    """Open a client with the token that sees most."""
    with api_client(platform) as client:
        yield client


@pytest.fixture(scope="module")
def pipeline_file(api: httpx.Client, platform: RunningEmulator) -> str:
    """Name a pipeline file at the root of the showcase."""
    entries = api.get(in_project(platform, "repository/tree"), params={"per_page": 100}).json()
    return next(str(one["path"]) for one in entries if one["path"].endswith("-ci.yml"))


@pytest.mark.parametrize(
    "variable",
    [
        {"key": FILE, "value": "{file}"},
        {"key": FILE, "variable_type": "env_var", "value": "{file}"},
        {"key": FILE, "variable_type": "env_var", "secret_value": "{file}"},
    ],
)
def test_a_pipeline_starts_with_either_form_of_variable(
    api: httpx.Client, platform: RunningEmulator, pipeline_file: str, variable: dict[str, str]
) -> None:
    """Spec 4.3: `ref` in the query, variables with `value` or `secret_value`; pending at first."""
    sent = {key: text.replace("{file}", pipeline_file) for key, text in variable.items()}
    answer = api.post(
        in_project(platform, "pipeline"), params={"ref": "main"}, json={"variables": [sent]}
    )
    body = answer.json()
    assert answer.status_code == 201
    assert (body["status"], body["ref"], body["source"]) == ("pending", "main", "api")
    assert body["started_at"] is None
    newest = api.get(in_project(platform, "pipelines"), params={"per_page": 5}).json()
    assert body["id"] in {one["id"] for one in newest}
    detail = api.get(in_project(platform, f"pipelines/{body['id']}")).json()
    assert detail["user"]["username"] == api.get("user").json()["username"]


def test_the_ref_may_stand_in_the_body_and_the_body_may_be_a_form(
    api: httpx.Client, platform: RunningEmulator, pipeline_file: str
) -> None:
    """Query and body are merged, and form fields spell lists with brackets."""
    form = {"ref": "main", "variables[][key]": FILE, "variables[][value]": pipeline_file}
    path = in_project(platform, "pipeline")
    for answer in (api.post(path, json={"ref": "main"}), api.post(path, data=form)):
        assert (answer.status_code, answer.json()["ref"]) == (201, "main")


@pytest.mark.parametrize(
    ("query", "json", "body"),
    [
        ({}, {}, {"error": "ref is missing"}),
        ({"ref": "main"}, {"variables": "A=B"}, {"error": "variables is invalid"}),
        (
            {"ref": "main"},
            {"variables": [{"value": "B"}]},
            {"error": "variables[0][key] is missing"},
        ),
        (
            {"ref": "main"},
            {"variables": [{"key": "A"}]},
            {"error": "variables[0][value] is missing"},
        ),
        (
            {"ref": "main"},
            {"variables": [{"key": "A", "value": "B", "variable_type": "magic"}]},
            {"error": "variables[0][variable_type] does not have a valid value"},
        ),
        ({"ref": "no-such-ref"}, {}, {"message": {"base": ["Reference not found"]}}),
    ],
)
def test_a_start_that_makes_no_sense_is_refused(
    api: httpx.Client,
    platform: RunningEmulator,
    query: dict[str, str],
    json: dict[str, Any],
    body: dict[str, Any],
) -> None:
    """Missing and malformed parameters, and a ref that nobody has."""
    answer = api.post(in_project(platform, "pipeline"), params=query, json=json)
    assert (answer.status_code, answer.json()) == (400, body)


def test_a_pipeline_file_that_is_not_there_is_refused(
    api: httpx.Client, platform: RunningEmulator
) -> None:
    """The company's refusal comes as `message.base`."""
    sent = {"variables": [{"key": FILE, "value": "no-such-ci.yml"}]}
    answer = api.post(in_project(platform, "pipeline"), params={"ref": "main"}, json=sent)
    assert answer.status_code == 400
    assert list(answer.json()["message"]) == ["base"]


def test_a_body_that_is_no_json_is_refused(api: httpx.Client, platform: RunningEmulator) -> None:
    """Spec §4.1: JSON is the default content type; what is something else is told so."""
    path = in_project(platform, "pipeline")
    for broken in (b"{", b"[1]", b"[" * 100_000):
        answer = api.post(path, content=broken, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400
        assert "declared format" in answer.json()["error"]
    strange = api.post(path, content=b"<a/>", headers={"Content-Type": "text/xml"})
    assert strange.status_code == 415
    huge = api.post(path, content=b" " * (2 << 20))
    assert huge.status_code == 413


@pytest.mark.parametrize("form", ["form", "multipart", "query", "json", "mixed"])
def test_a_trigger_takes_every_payload_form(
    platform: RunningEmulator, pipeline_file: str, form: str
) -> None:
    """Spec 4.3 and 5.2: the trigger token is a field and the only credential."""
    flat = {
        "token": platform.trigger_token,
        "ref": "main",
        f"variables[{FILE}]": pipeline_file,
    }
    nested = {"ref": "main", "variables": {FILE: pipeline_file}}
    path = in_project(platform, "trigger/pipeline")
    with api_client(platform, token="") as nobody:
        match form:
            case "form":
                answer = nobody.post(path, data=flat)
            case "multipart":
                files = [(name, (None, value)) for name, value in flat.items()]
                answer = nobody.post(path, files=files)
            case "query":
                answer = nobody.post(path, params=flat)
            case "json":
                answer = nobody.post(path, json={"token": platform.trigger_token, **nested})
            case _:
                answer = nobody.post(path, params={"token": platform.trigger_token}, json=nested)
    assert answer.status_code == 201
    body = answer.json()
    assert (body["status"], body["source"], body["ref"]) == ("pending", "trigger", "main")


@pytest.mark.parametrize(
    ("fields", "status", "body"),
    [
        ({}, 400, {"error": "token is missing, ref is missing"}),
        ({"token": "guess", "ref": "main"}, 404, {"message": "404 Not Found"}),
        ({"token": "{token}"}, 400, {"error": "ref is missing"}),
        (
            {"token": "{token}", "ref": "no-such-ref"},
            400,
            {"message": {"base": ["Reference not found"]}},
        ),
        (
            {"token": "{token}", "ref": "main", "variables": {"A": 1}},
            400,
            {"message": "variables needs to be a map of key-valued strings"},
        ),
    ],
)
def test_a_trigger_that_makes_no_sense_is_refused(
    platform: RunningEmulator, fields: dict[str, Any], status: int, body: dict[str, Any]
) -> None:
    """A wrong token and an unknown project sound the same."""
    sent = {
        key: platform.trigger_token if value == "{token}" else value
        for key, value in fields.items()
    }
    with api_client(platform, token="") as nobody:
        answer = nobody.post(in_project(platform, "trigger/pipeline"), json=sent)
    assert (answer.status_code, answer.json()) == (status, body)


def test_a_trigger_token_is_good_for_one_project(
    api: httpx.Client, platform: RunningEmulator
) -> None:
    """Spec 5.2: it is scoped to triggering, in its own project."""
    other = next(
        one["path_with_namespace"]
        for one in api.get("projects").json()
        if one["path_with_namespace"] != platform.project
    )
    form = {"token": platform.trigger_token, "ref": "main"}
    with api_client(platform, token="") as nobody:
        for project in (other, "no/such/project"):
            answer = nobody.post(
                in_project(platform, "trigger/pipeline", project=project), data=form
            )
            assert (answer.status_code, answer.json()) == (404, {"message": "404 Not Found"})


@pytest.mark.parametrize("as_json", [True, False])
def test_a_schedule_is_created_from_json_and_from_a_form(
    api: httpx.Client, platform: RunningEmulator, *, as_json: bool
) -> None:
    """Spec 4.3: the zone is UTC and the schedule active where nothing is said."""
    path = in_project(platform, "pipeline_schedules")
    answer = api.post(path, json=SCHEDULE) if as_json else api.post(path, data=SCHEDULE)
    body = answer.json()
    assert answer.status_code == 201
    assert SCHEDULE.items() <= body.items()
    assert (body["cron_timezone"], body["active"]) == ("UTC", True)
    assert body["next_run_at"].endswith("T04:00:00.000Z")
    assert body["owner"]["username"] == api.get("user").json()["username"]
    assert (body["last_pipeline"], body["variables"]) == (None, [])
    listed = api.get(path, params={"per_page": 100}).json()
    assert body["id"] in {one["id"] for one in listed}
    assert api.get(f"{path}/{body['id']}").json() == body


@pytest.mark.parametrize("spelling", ["false", "False", "0", "f", "off", False])
def test_a_schedule_can_be_created_asleep(
    api: httpx.Client, platform: RunningEmulator, spelling: object
) -> None:
    """Clients spell flags in many ways."""
    sent = {**SCHEDULE, "active": spelling, "cron_timezone": "Europe/Berlin"}
    path = in_project(platform, "pipeline_schedules")
    body = api.post(path, json=sent).json()
    assert (body["active"], body["cron_timezone"]) == (False, "Europe/Berlin")
    asleep = api.get(path, params={"scope": "inactive", "per_page": 100}).json()
    assert body["id"] in {one["id"] for one in asleep}
    awake = api.get(path, params={"scope": "active", "per_page": 100}).json()
    assert body["id"] not in {one["id"] for one in awake}


@pytest.mark.parametrize(
    ("change", "body"),
    [
        (
            {"ref": None, "cron": None},
            {"error": "ref is missing, cron is missing"},
        ),
        ({"cron": "every day"}, {"message": {"cron": ["syntax is invalid"]}}),
        ({"cron": "99 * * * *"}, {"message": {"cron": ["syntax is invalid"]}}),
        ({"cron_timezone": "Mars"}, {"message": {"cron_timezone": ["syntax is invalid"]}}),
        ({"description": " "}, {"message": {"description": ["can't be blank"]}}),
        ({"active": "maybe"}, {"error": "active is invalid"}),
        ({"ref": "no-such-ref"}, {"message": {"base": ["Reference not found"]}}),
        ({"ref": ["main"]}, {"error": "ref is invalid"}),
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused(
    api: httpx.Client, platform: RunningEmulator, change: dict[str, Any], body: dict[str, Any]
) -> None:
    """What is missing or malformed is named, field by field."""
    path = in_project(platform, "pipeline_schedules")
    answer = api.post(path, json={**SCHEDULE, **change})
    assert (answer.status_code, answer.json()) == (400, body)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_project_is_created_from_json_and_from_a_form(
    platform_with: PlatformFactory, *, as_json: bool
) -> None:
    """Spec 4.3: name, description, and permissions that are taken as they come."""
    platform = platform_with()
    form = {"name": "Fresh Ground", "description": "New", "permissions[project_access]": "40"}
    with api_client(platform) as api:
        if as_json:
            answer = api.post("projects", json={"name": "Fresh Ground", "description": "New"})
        else:
            answer = api.post("projects", data=form)
        again = api.post("projects", data=form)
        body = answer.json()
        assert answer.status_code == 201
        assert (body["name"], body["description"]) == ("Fresh Ground", "New")
        assert api.get(f"projects/{body['id']}").json()["id"] == body["id"]
        listed = api.get("projects", params={"search": "fresh ground"}).json()
        assert [one["id"] for one in listed] == [body["id"]]
        assert api.get(f"projects/{body['id']}/pipelines").json() == []
        page = ask("GET", body["web_url"])
        assert page.status_code == 200
    assert again.status_code == 400
    assert list(again.json()["message"]) == ["name"]


@pytest.mark.parametrize(
    ("sent", "body"),
    [
        (
            {},
            {"error": "name, path are missing, at least one parameter must be provided"},
        ),
        ({"name": " "}, {"message": {"name": ["can't be blank"]}}),
        (
            {"name": "n" * 256},
            {"message": {"name": ["is too long (maximum is 255 characters)"]}},
        ),
        ({"name": "a", "namespace_id": 1}, {"message": {"namespace": ["is not valid"]}}),
    ],
)
def test_a_project_that_makes_no_sense_is_refused(
    api: httpx.Client, sent: dict[str, Any], body: dict[str, Any]
) -> None:
    """A project needs a name that fits."""
    answer = api.post("projects", json=sent)
    assert (answer.status_code, answer.json()) == (400, body)
