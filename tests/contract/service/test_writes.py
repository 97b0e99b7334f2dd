"""Writes through the service's door, on an emulated platform."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.performing import exchanged, kinds, performed
from tests.support.platform import api_client, credentials, in_project
from tests.support.service import QUICK, running_service, service_at, service_of, started
from tests.support.wire import Heard, answer, in_turn, says, wire_server

from platui.core.errors import (
    CredentialError,
    ForbiddenError,
    NotFoundError,
    NothingToDoError,
    NotSupportedError,
    PlatuiError,
    RateLimitedError,
    UnauthorizedError,
    WriteRefusedError,
)
from platui.core.paths import config_dir
from platui.core.secrets import Secret
from platui.models.values.connection import ConnectionState
from platui.models.values.drafts import DraftSource, RunForm
from platui.models.values.queries import ProjectsQuery
from platui.models.values.write_states import Done, Refused, Sent, Waiting, WriteProgress
from platui.models.values.writes import (
    Confirmation,
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    RunVariable,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)
from platui.models.wire import Schedule
from platui.present.writes.run_form import unknown_words
from platui.present.writes.states import outcome_words, tally
from platui.service import resources
from platui.store.audit import AuditFile, audit_path

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator


async def test_a_pipeline_is_started_once_confirmed(platform: RunningEmulator) -> None:
    """The new pipeline comes back with its id and address."""
    intent = NewPipeline(platform.project, "main")
    async with running_service(platform, writes="confirm") as service:
        states = await performed(service, intent)
    assert kinds(states) == [Sent, Done]
    assert isinstance(states[-1], Done)
    assert states[-1].outcome.kind == "pipeline"
    assert states[-1].outcome.id
    assert states[-1].outcome.web_url.endswith(str(states[-1].outcome.id))


async def test_a_yes_to_something_else_sends_nothing(platform: RunningEmulator) -> None:
    """What was confirmed is what is sent, to the letter."""
    intent = NewPipeline(platform.project, "main")
    async with running_service(platform, writes="confirm") as service:
        another = NewPipeline(platform.project, "main", "x-ci.yml")
        yes = Confirmation(service.write_service.request(another))
        [state] = await performed(service, exchanged(yes, intent))
    assert isinstance(state, Refused)
    assert isinstance(state.error, WriteRefusedError)


async def test_what_platui_sent_fills_the_form_again(platform: RunningEmulator) -> None:
    """File and variables are known, a secret by its key; a forgetful profile knows it as well."""
    values = (RunVariable("DAY", "2026-03-14"), RunVariable("KEY", Secret("planted-secret")))
    intent = NewPipeline(platform.project, "main", "", values)
    async with running_service(platform, writes="confirm") as service:
        [*_, done] = await performed(service, intent)
        assert isinstance(done, Done)
        assert done.outcome.id is not None
        draft = await service.write_service.rerun(platform.project, done.outcome.id)
        history = await service.write_service.run_history(platform.project)
    assert draft.source is DraftSource.SENT
    assert draft.new == replace(intent, variables=(values[0], RunVariable("KEY", Secret(""))))
    assert (
        unknown_words(RunForm(draft.new.project, file_is_known=False).filled_from(draft), draft)
        == "Unknown: the value of KEY."
    )
    assert history.refs[0] == "main"
    assert history.variables == (draft.new.variables,)


async def test_a_pipeline_of_others_is_drafted_from_its_variables(
    platform: RunningEmulator,
) -> None:
    """Where nothing names the file, the draft says so."""
    values = (RunVariable("DAY", "2026-03-14"), RunVariable("KEY", Secret("planted-secret")))
    intent = NewPipeline(platform.project, "main", "", values)
    async with running_service(platform, writes="confirm") as service:
        [*_, done] = await performed(service, intent)
    assert isinstance(done, Done)
    assert done.outcome.id is not None
    async with running_service(platform, name="other") as service:
        draft = await service.write_service.rerun(platform.project, done.outcome.id)
    assert draft.source is DraftSource.VARIABLES
    assert [item.key for item in draft.new.variables] == ["DAY", "KEY"]
    assert (
        unknown_words(RunForm(draft.new.project, file_is_known=False).filled_from(draft), draft)
        == "Unknown: the pipeline file; the value of KEY."
    )


async def test_a_trigger_token_is_kept_for_its_project(platform: RunningEmulator) -> None:
    """Once it was accepted, another run of platui has it; `forget` removes it for all names."""
    intent = NewPipeline(platform.project, "main", triggered=True)
    async with running_service(platform, writes="confirm") as service:
        assert "from" not in service.write_service.request(intent).credential
        [refused] = await performed(service, intent)
        assert isinstance(refused, Refused)
        assert isinstance(refused.error, CredentialError)
        token = Secret(platform.trigger_token)
        await service.read(resources.projects.project(platform.project))  # has its id
        await service.write_service.keep_trigger_token(platform.project, token)
        assert service.write_service.request(intent).trigger_source == "your input"
        assert not list(config_dir().rglob("*.triggers/*"))
        assert kinds(await performed(service, intent)) == [Sent, Done]
        assert service.write_service.request(intent).trigger_source.startswith("file ")
    assert len(list(config_dir().rglob("*.triggers/*"))) == 2
    async with running_service(platform, writes="confirm") as service:
        tokens = service.write_service.trigger_tokens
        credential = service.write_service.request(intent).credential
        states = await performed(service, intent)
        await service.write_service.keep_trigger_token(platform.project, Secret("wrong"))
        await performed(service, intent)
        assert tokens.source_of(platform.project) == "your input"
        assert tokens.can_forget(platform.project)
        await tokens.forget(platform.project)
        assert tokens.source_of(platform.project).startswith("file ")
        await tokens.forget(platform.project)
        assert not tokens.can_forget(platform.project)
    assert credential.startswith(f"trigger token of {platform.project} from file ")
    assert kinds(states) == [Sent, Done]
    assert not list(config_dir().rglob("*.triggers/*"))


async def test_a_trigger_token_typed_while_another_is_saved_is_not_called_saved(
    platform: RunningEmulator,
) -> None:
    async with running_service(platform, writes="confirm") as service:
        tokens, accepted = service.write_service.trigger_tokens, Secret(platform.trigger_token)
        tokens.keep([platform.project], accepted)
        saving = asyncio.create_task(tokens.accepted(platform.project, accepted))
        await asyncio.sleep(0)
        tokens.keep([platform.project], Secret("another"))
        await saving
        assert tokens.source_of(platform.project) == "your input"


async def test_a_wrong_trigger_token_is_explained(platform: RunningEmulator) -> None:
    """The platform says 404 and no more: it is the token or the project."""
    intent = NewPipeline(platform.project, "main", triggered=True)
    async with running_service(platform, writes="confirm", is_in_memory=True) as service:
        token = credentials(platform)["trigger_other"]
        await service.write_service.keep_trigger_token(platform.project, Secret(token))
        [_, refused] = await performed(service, intent)
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, NotFoundError)
    assert f"(from your input) is not valid for {platform.project}" in refused.error.sentence


async def test_a_rejected_trigger_token_does_not_sign_out() -> None:
    """The access token is another one: the lists go on."""

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        body = {"message": "401 Unauthorized"}
        is_read = heard.method == "GET"
        writer.write(answer([]) if is_read else answer(body, "401 Unauthorized"))

    async with (
        wire_server(script) as server,
        started(service_at(server.url, writes="confirm", is_in_memory=True)) as service,
    ):
        await service.read(resources.projects.projects(ProjectsQuery()))
        await service.write_service.keep_trigger_token(1, Secret("planted-trigger"))
        [_, refused] = await performed(service, NewPipeline(1, "main", triggered=True))
        assert isinstance(refused, Refused)
        assert "trigger token" in refused.error.sentence
        assert service.line.value.state is ConnectionState.ONLINE


async def test_acts_are_done_and_then_known_to_be_offered(platform: RunningEmulator) -> None:
    """By another run of platui, too."""
    async with running_service(platform, writes="confirm") as service:
        [_, done] = await performed(service, NewPipeline(platform.project, "main"))
        assert isinstance(done, Done)
        assert done.outcome.id is not None
        cancel = RecordAction(
            WriteAction.CANCEL_PIPELINE, platform.project, done.outcome.id, "main"
        )
        states = await performed(service, cancel)
    assert isinstance(states[-1], Done)
    assert states[-1].outcome.id == done.outcome.id
    [kept] = (Path(os.environ["XDG_STATE_HOME"]) / "platui" / "sent").glob("*.json")
    assert json.loads(kept.read_bytes())["operations"]["cancel pipeline"][0] is True


async def test_a_platform_without_an_act_says_so_once(narrow_platform: RunningEmulator) -> None:
    """The thing is there and the operation is not: that is remembered, and in every request."""
    async with running_service(narrow_platform, writes="confirm") as service:
        [_, done] = await performed(service, NewPipeline(narrow_platform.project, "main"))
        assert isinstance(done, Done)
        assert done.outcome.id is not None
        for act, number, words in (
            (WriteAction.CANCEL_PIPELINE, done.outcome.id, "cancel a pipeline"),
            (WriteAction.RUN_SCHEDULE, 7, "run a schedule"),
        ):
            intent = RecordAction(act, narrow_platform.project, number)
            refused = (await performed(service, intent))[-1]
            assert isinstance(refused, Refused)
            assert isinstance(refused.error, NotSupportedError)
            assert refused.error.sentence.endswith(f"not support this operation: {words}.")
            assert service.write_service.request(intent).problem == refused.error.sentence
            assert not service.write_service.request(intent).is_supported


async def test_a_thing_that_is_gone_is_no_missing_operation(platform: RunningEmulator) -> None:
    """A 404 of the thing itself stays one."""
    async with running_service(platform, writes="confirm", is_in_memory=True) as service:
        for act in (WriteAction.RETRY_PIPELINE, WriteAction.RETRY_JOB, WriteAction.DELETE_SCHEDULE):
            intent = RecordAction(act, platform.project, 99_999_999)
            refused = (await performed(service, intent))[-1]
            assert isinstance(refused, Refused)
            assert isinstance(refused.error, NotFoundError)
            assert "does not support" not in service.write_service.request(intent).problem


async def test_a_variable_that_is_gone_is_no_missing_operation(platform: RunningEmulator) -> None:
    """Somebody else has removed it, and its schedule is there."""
    new = NewSchedule(platform.project, "without variables", "main", "0 1 * * *", "UTC", False)
    async with running_service(platform, writes="confirm", is_in_memory=True) as service:
        created = (await performed(service, new))[-1]
        assert isinstance(created, Done)
        assert created.outcome.id is not None
        schedule = created.outcome.id
        for value in ("monday", None):
            intent = ScheduleVariable(platform.project, schedule, "DAY", value, exists=True)
            refused = (await performed(service, intent))[-1]
            assert isinstance(refused, Refused)
            assert isinstance(refused.error, NotFoundError)
            assert service.write_service.request(intent).is_supported
        another = ScheduleVariable(platform.project, schedule, "DAY", "monday")
        assert isinstance((await performed(service, another))[-1], Done)


async def test_schedules_and_projects_are_made_and_changed(platform: RunningEmulator) -> None:
    """Through every hand of the service, to the end of the schedule."""
    new = NewSchedule(platform.project, "by a test", "main", "0 1 * * *", "Europe/Berlin", False)
    async with running_service(platform, writes="confirm") as service:
        created = (await performed(service, new))[-1]
        assert isinstance(created, Done)
        assert created.outcome.id is not None
        [sent] = [
            one
            for one in await service.write_service.sent_schedules(platform.project)
            if one.schedule == created.outcome.id
        ]
        assert sent.new == new
        change = ScheduleChange(platform.project, created.outcome.id, cron="0 2 * * *")
        changed = (await performed(service, change))[-1]
        assert isinstance(changed, Done)
        assert isinstance(changed.outcome.record, Schedule)
        assert changed.outcome.record.cron == "0 2 * * *"
        for act in (
            WriteAction.OWN_SCHEDULE,
            WriteAction.RUN_SCHEDULE,
            WriteAction.DELETE_SCHEDULE,
        ):
            states = await performed(
                service, RecordAction(act, platform.project, created.outcome.id, "by a test")
            )
            assert isinstance(states[-1], Done)
            assert states[-1].outcome.id == created.outcome.id
        left = [
            one.schedule for one in await service.write_service.sent_schedules(platform.project)
        ]
        assert created.outcome.id not in left
        made = (await performed(service, NewProject("made-by-a-test", "for a test")))[-1]
    assert isinstance(made, Done)
    assert made.outcome.kind == "project"
    assert made.outcome.id


async def test_marked_rows_are_acted_on_after_one_yes(platform: RunningEmulator) -> None:
    """Each in its turn; the request lists them."""
    async with running_service(platform, writes="confirm", is_in_memory=True) as service:
        intents = []
        for _ in range(3):
            done = (await performed(service, NewPipeline(platform.project, "main")))[-1]
            assert isinstance(done, Done)
            assert done.outcome.id is not None
            intents.append(
                RecordAction(WriteAction.CANCEL_PIPELINE, platform.project, done.outcome.id, "main")
            )
        request = service.write_service.request(*intents)
        assert request.effect == "Cancel 3 pipelines"
        assert len(request.effects) == len(request.http_requests) == len(request.commands) == 3
        yes = Confirmation(request)
        seen = [one async for one in service.write_service.perform(yes)]
    assert seen[-1].is_over
    assert kinds(seen[-1].states) == [Done, Done, Done]


CANCELED = {"id": 7, "status": "canceled"}


@pytest.mark.parametrize(
    ("status", "kind"),
    [("403 Forbidden", ForbiddenError), ("401 Unauthorized", UnauthorizedError)],
)
async def test_a_no_on_the_way_stops_the_rest(status: str, kind: type[PlatuiError]) -> None:
    """What was done is told, and what was not begun."""
    script = in_turn(says(CANCELED), says({"message": status}, status), says(CANCELED))
    intents = [RecordAction(WriteAction.CANCEL_PIPELINE, 1, number) for number in (7, 8, 9)]
    async with (
        wire_server(script) as server,
        started(service_at(server.url, writes="confirm", is_in_memory=True)) as service,
    ):
        yes = Confirmation(service.write_service.request(*intents))
        last = [one async for one in service.write_service.perform(yes)][-1]
    assert kinds(last.states) == [Done, Refused, type(None)]
    assert isinstance(last.stopped, kind)
    assert last.is_over
    assert len(server.heard) == 2


async def test_a_429_on_the_way_stops_the_rest_where_it_does_not_end() -> None:
    """It is waited out first; who is always told to wait stops."""
    limited = says("Retry later", "429 Too Many Requests", "text/plain", Retry_After="60")
    intents = [RecordAction(WriteAction.CANCEL_PIPELINE, 1, number) for number in (7, 8, 9)]
    clock = FakeClock()
    waited = 0
    async with (
        wire_server(in_turn(says(CANCELED), limited)) as server,
        started(
            service_at(server.url, writes="confirm", is_in_memory=True, clock=clock)
        ) as service,
        asyncio.TaskGroup() as moving,
    ):
        yes = Confirmation(service.write_service.request(*intents))
        async for last in service.write_service.perform(yes):
            if isinstance(last.states[1], Waiting):
                waited += 1
                moving.create_task(clock.advance(70))
    assert waited
    assert isinstance(last.stopped, RateLimitedError)
    assert kinds(last.states) == [Done, Refused, type(None)]


async def test_a_project_that_is_gone_is_no_missing_operation() -> None:
    """Neither its schedules nor their list are found, and other projects have both."""
    script = says({"message": "404 Project Not Found"}, "404 Not Found")
    async with (
        wire_server(script) as server,
        started(service_at(server.url, writes="confirm", is_in_memory=True)) as service,
    ):
        [_, refused] = await performed(service, RecordAction(WriteAction.RUN_SCHEDULE, 1, 3))
        again = service.write_service.request(RecordAction(WriteAction.RUN_SCHEDULE, 2, 4))
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, NotFoundError)
    assert again.is_supported


async def test_one_that_cannot_be_done_does_not_stop_the_rest() -> None:
    """A 409 or 422 is about that one thing."""
    script = in_turn(
        says({"message": "409 Conflict: Resource lock"}, "409 Conflict"),
        says({"message": {"base": ["no"]}}, "422 Unprocessable Entity"),
        says(CANCELED),
    )
    intents = [RecordAction(WriteAction.CANCEL_PIPELINE, 1, number) for number in (7, 8, 9)]
    async with (
        wire_server(script) as server,
        started(service_at(server.url, writes="confirm", is_in_memory=True)) as service,
    ):
        yes = Confirmation(service.write_service.request(*intents))
        last = [one async for one in service.write_service.perform(yes)][-1]
    assert kinds(last.states) == [Refused, Refused, Done]
    assert last.stopped is None
    first = last.states[0]
    assert isinstance(first, Refused)
    assert first.error.sentence == "409 Conflict: Resource lock"


async def test_what_has_ended_already_is_told_and_stops_nothing(
    platform: RunningEmulator,
) -> None:
    """Accepted or refused by the platform: nothing was changed, and that is on record, too."""
    with api_client(platform) as client:

        def listed(path: str) -> list[dict[str, Any]]:
            return list(client.get(in_project(platform, path)).json())

        def is_green(pipeline: int) -> bool:
            """Return whether not even a job failed that is allowed to."""
            jobs = listed(f"pipelines/{pipeline}/jobs?per_page=100")
            return all(one["status"] in {"success", "skipped", "manual"} for one in jobs)

        succeeded = (one["id"] for one in listed("pipelines?status=success"))
        green = next(filter(is_green, succeeded))
        [job] = (one["id"] for one in listed("jobs?scope[]=success&per_page=1"))
    project = platform.project
    intents = (
        RecordAction(WriteAction.CANCEL_PIPELINE, project, green),
        RecordAction(WriteAction.RETRY_PIPELINE, project, green),
        RecordAction(WriteAction.CANCEL_JOB, project, job),
        RecordAction(WriteAction.PLAY_JOB, project, job),
    )
    async with running_service(platform, writes="confirm") as service:
        yes = Confirmation(service.write_service.request(*intents))
        last = [one async for one in service.write_service.perform(yes)][-1]
        request = service.write_service.request(intents[0])
    assert kinds(last.states) == [Refused] * 4
    assert last.stopped is None
    errors = [one.error for one in last.states if isinstance(one, Refused)]
    assert {type(one) for one in errors} == {NothingToDoError}
    assert [one.sentence for one in errors] == [
        f"Nothing to cancel: pipeline #{green} has ended (success).",
        f"Nothing to retry: nothing failed in pipeline #{green}.",
        f"Nothing to cancel: job #{job} has ended (success).",
        f"Nothing to play: job #{job} is not manual.",
    ]
    assert errors[3].hint.endswith("400 Bad request - Unplayable Job")
    assert tally(last) == "0 of 4 done, 4 nothing to do"
    assert outcome_words(request, WriteProgress(last.states[:1]), stopped=False) == (
        "Nothing to do", errors[0].sentence,
    )  # fmt: skip
    results = [entry.result for entry in AuditFile(audit_path()).entries()]
    assert f"without effect: {errors[0].sentence}" in results


async def test_a_role_that_is_missing_is_not_called_nothing_to_do() -> None:
    """What was to be done made sense; then the platform's own words stand alone."""
    no = says({"message": "403 Forbidden - Job is not playable"}, "403 Forbidden")
    job = says({"id": 7, "status": "manual", "name": "deploy", "stage": "x"})
    async with (
        wire_server(in_turn(no, job)) as server,
        started(service_at(server.url, writes="confirm", is_in_memory=True)) as service,
    ):
        [_, refused] = await performed(service, RecordAction(WriteAction.PLAY_JOB, 1, 7))
    assert isinstance(refused, Refused)
    assert isinstance(refused.error, ForbiddenError)


@pytest.mark.parametrize(
    ("status", "body", "sentence"),
    [
        ("403 Forbidden", {"message": "403 Forbidden"}, "403 Forbidden"),
        (
            "409 Conflict",
            {"message": "409 Conflict: Resource lock"},
            "409 Conflict: Resource lock",
        ),
        (
            "422 Unprocessable Entity",
            {"message": {"base": ["Reference not found"]}},
            "Reference not found",
        ),
    ],
)
async def test_the_platforms_own_words_say_why_not(
    status: str, body: object, sentence: str
) -> None:
    """Nothing was started, nothing is sent again."""
    async with (
        wire_server(in_turn(says([]), says(body, status))) as server,
        started(service_at(server.url, writes="confirm", is_in_memory=True)) as service,
    ):
        states = await performed(service, NewPipeline(1, "main"))
    assert kinds(states) == [Sent, Refused]
    assert isinstance(states[-1], Refused)
    assert sentence in states[-1].error.sentence
    assert [one.method for one in server.heard] == ["GET", "POST"]


async def test_locked_writes_open_by_the_profiles_name(platform: RunningEmulator) -> None:
    """For 15 minutes, told as the second of their end; then they shut by themselves."""
    intent = NewPipeline(platform.project, "main")
    clock = FakeClock()
    service = service_of(platform, writes="locked", is_in_memory=True, clock=clock)
    yes = Confirmation(service.write_service.request(intent))
    assert service.write_service.request(intent).problem == "Writes are locked in this profile."
    [refused] = await performed(service, yes)
    assert isinstance(refused, Refused)
    with pytest.raises(WriteRefusedError):
        service.write_service.lock.unlock("prod")
    assert service.writes_open_until.value is None
    service.write_service.lock.unlock("test")
    assert service.writes_open_until.value == clock.monotonic() + 15 * 60
    assert service.write_service.request(intent).problem == ""
    await clock.advance(15 * 60)
    assert service.writes_open_until.value is None
    service.write_service.lock.unlock(" test ")
    service.write_service.lock.lock()
    assert service.writes_open_until.value is None
    await service.close()


async def test_writes_that_are_off_stay_off(platform: RunningEmulator) -> None:
    """No name opens them, and `read_only` is stronger than the profile."""
    intent = NewPipeline(platform.project, "main")
    for service in (
        service_of(platform, writes="off", is_in_memory=True),
        service_of(platform, replace(QUICK, read_only=True), writes="confirm", is_in_memory=True),
    ):
        async with started(service):
            assert service.writes == "off"
            with pytest.raises(WriteRefusedError):
                service.write_service.lock.unlock("test")
            [refused] = await performed(service, intent)
            assert isinstance(refused, Refused)
            assert isinstance(refused.error, WriteRefusedError)
