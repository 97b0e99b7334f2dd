"""One request to the project API, as its handler sees it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import formatdate
from typing import TYPE_CHECKING, Final

from platui_emulator.http.access import DEVELOPER
from platui_emulator.http.failures import (
    asked_too_often,
    bad_parameters,
    forbidden,
    insufficient_scope,
    not_found,
    over_quota,
    unauthorized,
)
from platui_emulator.http.tokens import READ_SCOPES, WRITE_SCOPE

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from platui_emulator.http.credentials import Credential
    from platui_emulator.http.parameters import Parameters
    from platui_emulator.http.platform import Platform
    from platui_emulator.http.render.people import Links
    from platui_emulator.records import Person, Project
    from platui_emulator.world.company import Company


PERIOD: Final = 60
"""Seconds in a window. Windows are aligned to the clock: everybody starts afresh together."""

_NAME: Final = "throttle_authenticated_api"


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of requests of one user in the current window."""

    limit: int
    observed: int
    reset: int
    """Unix time, by the platform's own clock, at which the next window begins."""

    @property
    def exceeded(self) -> bool:
        """Count a request, and return whether it exceeds the limit."""
        return self.observed > self.limit

    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Name": _NAME,
            "RateLimit-Observed": str(self.observed),
            "RateLimit-Remaining": str(max(0, self.limit - self.observed)),
            "RateLimit-Reset": str(self.reset),
        }

    def refusal_headers(self, now: float) -> dict[str, str]:
        """Return what only a refusal carries besides, at a Unix time of the platform's clock."""
        return {
            "RateLimit-ResetTime": formatdate(self.reset, usegmt=True),
            "Retry-After": str(max(1, math.ceil(self.reset - now))),
        }


class Quota:
    """Counts requests. Refused ones count too, so that `Observed` keeps growing."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._window = 0
        self._counts: dict[int, int] = {}

    def count(self, user_id: int, now: float, ahead: float = 0.0) -> Tally:
        """Count one request at a real Unix time, by which the company's clock may be `ahead`."""
        window = int(now // PERIOD)
        if window != self._window:
            self._window = window
            self._counts.clear()
        observed = self._counts.get(user_id, 0) + 1
        self._counts[user_id] = observed
        return Tally(self.limit, observed, math.ceil((window + 1) * PERIOD + ahead))


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
    params: Parameters
    route: str = ""
    """Verb and pattern of the route, such as `GET projects/{project}`, once it is found."""
    path: Mapping[str, str] = field(default_factory=dict)
    shown: Credential | None = None
    """The access credential, or None: only the trigger operation goes without one."""
    charged: Person | None = None
    tally: Tally | None = None

    @property
    def world(self) -> Company:
        return self.platform.world

    @property
    def credential(self) -> Credential:
        """Return the access credential, without which nothing but the trigger is served."""
        if self.shown is None:
            raise unauthorized()
        return self.shown

    def charge(self, user: Person) -> None:
        """Count this request against a user's quota. Raises ApiFailure: it is spent (spec §8)."""
        now = self.platform.clock.now().timestamp()
        self.charged = user
        ahead = self.platform.time.ahead
        self.tally = self.platform.quota.count(user.id, now, ahead)
        if self.tally.exceeded:
            raise over_quota(self.tally.refusal_headers(now + ahead))

    def charge_jobs(self) -> None:
        """Count this request against the separate limit of job lists. Raises ApiFailure."""
        now = self.platform.clock.now().timestamp()
        if self.platform.jobs_quota.count(self.credential.user.id, now).exceeded:
            self.tally = None
            raise asked_too_often()

    def path_id(self, name: str) -> int:
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
        """Return the project of the path if the caller may start pipelines in it."""
        self.require_write_scope()
        project = self.project()
        if self.platform.access.level(self.credential, project) < DEVELOPER:
            raise forbidden()
        return project

    def require_write_scope(self) -> None:
        if not self.credential.may_write:
            raise insufficient_scope(WRITE_SCOPE)

    def require_read_scope(self) -> None:
        """Refuse a credential that is known and opens nothing."""
        if not self.credential.may_read:
            raise insufficient_scope(*READ_SCOPES)
