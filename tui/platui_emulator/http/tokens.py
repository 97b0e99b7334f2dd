"""Scopes (GitLab's, spec §5.2 rule 7) and validity of the tokens that every owner has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

READ_SCOPES: Final = ("api", "read_api")
"""Each of these scopes allows reading."""

WRITE_SCOPE: Final = "api"
REPORT_SCOPE: Final = "reporting"

_AGE: Final = timedelta(days=40)


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of token that every owner has."""

    name: str
    scopes: tuple[str, ...]
    why: str
    days: int | None = None
    """Days until it ends, counted from the platform's first; None for no end."""
    revoked: bool = False

    def expires_on(self, opened: date) -> date | None:
        """Return the day on which it is no longer good."""
        return None if self.days is None else opened + timedelta(days=self.days)


FULL: Final = 1
SECOND: Final = 2
READ_ONLY: Final = 3
WITHOUT_SCOPE: Final = 4
EXPIRED: Final = 5
REVOKED: Final = 6
EXPIRING_SOON: Final = 7

ACCESS_TOKENS: Final[Mapping[int, Shape]] = {
    FULL: Shape("everyday", ("api",), "May do all that its owner may."),
    SECOND: Shape("spare", ("api",), "Like the first, and uses the same quota (spec §8)."),
    READ_ONLY: Shape("look, don't touch", ("read_api",), "Reads; every write is 403.", 180),
    WITHOUT_SCOPE: Shape(
        "clone only", ("read_repository",), "Known, and lacks the scope for the API: 403.", 90
    ),
    EXPIRED: Shape("last year's", ("api",), "Expired yesterday: 401 with that reason.", -1),
    REVOKED: Shape("leaked", ("api",), "Revoked: 401 with that reason.", 90, revoked=True),
    EXPIRING_SOON: Shape("not renewed", ("api",), "Valid for three more days, with a warning.", 3),
}

ORGANIZATION_KEYS: Final[Mapping[int, Shape]] = {
    FULL: Shape("reporting", (REPORT_SCOPE,), "Fetches the report (spec 5.1)."),
    SECOND: Shape("no scope", (), "Known, and lacks the scope `reporting`: 403."),
    READ_ONLY: Shape("expired", (REPORT_SCOPE,), "Ended yesterday: 401.", -1),
}
EXPIRED_KEY: Final = READ_ONLY

TRIGGER_TOKENS: Final[Mapping[int, Shape]] = {
    FULL: Shape("trigger", (), "Triggers pipelines of one project only; 404 elsewhere."),
}

JOB_TOKEN: Final = Shape(
    "CI_JOB_TOKEN", (WRITE_SCOPE,), "Good while its job runs, for what GitLab opens to jobs."
)
"""What it may do is a matter of endpoints and of its user (spec §5.2 rule 4), not of scopes."""


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """The facts of a token that the platform shows to its owner."""

    id: int
    shape: Shape
    user_id: int
    created_at: datetime
    last_used_at: datetime
    expires_on: date | None


def created_at(opened: date) -> datetime:
    return datetime.combine(opened, time(8, 30), UTC) - _AGE
