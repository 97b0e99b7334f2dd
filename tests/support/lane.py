"""Lists of pipelines as a platform gives them, written as a word: one letter a pipeline."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from platui.models.wire import Pipeline

if TYPE_CHECKING:
    from collections.abc import Iterable

NOW: Final = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)

STATUS: Final = {
    "g": "success", "r": "failed", "c": "canceled", "s": "skipped", "m": "manual",
    ".": "created", "p": "pending", "*": "running", "?": "of tomorrow",
}  # fmt: skip

HOUR: Final = timedelta(hours=1)


def pipeline(number: int, status: str, **fields: Any) -> Pipeline:
    """Return the pipeline of a number; each began an hour after the one before it, and took 9 min.

    The one numbered 1000 began at NOW.
    """
    began = fields.pop("created_at", NOW - (1000 - number) * HOUR)
    known: dict[str, Any] = {
        "id": number,
        "status": STATUS.get(status, status),
        "ref": "main",
        "sha": f"{number:040x}",
        "created_at": began,
        "updated_at": began and began + timedelta(minutes=9),
    }
    return Pipeline(**(known | fields))


def newest_first(word: str, **fields: Any) -> list[Pipeline]:
    """Return a pipeline a letter: 1000 is the first, and the newest."""
    return [pipeline(1000 - at, letter, **fields) for at, letter in enumerate(word)]


def mixed(pairs: Iterable[tuple[str, dict[str, Any]]]) -> list[Pipeline]:
    """Return a pipeline a pair of letter and fields, the newest first."""
    return [pipeline(1000 - at, letter, **fields) for at, (letter, fields) in enumerate(pairs)]
