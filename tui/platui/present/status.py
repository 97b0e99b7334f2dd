"""Statuses of pipelines and jobs: glyph, word and role."""

from __future__ import annotations

from typing import Final

from platui.core.text import shorten
from platui.models.values.table import BLANK, Cell, Role

_KNOWN: Final[dict[str, tuple[str, Role]]] = {
    "success": ("✔", "success"),
    "failed": ("✖", "failed"),
    "running": ("●", "running"),
    "pending": ("◌", "pending"),
    "created": ("…", "muted"),
    "waiting_for_resource": ("◌", "pending"),
    "preparing": ("◌", "pending"),
    "waiting_for_callback": ("◌", "pending"),
    "canceling": ("■", "canceled"),
    "canceled": ("■", "canceled"),
    "skipped": ("»", "skipped"),
    "manual": ("▶", "manual"),
    "scheduled": ("◷", "pending"),
}

STATUSES: Final = tuple(_KNOWN)

_WORDS: Final = {"waiting_for_resource": "waiting", "waiting_for_callback": "waiting"}

_PHRASES: Final = {
    "success": "succeeded",
    "failed": "failed",
    "canceled": "was canceled",
    "skipped": "was skipped",
    "canceling": "is being canceled",
    "waiting_for_resource": "waits for a resource",
    "waiting_for_callback": "waits for a callback",
}

FAILED: Final = "failed"

_ORDER: Final = (
    "failed", "running", "pending", "preparing", "waiting_for_resource", "waiting_for_callback",
    "created", "canceling", "manual", "scheduled", "canceled", "skipped", "success",
)  # fmt: skip


def role_of(status: str) -> Role:
    return _KNOWN.get(status, ("", "text"))[1]


def glyph_of(status: str) -> str:
    return _KNOWN.get(status, ("?", "text"))[0]


def status_cell(status: str) -> Cell:
    if not status:
        return BLANK
    if status not in _KNOWN:
        return Cell(shorten(status, 20))
    glyph, role = _KNOWN[status]
    return Cell(f"{glyph} {_WORDS.get(status, status)}", role)


def severity(status: str) -> int:
    """Return the sort position of a status, worst first; unknown ones last."""
    return _ORDER.index(status) if status in _ORDER else len(_ORDER)


def standing(status: str) -> str:
    """Return a status as the end of a sentence: `is running`, `failed`."""
    return _PHRASES.get(status) or f"is {shorten(status, 40).replace('_', ' ')}"
