"""Pipelines (spec §2.2)."""

from __future__ import annotations

from platui.models.wire.people import User
from platui.models.wire.record import (
    Flag,
    FlatText,
    Id,
    JsonText,
    Maybe,
    Moment,
    Number,
    Record,
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

    id: Id
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
