"""One request to the project API, as its handler sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from platui.emulator.http.access import DEVELOPER
from platui.emulator.http.failures import (
    asked_too_often,
    bad_parameters,
    forbidden,
    insufficient_scope,
    not_found,
    over_quota,
    unauthorized,
)
from platui.emulator.http.tokens import READ_SCOPES, WRITE_SCOPE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from starlette.datastructures import Headers

    from platui.emulator.http.credentials import Credential
    from platui.emulator.http.parameters import Parameters
    from platui.emulator.http.platform import Platform
    from platui.emulator.http.quota import Tally
    from platui.emulator.http.render.links import Links
    from platui.emulator.records import Person, Project
    from platui.emulator.world_protocol import World

_MAX_ID_DIGITS = 18
_SAID = {"schedule": "pipeline_schedule"}
"""What the platform calls a part of the path, where it is not our own word."""


@dataclass
class Call:
    """A request whose parameters are read; `tally` is set once it has been counted."""

    platform: Platform
    headers: Headers
    raw_path: str
    query: str
    links: Links
    now: datetime
    """The company's time, the same through the whole request."""
    params: Parameters
    route: str = ""
    """Verb and pattern of the route, such as `GET projects/{project}`, once it is found."""
    path: Mapping[str, str] = field(default_factory=dict)
    shown: Credential | None = None
    """The access credential, or None: only the trigger operation goes without one."""
    charged: Person | None = None
    """Whose quota this request was counted against, once it has been."""
    tally: Tally | None = None

    @property
    def world(self) -> World:
        """Return the company."""
        return self.platform.world

    @property
    def credential(self) -> Credential:
        """Return the access credential, without which nothing but the trigger is served."""
        if self.shown is None:
            raise unauthorized()
        return self.shown

    def charge(self, user: Person) -> None:
        """Count this request against a user's quota.

        Raises:
            ApiFailure: the quota is spent (spec §8).
        """
        now = self.platform.clock.now().timestamp()
        self.charged = user
        ahead = self.platform.time.ahead
        self.tally = self.platform.quota.count(user.id, now, ahead)
        if self.tally.exceeded:
            raise over_quota(self.tally.refusal_headers(now + ahead))

    def charge_jobs(self) -> None:
        """Count this request against the limit that lists of jobs have besides.

        Raises:
            ApiFailure: it is one too many; such an answer has no headers that tell of quotas.
        """
        now = self.platform.clock.now().timestamp()
        if self.platform.jobs_quota.count(self.credential.user.id, now).exceeded:
            self.tally = None
            raise asked_too_often()

    def path_id(self, name: str) -> int:
        """Return a whole number of the path."""
        text = self.path[name]
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_ID_DIGITS):
            raise bad_parameters(f"{_SAID.get(name, name)}_id is invalid")
        return int(text)

    def project(self) -> Project:
        """Return the project of the path, an id or a full path, if the caller sees it."""
        project = self.find_project(self.path["project"])
        if project is None or not self.platform.access.sees(self.credential, project):
            raise not_found("Project")
        return project

    def find_project(self, text: str) -> Project | None:
        """Return a project by id or full path, seen or not."""
        numeric = text.isascii() and text.isdigit() and len(text) <= _MAX_ID_DIGITS
        return self.world.project(int(text) if numeric else text)

    def writable_project(self) -> Project:
        """Return the project of the path, in which the caller may start things."""
        self.require_write_scope()
        project = self.project()
        if self.platform.access.level(self.credential, project) < DEVELOPER:
            raise forbidden()
        return project

    def require_write_scope(self) -> None:
        """Refuse a credential that may only read."""
        if not self.credential.may_write:
            raise insufficient_scope(WRITE_SCOPE)

    def require_read_scope(self) -> None:
        """Refuse a credential that is known and opens nothing."""
        if not self.credential.may_read:
            raise insufficient_scope(*READ_SCOPES)
