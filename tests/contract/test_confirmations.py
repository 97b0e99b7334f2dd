"""A write leaves with exactly its confirmation, once; without it the platform hears nothing."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.support.performing import exchanged, kinds, performed, performing, yes_to
from tests.support.platform import failed_pipeline
from tests.support.service import requests_of, running_service, service_at, started
from tests.support.wire import hangs_up, in_turn, says, wire_server

import platui
from platui.core.errors import WriteRefusedError
from platui.core.secrets import Secret
from platui.models.values.write_states import Done, Refused, Sent, Unknown
from platui.models.values.writes import (
    Confirmation,
    NewPipeline,
    RecordAction,
    RunVariable,
    WriteAction,
)
from platui.service.writes.requests import write_of

if TYPE_CHECKING:
    from platui.models.values.writes import Intent
    from platui.service import PlatformService
    from platui_emulator.server import RunningEmulator

PIPELINE: Final = {"id": 7, "status": "pending", "ref": "main"}


def started_with(platform: RunningEmulator, day: str, key: str = "planted") -> NewPipeline:
    """Return the start of a pipeline with a variable and a secret."""
    values = (RunVariable("DAY", day), RunVariable("KEY", Secret(key)))
    return NewPipeline(platform.project, "main", "", values)


def writes_to(platform: RunningEmulator) -> list[tuple[str, str]]:
    """Return what the platform was asked to change, as it tells itself."""
    return [(one["method"], one["path"]) for one in requests_of(platform) if one["method"] != "GET"]


def yes(service: PlatformService, *intents: Intent) -> Confirmation:
    """Return the user's yes to the request of intents."""
    return Confirmation(service.write_service.request(*intents))


@pytest.mark.parametrize(
    "wrong", ["empty", "project", "id", "act", "body", "secret", "trigger", "profile"]
)
async def test_a_write_without_exactly_its_confirmation_is_refused(
    platform: RunningEmulator, wrong: str
) -> None:
    """Nothing reaches the platform; with its own it is sent once."""
    project, failed = platform.project, failed_pipeline(platform)
    retry = RecordAction(WriteAction.RETRY_PIPELINE, project, failed)
    run = started_with(platform, "2026-03-14")
    async with running_service(platform, writes="confirm", is_in_memory=True) as service:
        cases: dict[str, tuple[Intent, Confirmation]] = {
            "empty": (run, yes_to(profile="test")),
            "project": (
                retry,
                yes(service, RecordAction(WriteAction.RETRY_PIPELINE, "another/one", failed)),
            ),
            "id": (
                retry,
                yes(service, RecordAction(WriteAction.RETRY_PIPELINE, project, failed + 1)),
            ),
            "act": (
                retry,
                yes(service, RecordAction(WriteAction.CANCEL_PIPELINE, project, failed)),
            ),
            "body": (run, yes(service, started_with(platform, "2026-03-15"))),
            "secret": (run, yes(service, started_with(platform, "2026-03-14", "another"))),
            "trigger": (run, yes(service, NewPipeline(project, "main", triggered=True))),
            "profile": (run, yes_to(write_of(run), profile="another")),
        }
        intent, confirmed = cases[wrong]
        before = writes_to(platform)
        [state] = await performed(service, exchanged(confirmed, intent))
        assert isinstance(state, Refused)
        assert isinstance(state.error, WriteRefusedError)
        assert state.error.sentence.startswith("Not sent, because not confirmed: ")
        # Also where only the last guard, that of the request, is asked.
        writes = (await service.write_service._started()).write_runner._writes
        with pytest.raises(WriteRefusedError):
            await writes.send(write_of(intent), confirmed)
        with pytest.raises(WriteRefusedError):
            await writes.send(write_of(intent), None)
        assert writes_to(platform) == before
        assert kinds(await performed(service, run)) == [Sent, Done]
        assert len(writes_to(platform)) == len(before) + 1


async def test_a_confirmation_counts_once(platform: RunningEmulator) -> None:
    """One after the other or at the same time; another yes to the same is another one."""
    run = started_with(platform, "2026-03-16")
    async with running_service(platform, writes="confirm", is_in_memory=True) as service:
        before = len(writes_to(platform))
        confirmed = yes(service, run)
        both = await asyncio.gather(*(performed(service, confirmed) for _ in range(2)))
        assert sorted(kinds([states[-1] for states in both]), key=str) == [Done, Refused]
        assert len(writes_to(platform)) == before + 1
        [again] = await performed(service, confirmed)
        assert isinstance(again, Refused)
        assert again.error.sentence == "Already sent: start pipeline."
        assert len(writes_to(platform)) == before + 1
        assert kinds(await performed(service, yes(service, run))) == [Sent, Done]
        assert len(writes_to(platform)) == before + 2


async def test_what_is_confirmed_together_is_sent_each_once(platform: RunningEmulator) -> None:
    """Also the same twice, if the user has confirmed it twice; nothing is added to it."""
    run, other = started_with(platform, "2026-03-17"), started_with(platform, "2026-03-18")
    async with running_service(platform, writes="confirm", is_in_memory=True) as service:
        before = len(writes_to(platform))
        confirmed = yes(service, run, run)
        sending = service.write_service.perform(exchanged(confirmed, run, run, other))
        last = [one async for one in sending][-1]
        assert kinds(last.states) == [Done, Done, Refused]
        assert isinstance(last.stopped, WriteRefusedError)
        assert len(writes_to(platform)) == before + 2


async def test_less_than_was_confirmed_may_be_sent(platform: RunningEmulator) -> None:
    """Whoever stops between two of them has sent the first alone; the other still counts once."""
    run, other = started_with(platform, "2026-03-19"), started_with(platform, "2026-03-20")
    async with running_service(platform, writes="confirm", is_in_memory=True) as service:
        before = len(writes_to(platform))
        confirmed = yes(service, run, other)
        async with aclosing(service.write_service.perform(confirmed)) as sending:
            async for progress in sending:
                if isinstance(progress.states[0], Done):
                    break
        assert len(writes_to(platform)) == before + 1
        last = [one async for one in service.write_service.perform(confirmed)][-1]
        assert kinds(last.states) == [Refused, type(None)]
        assert len(writes_to(platform)) == before + 1
        writes = (await service.write_service._started()).write_runner._writes
        assert (await writes.send(write_of(other), confirmed)).id
        with pytest.raises(WriteRefusedError):
            await writes.send(write_of(other), confirmed)
        assert len(writes_to(platform)) == before + 2


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        (hangs_up, Unknown),
        (says({"message": "409 Conflict"}, "409 Conflict"), Refused),
        (says({"message": "503 Service Unavailable"}, "503 Service Unavailable"), Refused),
    ],
    ids=["lost", "refused", "down"],
)
async def test_a_confirmation_is_used_up_however_it_ended(answer: Any, end: type) -> None:
    """A lost answer is no reason to send it again without another yes."""
    script = in_turn(says([]), answer, says([]))
    async with (
        wire_server(script) as server,
        started(service_at(server.url, writes="confirm", is_in_memory=True)) as service,
    ):
        run = NewPipeline(1, "main")
        confirmed = yes(service, run)
        states = performing(service, confirmed)
        async for state in states:
            if isinstance(state, end):
                break
        await states.aclose()
        [again] = await performed(service, confirmed)
    assert isinstance(again, Refused)
    assert again.error.sentence.startswith("Already sent")
    assert [one.method for one in server.heard].count("POST") == 1


async def test_a_429_uses_no_confirmation_up() -> None:
    """The platform has counted it and not processed it: it goes again, once."""
    limited = says("", "429 Too Many Requests", "text/plain", retry_after="0")
    done = says(PIPELINE, "201 Created")
    async with (
        wire_server(in_turn(says([]), limited, done)) as server,
        started(service_at(server.url, writes="confirm", is_in_memory=True)) as service,
    ):
        run = NewPipeline(1, "main")
        confirmed = yes(service, run)
        assert kinds(await performed(service, confirmed))[-1] is Done
        [again] = await performed(service, confirmed)
    assert isinstance(again, Refused)
    assert [one.method for one in server.heard].count("POST") == 2


def test_confirmations_are_made_where_the_user_answers_only() -> None:
    """In the dashboard's question and in that of the command line."""
    root = Path(platui.__file__).parent
    makers = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        if re.search(r"\bConfirmation\(", file.read_text())
    }
    assert makers == {"ui/dialogs/question.py", "cli/confirmation.py"}
