"""The token and the platform of a session."""

from __future__ import annotations

from datetime import date
from typing import Annotated, TypeAlias

from platui.models.wire.record import OrElse, Record, Text, Texts

_Day: TypeAlias = Annotated[date | None, OrElse(None)]


class AccessToken(Record):
    """A personal, project or group token, without its text."""

    name: Text = ""
    scopes: Texts = ()
    expires_at: _Day = None  # Invalid from midnight UTC of this day; None: unknown or never


class Version(Record):
    version: Text = ""
