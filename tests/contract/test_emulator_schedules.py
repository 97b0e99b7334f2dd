"""Schedules over HTTP: who may change what, variables, playing, and what each has started."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, in_project, running_platform
from tests.support.staff import person_of_level, token_of

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator

Client = Callable[..., httpx.Client]
FORBIDDEN = {"message": "403 Forbidden"}
SCHEDULES = "pipeline_schedules"
LETTERS = "can contain only letters, digits and '_'."
NEW = {"description": "Nightly", "ref": "main", "cron": "0 4 * * *"}


@pytest.fixture(scope="module")
def clock() -> FakeClock:
    """Return the time of the platform below."""
    return FakeClock()


@pytest.fixture(scope="module")
def own(clock: FakeClock) -> Iterator[RunningEmulator]:
    """Run a platform whose own schedules these tests change."""
    with running_platform(clock=clock) as running:
        yield running


@pytest.fixture(scope="module")
def client_of(own: RunningEmulator) -> Iterator[Client]:
    """Open clients by the level of somebody in the showcase."""
    with ExitStack() as stack:

        def opened(level: str, *, read_only: bool = False) -> httpx.Client:
            person = person_of_level(own, own.platform.showcase, level)
            token = token_of(own, person, read_only=read_only)
            return stack.enter_context(api_client(own, token))

        yield opened


@pytest.fixture(scope="module")
def maintainer(client_of: Client) -> httpx.Client:
    """Open a client of a maintainer."""
    return client_of("MAINTAINER")


@pytest.fixture(scope="module")
def developer(client_of: Client) -> httpx.Client:
    """Open a client of a developer."""
    return client_of("DEVELOPER")


@pytest.fixture
def path(own: RunningEmulator) -> str:
    """Return where the schedules of the showcase are."""
    return in_project(own, SCHEDULES)


def standing(client: httpx.Client, path: str) -> dict[str, Any]:
    """Return one of the company's own schedules, which nobody here owns."""
    me = client.get("user").json()["username"]
    found = client.get(path, params={"per_page": 100}).json()
    return next(one for one in found if one["owner"] and one["owner"]["username"] != me)


def test_only_the_owner_edits_and_a_maintainer_may_become_one(
    maintainer: httpx.Client, developer: httpx.Client, path: str
) -> None:
    """403 until `take_ownership`, which is 201, and 200 where it is taken already."""
    schedule = standing(maintainer, path)
    one = f"{path}/{schedule['id']}"
    for client in (maintainer, developer):
        refused = client.put(one, json={"description": "Mine"})
        assert (refused.status_code, refused.json()) == (403, FORBIDDEN)
    assert developer.post(f"{one}/take_ownership").status_code == 403
    assert developer.delete(one).status_code == 403
    assert [maintainer.post(f"{one}/take_ownership").status_code for _ in range(2)] == [201, 200]
    edited = maintainer.put(one, data={"description": "Mine", "cron": "15 */2 * * *"})
    body = edited.json()
    assert edited.status_code == 200
    assert (body["description"], body["cron"]) == ("Mine", "15 */2 * * *")
    assert (body["id"], body["created_at"]) == (schedule["id"], schedule["created_at"])
    assert body["updated_at"] > schedule["updated_at"]
    assert body["next_run_at"] == "2026-03-14T04:15:00.000Z"
    assert body["owner"]["username"] == maintainer.get("user").json()["username"]
    assert maintainer.get(one).json() == body
    asleep = maintainer.put(one, json={"active": False}).json()
    assert (asleep["active"], asleep["next_run_at"]) == (False, None)


@pytest.mark.parametrize(
    ("change", "body"),
    [
        ({"cron": "often"}, {"message": {"cron": ["syntax is invalid"]}}),
        ({"cron_timezone": "Mars"}, {"message": {"cron_timezone": ["syntax is invalid"]}}),
        ({"description": " "}, {"message": {"description": ["can't be blank"]}}),
        (
            {"description": "d" * 256},
            {"message": {"description": ["is too long (maximum is 255 characters)"]}},
        ),
        ({"ref": "nowhere"}, {"message": {"base": ["Reference not found"]}}),
        ({"ref": "HEAD"}, {"message": {"base": ["Reference not found"]}}),
        ({"active": "maybe"}, {"error": "active is invalid"}),
        ({"inputs": "a=b"}, {"error": "inputs is invalid"}),
        ({"inputs": [{"value": 1}]}, {"error": "inputs[0][name] is missing"}),
        ({"inputs": [{"name": "a"}]}, {"error": "inputs[0][value] is missing"}),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    maintainer: httpx.Client, path: str, change: dict[str, Any], body: dict[str, Any]
) -> None:
    """And nothing is changed by it."""
    made = maintainer.post(path, json=NEW).json()
    one = f"{path}/{made['id']}"
    answer = maintainer.put(one, json=change)
    assert (answer.status_code, answer.json()) == (400, body)
    assert maintainer.get(one).json() == made
    assert maintainer.delete(one).status_code == 204


def test_refs_may_be_written_in_full_and_inputs_come_and_go(
    maintainer: httpx.Client, path: str
) -> None:
    """`refs/heads/main` and `refs/tags/v…`; inputs are added, changed and destroyed."""
    made = maintainer.post(path, json={**NEW, "inputs": [{"name": "days", "value": 3}]}).json()
    one = f"{path}/{made['id']}"
    assert made["inputs"] == [{"name": "days", "value": 3}]
    tag = maintainer.get(path.replace(SCHEDULES, "repository/tags")).json()[0]["name"]
    for ref in ("refs/heads/main", f"refs/tags/{tag}", tag):
        assert maintainer.put(one, json={"ref": ref}).json()["ref"] == ref
    inputs = [{"name": "days", "destroy": True}, {"name": "kind", "value": ["a", "b"]}]
    assert maintainer.put(one, json={"inputs": inputs}).json()["inputs"] == [inputs[1]]
    assert maintainer.delete(one).status_code == 204


def test_variables_are_the_owners_and_the_maintainers(
    maintainer: httpx.Client, developer: httpx.Client, path: str
) -> None:
    """201, 200 and 202; a developer does not even see that there are any."""
    one = f"{path}/{maintainer.post(path, json=NEW).json()['id']}"
    wanted = {"key": "DAY", "value": "monday"}
    made = maintainer.post(f"{one}/variables", json=wanted)
    assert made.status_code == 201
    assert made.json() == {**wanted, "variable_type": "env_var", "raw": False}
    for sent, body in (
        (wanted, {"message": {"key": ["has already been taken"]}}),
        ({"key": "A B", "value": ""}, {"message": {"key": [LETTERS]}}),
        ({"key": "B"}, {"error": "value is missing"}),
        ({}, {"error": "key is missing, value is missing"}),
        ({**wanted, "variable_type": "x"}, {"error": "variable_type does not have a valid value"}),
    ):  # fmt: skip
        answer = maintainer.post(f"{one}/variables", json=sent)
        assert (answer.status_code, answer.json()) == (400, body)
    changed = maintainer.put(f"{one}/variables/DAY", data={"value": "friday"})
    assert (changed.status_code, changed.json()["value"]) == (200, "friday")
    assert maintainer.get(f"{one}/variables/DAY").json() == changed.json()
    assert maintainer.get(one).json()["variables"] == [changed.json()]
    lost = maintainer.put(f"{one}/variables/NO", data={"value": "x"})
    assert lost.json() == {"message": "404 Pipeline Schedule Variable Not Found"}

    assert "variables" not in developer.get(one).json()
    assert developer.post(f"{one}/variables", json=wanted).json() == FORBIDDEN
    assert developer.get(f"{one}/variables/DAY").status_code == 403
    assert developer.delete(f"{one}/variables/DAY").status_code == 403
    gone = maintainer.delete(f"{one}/variables/DAY")
    assert (gone.status_code, gone.json()) == (202, changed.json())
    assert maintainer.get(one).json()["variables"] == []
    assert maintainer.delete(one).status_code == 204
    missing = maintainer.get(one)
    assert missing.json() == {"message": "404 Pipeline Schedule Not Found"}


def test_a_played_schedule_starts_a_moment_later(
    developer: httpx.Client, maintainer: httpx.Client, clock: FakeClock, path: str
) -> None:
    """201 without a number; soon it is the newest in the schedule's list. Tags are protected."""
    schedule = standing(maintainer, path)
    one = f"{path}/{schedule['id']}"
    before = maintainer.get(f"{one}/pipelines", params={"sort": "desc"})
    played = developer.post(f"{one}/play")
    assert (played.status_code, played.json()) == (201, {"message": "201 Created"})
    assert maintainer.get(f"{one}/pipelines", params={"sort": "desc"}).json() == before.json()
    clock.jump(2)
    after = maintainer.get(f"{one}/pipelines", params={"sort": "desc"})
    newest, *rest = after.json()
    assert rest == before.json()[: len(rest)]
    assert int(after.headers["X-Total"]) == int(before.headers["X-Total"]) + 1
    assert newest["source"] == "schedule"
    assert maintainer.get(one).json()["last_pipeline"]["id"] == newest["id"]
    detail = maintainer.get(path.replace(SCHEDULES, f"pipelines/{newest['id']}")).json()
    assert detail["user"]["username"] == developer.get("user").json()["username"]

    tag = maintainer.get(path.replace(SCHEDULES, "repository/tags")).json()[0]["name"]
    assert developer.post(path, json={**NEW, "ref": tag}).status_code == 403
    made = maintainer.post(path, json={**NEW, "ref": tag}).json()
    assert developer.post(f"{path}/{made['id']}/play").json() == FORBIDDEN
    assert maintainer.post(f"{path}/{made['id']}/play").status_code == 201
    clock.jump(2)
    ran = maintainer.get(f"{path}/{made['id']}").json()["last_pipeline"]
    assert ran["ref"] == tag


def test_what_a_schedule_started_comes_oldest_first(maintainer: httpx.Client, path: str) -> None:
    """Unlike every other list; pages join from either end, and filters narrow it."""
    one = f"{path}/{standing(maintainer, path)['id']}/pipelines"
    up = maintainer.get(one, params={"per_page": 12})
    ids = [each["id"] for each in up.json()]
    assert ids == sorted(ids)
    parts = [
        each["id"]
        for page in (1, 2, 3)
        for each in maintainer.get(one, params={"per_page": 4, "page": page}).json()
    ]
    assert parts == ids
    pages = int(up.headers["X-Total-Pages"])
    last = maintainer.get(one, params={"per_page": 12, "page": pages}).json()
    down = maintainer.get(one, params={"per_page": 12, "sort": "desc"}).json()
    assert [each["id"] for each in last][::-1] == [each["id"] for each in down][: len(last)]
    assert maintainer.get(one, params={"per_page": 12, "page": pages + 1}).json() == []
    for query, statuses in (
        ({"status": "failed"}, {"failed"}),
        ({"scope": "finished"}, {"success", "failed", "canceled"}),
    ):
        narrowed = maintainer.get(one, params={**query, "per_page": "5"}).json()
        assert narrowed
        assert {each["status"] for each in narrowed} <= statuses
    limits = {"created_after": down[6]["created_at"], "created_before": down[2]["created_at"]}
    between = maintainer.get(one, params=limits).json()
    assert [each["id"] for each in between] == [each["id"] for each in down[2:7]][::-1]
    refused = maintainer.get(one, params={"created_after": "soon"})
    assert refused.json() == {"error": "created_after is invalid"}


def test_deleting_and_its_limits(
    maintainer: httpx.Client, client_of: Client, clock: FakeClock, path: str
) -> None:
    """204, then 404; not behind somebody's back (412), not with a token that only reads."""
    made = maintainer.post(path, json=NEW).json()
    one = f"{path}/{made['id']}"
    reader = client_of("MAINTAINER", read_only=True)
    for refused in (
        reader.delete(one),
        reader.post(f"{one}/play"),
        reader.post(f"{one}/take_ownership"),
        reader.put(one, json={"active": False}),
    ):
        assert (refused.status_code, refused.json()["error"]) == (403, "insufficient_scope")
    clock.jump(60)
    maintainer.put(one, json={"description": "Changed since"})
    stale = {"If-Unmodified-Since": "Sat, 14 Mar 2026 03:12:00 GMT"}
    assert maintainer.delete(one, headers=stale).status_code == 412
    deleted = maintainer.delete(one)
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert maintainer.delete(one).status_code == 404

    own_one = standing(maintainer, path)
    assert maintainer.delete(f"{path}/{own_one['id']}").status_code == 204
    left = {each["id"] for each in maintainer.get(path, params={"per_page": 100}).json()}
    assert own_one["id"] not in left
    for _ in range(50 - len(left)):
        assert maintainer.post(path, json={**NEW, "active": False}).status_code == 201
    full = maintainer.post(path, json=NEW)
    assert full.json()["message"]["base"] == ["Maximum number of pipeline schedules (50) exceeded"]
