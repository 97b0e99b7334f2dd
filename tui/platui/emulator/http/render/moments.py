"""How moments are written: UTC with milliseconds, commits with their author's own offset."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def moment(when: datetime | None) -> str | None:
    """Return `2026-03-14T03:12:00.000Z`."""
    if when is None:
        return None
    text = when.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def commit_moment(when: datetime) -> str:
    """Return `2026-03-14T04:12:00.000+01:00`: the offset of whoever made the commit."""
    return when.isoformat(timespec="milliseconds")
