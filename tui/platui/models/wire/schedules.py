"""Pipeline schedules and variables (spec §4.3; the stored record is not in it)."""

from __future__ import annotations

from platui.models.wire.people import User
from platui.models.wire.pipelines import Pipeline
from platui.models.wire.record import (
    Flag,
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
    """A variable of a pipeline or schedule. Its value may be a secret: do not log it."""

    key: Text = ""
    value: MaybeText = None
    """None where the platform keeps it to itself: it is a secret."""
    variable_type: Text = ""
    raw: Flag = False


class ScheduleInput(Record):
    """An input that a schedule gives to its pipelines, as newer releases have them."""

    name: Text = ""
    value: JsonText = ""


class Schedule(Record):
    """A pipeline schedule."""

    id: int
    description: Text = ""
    ref: Text = ""
    """May be written in full: `refs/heads/main`."""
    cron: Text = ""
    cron_timezone: Text = ""
    next_run_at: Moment = None
    active: MaybeFlag = None
    created_at: Moment = None
    updated_at: Moment = None
    owner: Maybe[User] = None
    last_pipeline: Maybe[Pipeline] = None
    variables: Several[Variable] = ()
    """Only to its owner and to maintainers, and only in the record of its own."""
    inputs: Several[ScheduleInput] = ()
