"""By what a write is known that may have happened."""

from __future__ import annotations

from typing import Any

import pytest

from platui.models.values.writes import (
    Intent,
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)
from platui.models.wire import Job, Pipeline, Project, Schedule, Variable
from platui.service.writes.probe_targets import ChangedRecord, NewRecord, probe_target

SHA = "8f2c1abd" * 5
RUN = NewPipeline(7, "main")
HIDDEN = Schedule(id=1, variables=(Variable(key="DAY"),))
PLAN = NewSchedule(7, "nightly", "main", "0 1 * * *")


@pytest.mark.parametrize(
    ("intent", "record", "matches"),
    [
        (RUN, Pipeline(id=1, ref="main", source="api"), True),
        (RUN, Pipeline(id=1, ref="main"), True),
        (RUN, Pipeline(id=1, ref="refs/heads/main", source="trigger"), True),
        (RUN, Pipeline(id=1, ref="dev", source="api"), False),
        (RUN, Pipeline(id=1, ref="main", source="push"), False),
        (RUN, Pipeline(id=1, ref="main", source="schedule"), False),
        (NewPipeline(7, SHA[:8]), Pipeline(id=1, ref="main", sha=SHA), True),
        (NewPipeline(7, SHA[:4]), Pipeline(id=1, ref="main", sha=SHA), False),
        (PLAN, Schedule(id=1, description="nightly", ref="refs/heads/main"), True),
        (PLAN, Schedule(id=1, description="weekly", ref="main"), False),
        (PLAN, Schedule(id=1, description="nightly", ref="dev"), False),
        (NewProject("sales"), Project(id=1, name="sales"), True),
        (NewProject("sales"), Project(id=1, name="sales-2"), False),
        (RecordAction(WriteAction.RETRY_JOB, 7, 3, "load"), Job(id=9, name="load"), True),
        (RecordAction(WriteAction.RETRY_JOB, 7, 3, "load"), Job(id=9, name="test"), False),
        (
            RecordAction(WriteAction.RUN_SCHEDULE, 7, 3),
            Pipeline(id=1, ref="main", source="schedule"),
            True,
        ),
        (
            RecordAction(WriteAction.RUN_SCHEDULE, 7, 3),
            Pipeline(id=1, ref="main", source="push"),
            False,
        ),
    ],
)
def test_a_new_thing_is_known_by_what_was_asked_for(
    intent: Intent,
    record: Any,
    matches: bool,  # noqa: FBT001  (a parameter of the table)
) -> None:
    """A ref may be written in full, a source be left out."""
    target = probe_target(intent)
    assert isinstance(target, NewRecord)
    assert target.matches(record) is matches


@pytest.mark.parametrize(
    ("intent", "record", "shows"),
    [
        (RecordAction(WriteAction.CANCEL_PIPELINE, 7, 1), Pipeline(id=1, status="canceling"), True),
        (RecordAction(WriteAction.CANCEL_PIPELINE, 7, 1), Pipeline(id=1, status="running"), False),
        (RecordAction(WriteAction.CANCEL_JOB, 7, 1), Job(id=1, status="canceled"), True),
        (RecordAction(WriteAction.CANCEL_JOB, 7, 1), Job(id=1, status="success"), False),
        (RecordAction(WriteAction.RETRY_PIPELINE, 7, 1), Pipeline(id=1, status="running"), True),
        (RecordAction(WriteAction.RETRY_PIPELINE, 7, 1), Pipeline(id=1, status="failed"), False),
        (RecordAction(WriteAction.RETRY_PIPELINE, 7, 1), Pipeline(id=1), False),
        (RecordAction(WriteAction.PLAY_JOB, 7, 1), Job(id=1, status="pending"), True),
        (RecordAction(WriteAction.PLAY_JOB, 7, 1), Job(id=1, status="manual"), False),
        (RecordAction(WriteAction.PLAY_JOB, 7, 1), Job(id=1, status="scheduled"), False),
        (RecordAction(WriteAction.DELETE_SCHEDULE, 7, 1), Schedule(id=1), False),
        (ScheduleChange(7, 1, cron="0 2 * * *"), Schedule(id=1, cron="0 2 * * *"), True),
        (ScheduleChange(7, 1, cron="0 2 * * *"), Schedule(id=1, cron="0 1 * * *"), False),
        (ScheduleChange(7, 1, active=False), Schedule(id=1, active=False), True),
        (ScheduleChange(7, 1, active=False), Schedule(id=1, active=True), False),
        (ScheduleChange(7, 1, ref="main"), Schedule(id=1, ref="refs/heads/main"), True),
        (ScheduleChange(7, 1, ref="main"), Schedule(id=1, ref="dev"), False),
        (ScheduleVariable(7, 1, "DAY", "monday"), HIDDEN, False),
        (ScheduleVariable(7, 1, "DAY", None), HIDDEN, False),
        (ScheduleVariable(7, 1, "NIGHT", None), HIDDEN, True),
    ],
)
def test_a_change_is_seen_in_the_thing_itself(
    intent: Intent,
    record: Any,
    shows: bool,  # noqa: FBT001  (a parameter of the table)
) -> None:
    """What nobody wished to change is not looked at."""
    target = probe_target(intent)
    assert isinstance(target, ChangedRecord)
    assert target.shows(record) is shows
