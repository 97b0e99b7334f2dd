"""Commits of a repository (spec §2.5)."""

from __future__ import annotations

from platui.models.wire.record import Moment, Record, Text, Texts


class Commit(Record):
    """A commit; in jobs and branches some fields may be missing."""

    id: Text = ""
    short_id: Text = ""
    title: Text = ""
    message: Text = ""
    author_name: Text = ""
    author_email: Text = ""
    committer_name: Text = ""
    committer_email: Text = ""
    created_at: Moment = None
    authored_date: Moment = None
    committed_date: Moment = None
    parent_ids: Texts = ()
    web_url: Text = ""
