"""Schedules and variables (spec §4.3; a schedule itself is not specified)."""

from __future__ import annotations

from platui.models.wire.people import User
from platui.models.wire.pipelines import Pipeline
from platui.models.wire.record import (
    Flag,
    Id,
    JsonText,
    Maybe,
    MaybeFlag,
    MaybeText,
    Moment,
    Record,
    Several,
    Text,
)


class Variable(Record):
    """A variable of a pipeline or schedule; its value may be secret: do not log it."""

    key: Text = ""
    value: MaybeText = None  # None: hidden by the platform, a secret
    variable_type: Text = ""
    raw: Flag = False


class ScheduleInput(Record):
    """An input of a schedule's pipelines, in newer releases."""

    name: Text = ""
    value: JsonText = ""


class Schedule(Record):
    id: Id
    description: Text = ""
    ref: Text = ""  # May be a full ref: `refs/heads/main`
    cron: Text = ""
    cron_timezone: Text = ""
    next_run_at: Moment = None
    active: MaybeFlag = None
    created_at: Moment = None
    updated_at: Moment = None
    owner: Maybe[User] = None
    last_pipeline: Maybe[Pipeline] = None
    variables: Several[Variable] = ()
    """Only for the owner and maintainers, and only in the details of a schedule."""
    inputs: Several[ScheduleInput] = ()
