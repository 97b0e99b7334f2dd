"""Faults during a write: nothing happens twice, and what is said of it is true.

A platform of one's own each time, real HTTP, and its own count of what arrived and was done.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, asynccontextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.faults import fault, set_fault
from tests.support.performing import everything_written, kinds, performed, performing
from tests.support.platform import api_client, credentials, in_project
from tests.support.quick_clock import QuickClock
from tests.support.service import requests_of, service_at
from tests.support.service import started as running
from tests.support.wire import hangs_up, in_turn, says, wire_server

from platui.core.clock import SystemClock
from platui.core.errors import (
    OfflineError,
    OutcomeUnknownError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
)
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
    WriteState,
)
from platui.models.values.writes import (
    Intent,
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    RunVariable,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)
from platui.present.writes.states import unknown_words
from platui.service.writes.outcome_probe import PROBE_SECONDS
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.service import PlatformService
    from platui_emulator.server import RunningEmulator

POST = {"method": "POST", "path": r"/pipeline(\?|$)"}


@asynccontextmanager
async def faulty(platform: RunningEmulator, **profile: Any) -> AsyncIterator[PlatformService]:
    """Run a service that speaks to the platform through its faults."""
    profile = {"writes": "confirm", "clock": QuickClock(), "token": platform.token, **profile}
    async with running(service_at(platform.faults_url, profile.pop("token"), **profile)) as service:
        yield service


async def start(service: PlatformService, platform: RunningEmulator) -> list[WriteState]:
    """Start a pipeline and return all that becomes of it."""
    return await performed(service, NewPipeline(platform.project, "main"))


def started(platform: RunningEmulator, since: datetime) -> list[int]:
    """Return the ids of the pipelines that were started through the API, newest first."""
    # What is older is not looked at: a filter alone looks through half a thousand of them.
    wanted = {"source": "api", "created_after": since.isoformat()}
    with api_client(platform) as client:
        listed = client.get(in_project(platform, "pipelines"), params=wanted).json()
    return [one["id"] for one in listed]


class Count:
    """Counts what came to a platform and what it did, from now on."""

    def __init__(self, platform: RunningEmulator) -> None:
        self._platform = platform
        self._since = SystemClock().now() - timedelta(minutes=5)
        self._before = set(started(platform, self._since))
        self._seen = max((one["number"] for one in requests_of(platform)), default=0)

    @property
    def new(self) -> list[int]:
        """Return the ids of new pipelines."""
        now = started(self._platform, self._since)
        return [number for number in now if number not in self._before]

    @property
    def arrived(self) -> int:
        """Return how many requests to start one arrived."""
        requests = requests_of(self._platform, self._seen)
        return sum(one["method"] == "POST" for one in requests)


ACTED = [
    ("reset_before", {}),
    ("reset_during", {}),
    ("truncated", {}),
    ("slow_body", {"seconds": 5}),
]
"""The platform did it, and its answer is lost: no answer, half of one, one that never ends."""


def patience(wish: dict[str, Any]) -> dict[str, float]:
    """Return a time limit below what a fault takes, or the usual one where it takes none."""
    return {"timeout": 2.0} if "seconds" in wish else {}


@pytest.mark.parametrize(("kind", "wish"), ACTED)
async def test_what_was_done_without_an_answer_is_found(
    platform: RunningEmulator, kind: str, wish: dict[str, Any]
) -> None:
    """Unknown, then found, told as probable; and there is one."""
    count = Count(platform)
    async with faulty(platform, **patience(wish), clock=QuickClock()) as service:
        with fault(platform, kind, times=1, **POST, **wish):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Unknown, Probing, Found]
    found = states[-1]
    assert isinstance(found, Found)
    assert [one.id for one in found.candidates] == count.new
    assert len(count.new) == 1
    assert f"#{count.new[0]} on main" in found.sentence
    assert "probably" in found.sentence


NOT_ACTED = [
    ("hang", {"seconds": 5}),
    ("server_error", {"status": 502}),
    ("server_error", {"status": 504}),
    ("server_error", {"status": 500}),
    ("html", {"status": 502}),
    ("html", {"status": 200}),
    ("garbage", {"what": "json"}),
    ("garbage", {"what": "encoding"}),
    ("garbage", {"what": "type"}),
]
"""The platform did nothing, and does not say so."""


@pytest.mark.parametrize(("kind", "wish"), NOT_ACTED)
async def test_what_was_not_done_without_an_answer_is_not_found(
    platform: RunningEmulator, kind: str, wish: dict[str, Any]
) -> None:
    """Unknown, looked for so long, not found; nothing is sent again."""
    count = Count(platform)
    clock = QuickClock()
    async with faulty(platform, **patience(wish), clock=clock) as service:
        with fault(platform, kind, times=1, **POST, **wish):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Unknown, Probing, NotFound]
    assert isinstance(states[1], Unknown)
    assert isinstance(states[1].error, OutcomeUnknownError)
    assert states[-1] == NotFound("Nothing found within 30 s; it may still appear.")
    assert sum(clock.slept) >= PROBE_SECONDS
    assert count.new == []
    assert count.arrived <= 1


@pytest.mark.parametrize(
    ("kind", "wish", "cause"),
    [
        ("html", {"status": 200}, "The platform's URL returned a web page instead of data."),
        (
            "garbage",
            {"what": "type"},
            "The response is not from the platform: it is not a JSON object.",
        ),
        ("server_error", {"status": 500}, "500 Internal Server Error."),
    ],
)
async def test_an_answer_that_is_not_the_platforms_is_no_yes(
    platform: RunningEmulator, kind: str, wish: dict[str, Any], cause: str
) -> None:
    """Of whatever write, also where nobody documents the answer; told once, in whole sentences."""
    project = platform.project
    intents: list[Intent] = [
        NewPipeline(project, "main", triggered=True),
        NewSchedule(project, "answered by another", "main", "0 1 * * *"),
        RecordAction(WriteAction.RUN_SCHEDULE, project, 99_999_999),
    ]
    async with faulty(platform) as service:
        await service.write_service.keep_trigger_token(project, Secret(platform.trigger_token))
        for intent in intents:
            with fault(platform, kind, times=1, method="POST", **wish):
                states = await performed(service, intent)
            assert kinds(states) == [Sent, Unknown, Probing, NotFound], intent
            assert isinstance(states[1], Unknown)
            assert states[1].error.sentence == cause
            told = f"{cause} Result unknown. It is not sent again."
            assert unknown_words(states[1].error) == told


async def test_an_answer_that_came_whole_counts(platform: RunningEmulator) -> None:
    """Whatever happened to the line afterwards."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "reset_after", times=1, **POST):
            states = await start(service, platform)
    last = states[-1]
    if isinstance(last, Done):
        assert [last.outcome.id] == count.new
    else:  # the reset was quicker than we
        assert isinstance(last, Found)
        assert [one.id for one in last.candidates] == count.new
    assert len(count.new) == 1


async def test_a_429_is_waited_out_and_changes_nothing(platform: RunningEmulator) -> None:
    """Visibly, for as long as the platform asks; then it is sent, once."""
    count = Count(platform)
    clock = FakeClock()
    states: list[WriteState] = []
    intent = NewPipeline(platform.project, "main")
    async with faulty(platform, clock=clock) as service, asyncio.TaskGroup() as moving:
        with fault(platform, "quota", times=1, seconds=30, **POST):
            async for state in performing(service, intent):
                states.append(state)
                if isinstance(state, Waiting):
                    moving.create_task(clock.advance(40))
    assert kinds(states) == [Sent, Waiting, Sent, Done]
    waiting = states[1]
    assert isinstance(waiting, Waiting)
    assert 30.0 <= waiting.until - FakeClock().monotonic() <= 33.0
    assert "Rate limited" in waiting.reason
    assert len(count.new) == 1


async def test_a_429_before_anything_is_sent_can_be_given_up(platform: RunningEmulator) -> None:
    """Who closes the iterator while it waits has sent nothing, and nothing is on record."""
    count = Count(platform)
    async with faulty(platform, clock=FakeClock()) as service:
        with fault(platform, "quota", times=1, seconds=30, method="GET"):
            intent = NewPipeline(platform.project, "main")
            states = performing(service, intent)
            assert isinstance(await anext(states), Waiting)
            await states.aclose()
    assert count.arrived == 0
    assert count.new == []
    assert AuditFile(audit_path()).entries() == ()


async def test_who_is_always_told_to_wait_is_told_so(platform: RunningEmulator) -> None:
    """After some rounds the answer is no, and nothing was changed."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "limiter", **POST):
            states = await start(service, platform)
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, RateLimitedError)
    assert count.new == []


async def test_an_expired_token_is_named(platform: RunningEmulator) -> None:
    """401: nothing was changed, and nothing is looked for."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "expired", times=1, **POST):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Refused]
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, UnauthorizedError)
    assert "expired" in states[-1].error.sentence
    assert count.new == []


async def test_a_platform_in_maintenance_has_done_nothing(platform: RunningEmulator) -> None:
    """A 503 in its own words is said before anything is done; a front's page is not."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "server_error", status=503, times=1, **POST):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Refused]
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, ServerFailedError)
    assert count.new == []


async def test_nobody_at_the_door_has_done_nothing(platform: RunningEmulator) -> None:
    """A refused connection is no lost answer: it is tried some more, and told as it is."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "refuse"):
            states = await start(service, platform)
    assert kinds(states) == [Sent, Refused]
    assert isinstance(states[-1], Refused)
    assert isinstance(states[-1].error, OfflineError)
    assert count.new == []
    assert count.arrived == 0


async def test_what_somebody_else_started_meanwhile_is_not_taken_for_ours(
    platform: RunningEmulator,
) -> None:
    """On the same ref, after ours was sent: who started it tells them apart."""
    count = Count(platform)
    other = credentials(platform)["project"]
    intent = NewPipeline(platform.project, "main")
    states: list[WriteState] = []
    async with faulty(platform) as service:
        with fault(platform, "reset_before", times=1, **POST):
            async for state in performing(service, intent):
                states.append(state)
                if isinstance(state, Unknown):
                    theirs = start_as(platform, other)
    found = states[-1]
    assert isinstance(found, Found)
    [ours] = [number for number in count.new if number != theirs]
    assert [one.id for one in found.candidates] == [ours]
    assert found.sentence == f"Found pipeline #{ours} on main, started by you: probably yours."


async def test_with_nothing_of_ours_what_others_started_is_not_found(
    platform: RunningEmulator,
) -> None:
    """Better no candidate than a wrong one."""
    other = credentials(platform)["project"]
    intent = NewPipeline(platform.project, "main")
    states: list[WriteState] = []
    async with faulty(platform) as service:
        with fault(platform, "server_error", status=502, times=1, **POST):
            async for state in performing(service, intent):
                states.append(state)
                if isinstance(state, Unknown):
                    start_as(platform, other)
    assert isinstance(states[-1], NotFound)


async def test_what_another_dashboard_started_is_not_taken_for_this_ones(
    platform: RunningEmulator,
) -> None:
    """By the same user, on the same ref, meanwhile: it is on record that the other did it."""
    intent = NewPipeline(platform.project, "main")
    states: list[WriteState] = []
    async with faulty(platform) as service, faulty(platform) as other:
        await start(service, platform)  # what is on record has been read by now
        with fault(platform, "server_error", status=502, times=1, **POST):
            async for state in performing(service, intent):
                states.append(state)
                if isinstance(state, Unknown):
                    assert kinds(await start(other, platform)) == [Sent, Done]
    assert isinstance(states[-1], NotFound)


def start_as(platform: RunningEmulator, token: str) -> int:
    """Start a pipeline with somebody's token; return its id."""
    with api_client(platform, token) as client:
        project = platform.project.replace("/", "%2F")
        return int(client.post(f"projects/{project}/pipeline", params={"ref": "main"}).json()["id"])


def entries_of(mark: str | None = None) -> list[str]:
    """Return the results of the newest write in the audit log, in order."""
    entries = AuditFile(audit_path()).entries()
    mark = entries[-1].mark if mark is None else mark
    return [entry.result for entry in entries if entry.mark == mark]


async def test_what_it_turned_out_to_be_is_on_record(platform: RunningEmulator) -> None:
    """Sent, unknown, found: three entries of one write."""
    async with faulty(platform) as service:
        with fault(platform, "reset_before", times=1, **POST):
            await start(service, platform)
    sent, unknown, found = entries_of()
    assert sent == "sent"
    assert unknown.startswith("unknown: ")
    assert found.startswith("found: Found pipeline #")


async def test_who_gives_up_looking_leaves_a_word(platform: RunningEmulator) -> None:
    """The write was sent; that nobody knows stands there."""
    intent = NewPipeline(platform.project, "main")
    async with faulty(platform) as service:
        with fault(platform, "server_error", status=502, times=1, **POST):
            states = performing(service, intent)
            async for state in states:
                if isinstance(state, Probing):
                    break
            await states.aclose()
    assert entries_of()[-1] == "not found: check canceled"


async def found_of(service: PlatformService, platform: RunningEmulator, intent: Intent) -> Found:
    """Lose the answer to a write that was done; return what was found of it."""
    planned = service.write_service.request(intent).http_requests[0].method
    method = {"DELETE": "DELETE", "PUT": "PUT"}.get(planned, "POST")
    with fault(platform, "reset_before", times=1, method=method):
        states = await performed(service, intent)
    assert kinds(states) == [Sent, Unknown, Probing, Found]
    assert isinstance(states[-1], Found)
    return states[-1]


async def test_schedules_and_projects_are_found_in_their_own_terms(
    platform: RunningEmulator,
) -> None:
    """By what they were to be: description and ref, name, the change, their absence."""
    project = platform.project
    new = NewSchedule(project, "lost and found", "main", "0 1 * * *", active=False)
    async with faulty(platform) as service:
        created = await found_of(service, platform, new)
        [schedule] = created.candidates
        assert schedule.kind == "schedule"
        assert created.sentence == f"Found schedule #{schedule.id}: probably yours."
        assert schedule.id is not None
        change = ScheduleChange(project, schedule.id, cron="0 2 * * *")
        changed = await found_of(service, platform, change)
        assert changed.sentence == f"Schedule #{schedule.id} has the new values."
        for value, result in ((Secret("planted"), "has the new"), (None, "no longer has")):
            variable = ScheduleVariable(project, schedule.id, "DAY", value, exists=value is None)
            kept = await found_of(service, platform, variable)
            assert kept.sentence == f"Schedule #{schedule.id} {result} variable DAY."
        own = await found_of(
            service, platform, RecordAction(WriteAction.OWN_SCHEDULE, project, schedule.id)
        )
        assert own.sentence == f"Schedule #{schedule.id} is yours now."
        gone = await found_of(
            service, platform, RecordAction(WriteAction.DELETE_SCHEDULE, project, schedule.id)
        )
        assert gone.sentence == f"Schedule #{schedule.id} is deleted."
        made = await found_of(service, platform, NewProject("lost-and-found"))
    assert made.candidates[0].kind == "project"
    assert made.sentence == f"Found project #{made.candidates[0].id}: probably yours."


@pytest.mark.parametrize(
    "body",
    [{"message": "404 Project Not Found"}, {"error": "404 Not Found"}],
    ids=["no access any more", "no such endpoint"],
)
async def test_a_404_of_something_else_is_no_deleted_schedule(body: dict[str, str]) -> None:
    """It says nothing of the schedule, which may still be there."""
    script = in_turn(hangs_up, says(body, "404 Not Found"))
    profile: dict[str, Any] = {"writes": "confirm", "is_in_memory": True, "clock": QuickClock()}
    async with wire_server(script) as server, running(service_at(server.url, **profile)) as service:
        states = await performed(service, RecordAction(WriteAction.DELETE_SCHEDULE, 1, 3))
    assert kinds(states) == [Sent, Unknown, Probing, NotFound]
    assert [one.method for one in server.heard].count("DELETE") == 1


async def test_acts_are_found_by_what_they_changed(platform: RunningEmulator) -> None:
    """A pipeline that is canceled now, and runs again."""
    async with faulty(platform) as service:
        [*_, done] = await start(service, platform)
        assert isinstance(done, Done)
        number = done.outcome.id
        assert number is not None
        cancel = RecordAction(WriteAction.CANCEL_PIPELINE, platform.project, number)
        canceled = await found_of(service, platform, cancel)
        assert canceled.sentence == f"Pipeline #{number} is canceled now."
        assert canceled.candidates[0].status == "canceled"
        retry = RecordAction(WriteAction.RETRY_PIPELINE, platform.project, number)
        retried = await found_of(service, platform, retry)
    assert retried.sentence == f"Pipeline #{number} is running now."


async def test_without_a_look_before_the_platforms_own_clock_tells_new_from_old(
    platform: RunningEmulator,
) -> None:
    """The list could not be read before; what is older than the write is not a candidate."""
    count = Count(platform)
    async with faulty(platform) as service:
        with fault(platform, "server_error", times=1, status=500, method="GET"):
            set_fault(platform, "reset_before", times=1, **POST)
            states = await start(service, platform)
    assert kinds(states) == [Sent, Unknown, Probing, Found]
    found = states[-1]
    assert isinstance(found, Found)
    assert [found.candidates[0].id] == count.new
    now = SystemClock().now()
    for one in found.candidates:  # other tests may have started some a moment ago
        assert one.created_at is not None
        assert now - one.created_at < timedelta(seconds=20)


async def test_a_schedule_that_ran_is_found_by_its_pipeline(platform: RunningEmulator) -> None:
    """The platform starts it a moment later, and never says which it is."""
    new = NewSchedule(platform.project, "run and found", "main", "0 1 * * *", active=False)
    async with faulty(platform, clock=SystemClock()) as service:
        [*_, created] = await performed(service, new)
        assert isinstance(created, Done)
        assert created.outcome.id is not None
        run = RecordAction(WriteAction.RUN_SCHEDULE, platform.project, created.outcome.id)
        found = await found_of(service, platform, run)
    assert found.candidates[0].kind == "pipeline"
    assert found.sentence == f"Found pipeline #{found.candidates[0].id}: probably yours."


async def test_nobody_can_look_where_nothing_is_listed(narrow_platform: RunningEmulator) -> None:
    """A platform that lists no schedules: that is what is said."""
    new = NewSchedule(narrow_platform.project, "lost", "main", "0 1 * * *")
    async with faulty(narrow_platform) as service:
        with fault(narrow_platform, "reset_before", times=1, method="POST"):
            states = await performed(service, new)
    last = states[-1]
    assert isinstance(last, NotFound)
    assert last.sentence.startswith("The result could not be checked: ")


async def test_no_secret_is_written_or_shown(platform: RunningEmulator) -> None:
    """Planted as a variable, a trigger token and an access token; in every outcome."""
    secret = RunVariable("KEY", Secret("planted-secret-value"))
    shown: list[object] = []
    async with faulty(platform, token=platform.token) as service:
        token = Secret(platform.trigger_token)
        await service.write_service.keep_trigger_token(platform.project, token)
        for triggered in (False, True):
            new = NewPipeline(platform.project, "main", "", (secret,), triggered)
            request = service.write_service.request(new)
            shown += [request, request.http_requests, request.commands, new]
            for kind in (None, "reset_before", "expired", "limiter"):
                with ExitStack() as faults:
                    if kind is not None:
                        faults.enter_context(fault(platform, kind, times=1, **POST))
                    shown += await performed(service, new)
        done = next(one for one in shown if isinstance(one, Done))
        assert done.outcome.id is not None
        shown.append(await service.write_service.rerun(platform.project, done.outcome.id))
        shown.append(await service.write_service.run_history(platform.project))
        shown.append(service.journal.recent())
    told = "\n".join(f"{one!r}" for one in shown).encode() + everything_written()
    assert b"KEY" in told
    for planted in ("planted-secret-value", platform.trigger_token, platform.token):
        assert planted.encode() not in told
