"""Every route of the project API against every credential that must not open it (spec §5.2).

The routes are read from the table itself: whoever adds one has its doors tried here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, ask, credentials, running_platform

from platui_emulator.http.project_api import ROUTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui_emulator.server import RunningEmulator

TRIGGER: Final = ("POST", "projects/{project}/trigger/pipeline")
OWN_TOKEN: Final = ("GET", "personal_access_tokens/self")
DOORS: Final = [
    (method, pattern)
    for pattern, handlers in ROUTES.table.items()
    for method in handlers
    # A HEAD comes in where its GET does, with no body to look at; whoever goes through the door
    # of the last one does not come back.
    if method != "HEAD" and (method, pattern) != ("DELETE", OWN_TOKEN[1])
]
UNAUTHORIZED: Final = {"message": "401 Unauthorized"}


@pytest.fixture(scope="module")
def house() -> Iterator[RunningEmulator]:
    """Run a platform on which nobody minds what is knocked at."""
    with running_platform(clock=FakeClock()) as platform:
        yield platform


@pytest.fixture(scope="module")
def keys(house: RunningEmulator) -> dict[str, Any]:
    """Hold a credential of every kind."""
    return credentials(house)


def _address(house: RunningEmulator, pattern: str) -> str:
    """Return an address that leads to a route of the showcase, where nothing else is."""
    path = pattern.replace("{project}", str(house.platform.showcase.id))
    return f"{house.base_url}/api/v4/{re.sub('{[^}]*}', '1', path)}"


def test_there_are_doors_to_try() -> None:
    """The table is the one that is served, and as long as the API is."""
    assert TRIGGER in DOORS
    assert OWN_TOKEN in DOORS
    assert len(DOORS) > 30


def test_nobody_comes_in_without_a_credential(house: RunningEmulator) -> None:
    """Rule 6, for all but the trigger, whose credential is a field."""
    with api_client(house, token="") as nobody:
        for method, pattern in DOORS:
            answer = nobody.request(method, _address(house, pattern))
            if (method, pattern) == TRIGGER:
                assert answer.status_code == 400
            else:
                assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED), pattern


def test_a_job_comes_in_where_gitlab_lets_it(house: RunningEmulator, keys: dict[str, Any]) -> None:
    """Itself, what other jobs have made, and the trigger; nothing else."""
    opened = set()
    for method, pattern in DOORS:
        headers = {"JOB-TOKEN": keys["job"]}
        answer = ask(method, _address(house, pattern), headers=headers)
        if answer.status_code != 401:
            opened.add((method, pattern))
        else:
            assert answer.json() == UNAUTHORIZED
    artifacts = {door for door in DOORS if door[0] == "GET" and "artifacts" in door[1].split("/")}
    assert opened == {TRIGGER, ("GET", "job"), *artifacts}


def test_a_token_without_a_scope_learns_about_itself_only(
    house: RunningEmulator, keys: dict[str, Any]
) -> None:
    """403 at every door, which names the scope that opens it."""
    with api_client(house, token=keys["personal_without_scope"]) as client:
        for method, pattern in DOORS:
            answer = client.request(method, _address(house, pattern))
            if (method, pattern) == OWN_TOKEN:
                assert answer.status_code == 200
            elif (method, pattern) != TRIGGER:
                assert answer.status_code == 403, pattern
                wanted = "api read_api" if method == "GET" else "api"
                assert answer.json()["scope"] == wanted


def test_a_token_for_reading_opens_what_is_read(
    house: RunningEmulator, keys: dict[str, Any]
) -> None:
    """No GET is closed for want of a scope, and nothing else is open."""
    with api_client(house, token=keys["personal_read_only"]) as client:
        for method, pattern in DOORS:
            answer = client.request(method, _address(house, pattern))
            lacking = answer.status_code == 403 and "insufficient_scope" in answer.text
            assert lacking == (method != "GET" and (method, pattern) != TRIGGER), pattern
