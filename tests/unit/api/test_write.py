"""Every write passes one guard."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest
from tests.support.clock import START, FakeClock
from tests.support.performing import yes_to

from platui.api import endpoints
from platui.api.write_guard import UNLOCKED_FOR, WriteGuard
from platui.core.errors import WriteRefusedError
from platui.core.secrets import Secret
from platui.models.values.write_states import AuditEntry
from platui.models.values.writes import (
    Confirmation,
    Encoding,
    NewPipeline,
    NewProject,
    RunVariable,
    WriteMode,
)

NEW = NewPipeline(
    "group/name",
    "main",
    pipeline_file="load-ci.yml",
    variables=(RunVariable("DAY", "2026-03-14"), RunVariable("KEY", Secret("planted-secret"))),
)
WRITE = endpoints.pipelines.start(NEW)
YES = yes_to(WRITE)
OTHER = endpoints.pipelines.start(NewPipeline("group/other", "main"))


def test_off_lets_nothing_through() -> None:
    """Not confirmed, not unlocked: never."""
    guard = WriteGuard(WriteMode.OFF, FakeClock())
    with pytest.raises(WriteRefusedError):
        guard.allow(WRITE, YES)
    with pytest.raises(WriteRefusedError):
        guard.unlock()


def test_locked_opens_for_fifteen_minutes() -> None:
    """And shuts by itself, or by hand."""
    clock = FakeClock()
    guard = WriteGuard(WriteMode.LOCKED, clock)
    with pytest.raises(WriteRefusedError):
        guard.allow(WRITE, YES)
    guard.unlock()
    guard.allow(WRITE, YES)
    clock.jump(UNLOCKED_FOR - 1)
    assert guard.unlocked_for == pytest.approx(1)
    guard.allow(WRITE, YES)
    clock.jump(1)
    with pytest.raises(WriteRefusedError):
        guard.allow(WRITE, YES)
    guard.unlock()
    guard.lock()
    with pytest.raises(WriteRefusedError):
        guard.allow(WRITE, YES)


@pytest.mark.parametrize("confirmed", [None, yes_to(), yes_to(OTHER), yes_to(WRITE, profile="dev")])
def test_a_yes_is_a_yes_to_one_thing(confirmed: Confirmation | None) -> None:
    """No confirmation, or that of another write, is none; also while unlocked."""
    for mode in (WriteMode.CONFIRM, WriteMode.LOCKED):
        guard = WriteGuard(mode, FakeClock())
        guard.unlock()
        with pytest.raises(WriteRefusedError):
            guard.allow(WRITE, confirmed)
        guard.allow(WRITE, YES)


def test_secrets_of_a_write_do_not_show() -> None:
    """Not in its repr, its confirmation, or the audit line."""
    trigger = endpoints.pipelines.trigger(NEW, Secret("planted-token"))
    entry = AuditEntry(START, "prod", trigger.name, trigger.path, "sent")
    for text in (repr(WRITE), repr(trigger), repr(YES), repr(NEW), entry.line()):
        assert "planted" not in text


def test_an_audit_line_is_one_line_of_json() -> None:
    """Whatever the result says."""
    entry = AuditEntry(START, "prod", "start pipeline", "projects/1/pipeline", "refused: a\nb")
    assert "\n" not in entry.line()
    assert json.loads(entry.line())["result"] == "refused: a\nb"


def test_variables_are_written_as_the_spec_names_them() -> None:
    """`value`, or `variable_type` with `secret_value`; the pipeline file first."""
    assert WRITE.target == "projects/group%2Fname/pipeline?ref=main"
    assert WRITE.payload == {
        "variables": [
            {"key": "_PIPELINE_FILE_NAME", "value": "load-ci.yml"},
            {"key": "DAY", "value": "2026-03-14"},
            {"key": "KEY", "variable_type": "env_var", "secret_value": "planted-secret"},
        ],
    }
    form = endpoints.pipelines.trigger(NEW, Secret("planted-token"))
    assert form.payload == (
        ("token", "planted-token"),
        ("ref", "main"),
        ("variables[_PIPELINE_FILE_NAME]", "load-ci.yml"),
        ("variables[DAY]", "2026-03-14"),
        ("variables[KEY]", "planted-secret"),
    )
    assert form.credential == "token"


def test_a_projects_access_has_a_form_field_of_its_own() -> None:
    """Spec §4.3: `permissions[project_access]`."""
    new = NewProject("etl", "loads", project_access="30", encoding=Encoding.FORM)
    assert endpoints.projects.create(new).payload == (
        ("name", "etl"),
        ("description", "loads"),
        ("permissions[project_access]", "30"),
    )


class _Slept(FakeClock):
    """A clock of a machine that can be put to sleep."""

    asleep = timedelta()

    def now(self) -> datetime:
        """Return the wall time, which the sleep has not stopped."""
        return super().now() + self.asleep


@pytest.mark.parametrize(("asleep", "opened"), [(60, True), (3600, False), (-3600, True)])
def test_a_machine_that_slept_wakes_up_locked(asleep: int, opened: bool) -> None:  # noqa: FBT001
    """Its monotonic clock stood still meanwhile; a wall clock set back opens nothing longer."""
    clock = _Slept()
    guard = WriteGuard(WriteMode.LOCKED, clock)
    guard.unlock()
    clock.asleep = timedelta(seconds=asleep)
    assert bool(guard.unlocked_for) is opened
    assert guard.unlocked_for <= UNLOCKED_FOR
    assert (guard.problem == "") is opened
    clock.jump(UNLOCKED_FOR)
    assert not guard.unlocked_for
