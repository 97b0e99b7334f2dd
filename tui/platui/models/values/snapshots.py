"""What a feed yields: a value, how old it is, and what stands in the way of a newer one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.errors import PlatuiError

T = TypeVar("T")


class Source(StrEnum):
    """Where a snapshot's value came from."""

    NOTHING = "nothing"
    CACHE = "cache"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[T]):
    """The state of one piece of server truth at one moment."""

    value: T | None
    source: Source
    fetched_at: datetime | None
    """When the platform said so (UTC); None while there is no value."""
    error: PlatuiError | None = None
    """Why the value could not be renewed; the value of before stays."""
    refreshing: bool = False
    """Whether a request for a newer value is under way."""
    settled: bool = False
    """Whether the value cannot change any more (a finished pipeline's jobs)."""
