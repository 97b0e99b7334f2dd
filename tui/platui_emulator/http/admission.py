"""Who comes in where: which credential a request shows, and which routes that opens (spec §5.2)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui_emulator.http.credentials import Credential, Kind
from platui_emulator.http.failures import unauthorized

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from platui_emulator.http.call import Call
    from platui_emulator.http.platform import Platform

_TRIGGER: Final = "projects/{project}/trigger/pipeline"
"""Its credential is a field."""

_WHATEVER_SCOPE: Final = frozenset({_TRIGGER, "personal_access_tokens/self"})

_FOR_JOBS: Final = frozenset({_TRIGGER, "job"})
"""What a job's token opens besides artifacts: "specific endpoints" in the spec, here those of
GitLab 15 that this platform has. With a job's token everything else is as without any: 401."""

_READS: Final = frozenset({"GET", "HEAD"})


def shown_credential(platform: Platform, headers: Headers, now: datetime) -> Credential | None:
    """Return the credential of the headers; that of job tokens is GitLab's, not in the spec."""
    credentials = platform.credentials
    if access_token := headers.get("private-token") or bearer(headers):
        return credentials.access_credential(access_token, now)
    if job_token := headers.get("job-token"):
        return credentials.job_credential(job_token, now)
    return None


def check_route(call: Call) -> None:
    """Refuse a caller whose credential does not open the route at all. Raises ApiFailure."""
    method, _, pattern = call.route.partition(" ")
    if call.shown is None:
        if pattern != _TRIGGER:
            raise unauthorized()
    elif call.shown.kind is Kind.JOB and not _is_for_jobs(method, pattern):
        raise unauthorized()
    elif pattern not in _WHATEVER_SCOPE:
        if method in _READS:
            call.require_read_scope()
        else:
            call.require_write_scope()


def _is_for_jobs(method: str, pattern: str) -> bool:
    artifacts = method in _READS and "artifacts" in pattern.split("/")
    return artifacts or pattern in _FOR_JOBS


def bearer(headers: Headers) -> str:
    """Return the token of an `Authorization: Bearer` header, or nothing."""
    scheme, _, text = headers.get("authorization", "").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else ""
