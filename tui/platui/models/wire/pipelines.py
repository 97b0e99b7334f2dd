"""Pipelines (spec §2.2), schedules and variables (§4.3; a schedule itself is not specified)."""

from __future__ import annotations

from platui.models.wire.people import User
from platui.models.wire.record import (
    Flag,
    FlatText,
    JsonText,
    Maybe,
    MaybeFlag,
    MaybeText,
    Moment,
    Number,
    Record,
    Several,
    Text,
    Whole,
)


class DetailedStatus(Record):
    """The platform's own presentation of a status."""

    icon: Text = ""
    text: Text = ""
    label: Text = ""
    group: Text = ""
    tooltip: Text = ""
    has_details: Flag = False
    details_path: Text = ""
    illustration: JsonText = ""
    favicon: Text = ""


class Pipeline(Record):
    """A pipeline; lists omit the fields from `before_sha` on."""

    id: int
    iid: Whole = None
    project_id: Whole = None
    sha: Text = ""
    ref: Text = ""
    status: Text = ""
    source: Text = ""  # `push`, `schedule`, `api`…; not in the specification
    name: Text = ""
    created_at: Moment = None
    updated_at: Moment = None
    web_url: Text = ""
    before_sha: Text = ""
    tag: Flag = False
    yaml_errors: FlatText = ""
    user: Maybe[User] = None
    started_at: Moment = None
    finished_at: Moment = None
    committed_at: Moment = None
    duration: Number = None
    queued_duration: Number = None
    coverage: Number = None
    detailed_status: Maybe[DetailedStatus] = None


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
    id: int
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
