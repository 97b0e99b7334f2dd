"""Users of pipelines, jobs, schedules and `/user` (spec §2.4)."""

from __future__ import annotations

from typing import Annotated

from platui.models.wire.record import Id, Moment, OrElse, Record, Text


class User(Record):
    """A person or bot."""

    id: Annotated[Id, OrElse(0)] = 0  # 0: the platform sends the name only
    name: Text = ""
    username: Text = ""
    state: Text = ""
    avatar_url: Text = ""
    web_url: Text = ""
    email: Text = ""
    created_at: Moment = None
    bio: Text = ""
    bio_html: Text = ""
    location: Text = ""
    public_email: Text = ""
    skype: Text = ""
    linkedin: Text = ""
    twitter: Text = ""
    website_url: Text = ""
    organization: Text = ""
    job_title: Text = ""
    work_information: Text = ""
