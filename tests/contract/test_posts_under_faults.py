"""Every POST of the spec under every fault, from the service and from the command line.

Counted on the platform's own side: never more than one of what was asked for, and what is said
of it is true.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.support.faults import fault
from tests.support.performing import kinds, performed
from tests.support.platform import api_client, in_project
from tests.support.quick_clock import QuickClock
from tests.support.service import requests_of, service_at, started
from tests.support.wire import Heard, answer, wire_server

from platui.cli.main import dispatch
from platui.core.errors import ForbiddenError, PlatuiError, RejectedError, UnauthorizedError
from platui.core.secrets import Secret
from platui.models.values.write_states import (
    Done,
    Found,
    NotFound,
    Probing,
    Refused,
    Sent,
    Unknown,
    Waiting,
)
from platui.models.values.writes import Intent, NewPipeline, NewProject, NewSchedule

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="what it made is counted in its lists")

NUMBERS: Final = count()

FOUND: Final = [Sent, Unknown, Probing, Found]
LOST: Final = [Sent, Unknown, Probing, NotFound]
NO: Final = [Sent, Refused]
WAITED: Final = [Sent, Sent, Done]
"""A clock that others move, too, need not show the wait between."""


@dataclass(frozen=True)
class Case:
    """One fault: what is made under it, and what is said of it."""

    kind: str
    wish: dict[str, Any]
    made: int
    states: list[type]
    code: int


CASES: Final = [
    Case("reset_before", {}, 1, FOUND, 5),
    Case("reset_during", {"bytes": 2}, 1, FOUND, 5),
    Case("truncated", {"bytes": 2}, 1, FOUND, 5),
    Case("slow_body", {"seconds": 5}, 1, FOUND, 5),
    Case("hang", {"seconds": 3}, 0, LOST, 5),
    Case("server_error", {"status": 500}, 0, LOST, 5),
    Case("server_error", {"status": 502}, 0, LOST, 5),
    Case("html", {"status": 502}, 0, LOST, 5),
    Case("html", {"status": 200}, 0, LOST, 5),
    Case("garbage", {"what": "type"}, 0, LOST, 5),
    Case("server_error", {"status": 503}, 0, NO, 3),
    Case("expired", {}, 0, NO, 4),
    Case("quota", {"seconds": 3}, 1, WAITED, 0),
]
"""Those of a POST; a timeout after the platform acted is the body that never ends."""


class Post:
    """One of the four writes of the spec (§4.3), anew each time it is asked for."""

    def __init__(self, platform: RunningEmulator, kind: str) -> None:
        self.platform = platform
        self.kind = kind
        self.name = f"fault {kind} {next(NUMBERS)}"

    @property
    def intent(self) -> Intent:
        """Return it as the dashboard has it done."""
        project = self.platform.project
        match self.kind:
            case "schedule":
                return NewSchedule(project, self.name, "main", "0 1 * * *", active=False)
            case "project":
                return NewProject(self.name)
        return NewPipeline(project, "main", triggered=self.kind == "trigger")

    @property
    def words(self) -> list[str]:
        """Return the command of the same."""
        project = self.platform.project
        match self.kind:
            case "schedule":
                return ["schedule", "create", project, "--description", self.name, "--ref", "main",
                        "--cron", "0 1 * * *", "--active", "false"]  # fmt: skip
            case "project":
                return ["project", "create", self.name]
        return [self.kind, project, "--ref", "main"]

    @property
    def made(self) -> set[int]:
        """Return the ids of all there are of its kind and name, as the platform lists them."""
        with api_client(self.platform) as client:
            match self.kind:
                case "schedule":
                    path = in_project(self.platform, "pipeline_schedules?per_page=100")
                case "project":
                    path = f"projects?search={self.name}&per_page=100"
                case _:
                    path = in_project(self.platform, "pipelines?per_page=5")
            listed = client.get(path).json()
        if self.kind in {"run", "trigger"}:
            source = "api" if self.kind == "run" else "trigger"
            return {one["id"] for one in listed if one["source"] == source}
        named = "description" if self.kind == "schedule" else "name"
        return {one["id"] for one in listed if one[named] == self.name}


KINDS: Final = ["run", "trigger", "schedule", "project"]


def posts_to(platform: RunningEmulator, seen: int) -> int:
    """Return how many requests that were no GET arrived since one."""
    return sum(one["method"] != "GET" for one in requests_of(platform, seen))


def newest(platform: RunningEmulator) -> int:
    """Return the number of the newest request."""
    return max((one["number"] for one in requests_of(platform)), default=0)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_fault_makes_no_two_and_is_told_as_it_is(
    platform: RunningEmulator, kind: str
) -> None:
    """By the states of the service, one fault after the other."""
    service = service_at(
        platform.faults_url, platform.token, writes="confirm", is_in_memory=True,
        clock=QuickClock(), timeout=0.5,
    )  # fmt: skip
    async with started(service):
        token = Secret(platform.trigger_token)
        await service.write_service.keep_trigger_token(platform.project, token)
        for case in CASES:
            post = Post(platform, kind)
            before, seen = post.made, newest(platform)
            with fault(platform, case.kind, times=1, method="POST", **case.wish):
                states = await performed(service, post.intent)
            new = post.made - before
            shown = [one for one in kinds(states) if one is not Waiting]
            assert shown == case.states, (case, states)
            assert len(new) == case.made, case
            assert posts_to(platform, seen) <= 1, case
            last = states[-1]
            if isinstance(last, Found):
                assert {one.id for one in last.candidates} == new, case
                assert "probably yours" in last.sentence
            elif isinstance(last, Done):
                assert {last.outcome.id} == new


@pytest.mark.parametrize("kind", KINDS)
def test_a_command_makes_no_two_and_ends_with_what_is_true(
    platform: RunningEmulator,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """By its exit code, and by what it says on both streams."""
    monkeypatch.setattr("platui.service.facade.SystemClock", QuickClock)
    config = tmp_path / "config.toml"
    config.write_text(
        f'[profiles.here]\nurl = "{platform.faults_url}"\nwrites = "confirm"\ntimeout = 0.5\n'
    )
    around = ["--config", str(config), "--profile", "here"]
    for case in CASES:
        post = Post(platform, kind)
        before, seen = post.made, newest(platform)
        capfd.readouterr()
        monkeypatch.setenv("PLATUI_TOKEN", platform.token)
        monkeypatch.setenv("PLATUI_TRIGGER_TOKEN", platform.trigger_token)
        with fault(platform, case.kind, times=1, method="POST", **case.wish):
            code = dispatch([*around, *post.words, "--yes", "--json"])
        out, err = capfd.readouterr()
        new = post.made - before
        assert code == case.code, (case, err)
        assert len(new) == case.made, case
        assert posts_to(platform, seen) <= 1, case
        if case.code == 5:
            told = json.loads(out)
            assert told["outcome"] == "unknown", case
            assert {one["id"] for one in told["found"]} == new, case
            assert err.count("Result unknown. It is not sent again.") == 1, err
            assert ("probably yours" in err) is bool(new), err
        elif case.code:
            assert out == ""
            assert " Nothing was changed." in err, err
        else:
            assert json.loads(out)["outcome"] == "done"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("401 Unauthorized", UnauthorizedError),
        ("403 Forbidden", ForbiddenError),
        ("409 Conflict", RejectedError),
        ("422 Unprocessable Entity", RejectedError),
    ],
)
async def test_a_no_is_told_in_the_platforms_words(
    platform: RunningEmulator, kind: str, status: str, error: type[PlatuiError]
) -> None:
    """Sent once, refused, nothing looked for."""
    post = Post(platform, kind)

    async def refuses(heard: Heard, writer: asyncio.StreamWriter) -> None:
        no = answer({"message": f"{status}: not so"}, status)
        writer.write(no if heard.method == "POST" else answer([]))

    async with wire_server(refuses) as server:
        service = service_at(server.url, writes="confirm", is_in_memory=True)
        async with started(service):
            await service.write_service.keep_trigger_token(platform.project, Secret("planted"))
            states = await performed(service, post.intent)
    assert kinds(states) == NO
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, error)
    said = states[-1].error.sentence
    if error is UnauthorizedError and kind == "trigger":
        assert said.startswith("The platform rejected the trigger token (from your input)")
    else:
        assert "not so" in said
    assert [one.method for one in server.heard].count("POST") == 1
