"""Writes through the service's door, on an emulated platform."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.support.service import running_service

from platui.core.errors import WriteRefusedError
from platui.core.secrets import Secret
from platui.models.values.drafts import DraftSource
from platui.models.values.write_states import Done, Refused, Sent, WriteState
from platui.models.values.writes import Confirmation, Intent, NewPipeline, RunVariable

if TYPE_CHECKING:
    from platui.emulator.server import RunningEmulator
    from platui.service import PlatformService


async def performed(service: PlatformService, intent: Intent) -> list[WriteState]:
    """Say yes to an intent and return all that becomes of it."""
    yes = Confirmation(service.plan(intent).key)
    return [state async for state in service.perform(intent, yes)]


async def test_a_pipeline_is_started_once_confirmed(platform: RunningEmulator) -> None:
    """The new pipeline comes back with its id and address."""
    intent = NewPipeline(platform.project, "main")
    async with running_service(platform, writes="confirm") as service:
        states = await performed(service, intent)
    assert [type(state) for state in states] == [Sent, Done]
    assert isinstance(states[-1], Done)
    assert states[-1].outcome.kind == "pipeline"
    assert states[-1].outcome.id
    assert states[-1].outcome.web_url.endswith(str(states[-1].outcome.id))


async def test_a_yes_to_something_else_sends_nothing(platform: RunningEmulator) -> None:
    """What was confirmed is what is sent, to the letter."""
    intent = NewPipeline(platform.project, "main")
    async with running_service(platform, writes="confirm") as service:
        yes = Confirmation(service.plan(NewPipeline(platform.project, "main", "x-ci.yml")).key)
        [state] = [state async for state in service.perform(intent, yes)]
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
        draft = await service.rerun(platform.project, done.outcome.id)
        history = await service.run_history(platform.project)
    assert draft.source is DraftSource.SENT
    assert draft.new == replace(intent, variables=(values[0], RunVariable("KEY", Secret(""))))
    assert draft.unknown == ("the value of KEY",)
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
        draft = await service.rerun(platform.project, done.outcome.id)
    assert draft.source is DraftSource.VARIABLES
    assert [item.key for item in draft.new.variables] == ["DAY", "KEY"]
    assert draft.unknown == ("the pipeline file", "the value of KEY")
