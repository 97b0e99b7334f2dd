"""Namespaces and projects (spec §2.7). `runners_token` is a secret and never read."""

from __future__ import annotations

from platui.models.wire.record import Flag, Id, Maybe, Moment, Record, Text, Texts, Whole


class Namespace(Record):
    """A group, or the namespace of a user."""

    id: Id
    name: Text = ""
    path: Text = ""
    kind: Text = ""  # `group` or `user`
    full_path: Text = ""
    parent_id: Whole = None
    avatar_url: Text = ""
    web_url: Text = ""
    members_count_with_descendants: Whole = None


class Access(Record):
    """An access level: 10 guest to 50 owner."""

    access_level: Whole = None


class Permissions(Record):
    project_access: Maybe[Access] = None
    group_access: Maybe[Access] = None


class Project(Record):
    id: Id
    description: Text = ""
    name: Text = ""
    name_with_namespace: Text = ""
    path: Text = ""
    path_with_namespace: Text = ""
    namespace: Maybe[Namespace] = None
    default_branch: Text = ""
    web_url: Text = ""
    http_url_to_repo: Text = ""
    ssh_url_to_repo: Text = ""
    readme_url: Text = ""
    avatar_url: Text = ""
    visibility: Text = ""
    tag_list: Texts = ()
    topics: Texts = ()
    archived: Flag = False
    empty_repo: Flag = False
    ci_config_path: Text = ""
    star_count: Whole = None
    forks_count: Whole = None
    open_issues_count: Whole = None
    created_at: Moment = None
    last_activity_at: Moment = None
    permissions: Maybe[Permissions] = None
