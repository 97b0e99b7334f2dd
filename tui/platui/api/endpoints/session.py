"""The credential and the platform; all endpoints are optional."""

from __future__ import annotations

from platui.api.endpoint import Endpoint, record
from platui.models.wire.jobs import Job
from platui.models.wire.people import User
from platui.models.wire.session import AccessToken, Version


def user() -> Endpoint[User]:
    return record("user", User, optional=True)


def token() -> Endpoint[AccessToken]:
    return record("personal_access_tokens/self", AccessToken, cacheable=False, optional=True)


def version() -> Endpoint[Version]:
    return record("version", Version, cacheable=False, optional=True)


def own_job() -> Endpoint[Job]:
    """Get the job of a job token (optional, spec §5.2)."""
    return record("job", Job, cacheable=False, optional=True)
