"""What a platform says of the token it is asked with, and of itself (neighbours)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, TypeAlias

from platui.models.wire.record import MaybeFlag, OrElse, Record, Text, Texts, Whole

_Day: TypeAlias = Annotated[date | None, OrElse(None)]


class AccessToken(Record):
    """A personal, project or group token; never its text."""

    id: Whole = None
    name: Text = ""
    scopes: Texts = ()
    user_id: Whole = None
    revoked: MaybeFlag = None
    active: MaybeFlag = None
    expires_at: _Day = None
    """The day on which, at midnight UTC, it is no longer good; None: none, or not told."""


class Version(Record):
    """The release."""

    version: Text = ""
    revision: Text = ""
