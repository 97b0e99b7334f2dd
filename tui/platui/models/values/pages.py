"""Pages of a list as they come, and a list as far as it is loaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list operation (spec §8)."""

    items: tuple[T, ...]
    number: int
    next: int | None
    """Number of the page after this one; None at the end."""
    total: int | None = None
    """How many there are in all; absent where the platform does not count."""
    mark: int = 0
    """Names the items as they came, where some were not asked for and left out; 0: none were."""


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """The items of a list that are loaded so far, each once."""

    items: tuple[T, ...] = field(default=())
    total: int | None = None
    complete: bool = False
    """Whether nothing is left to load."""
    loading: bool = False
    """Whether more is on its way because somebody asked for it."""
    offered: bool = True
    """Whether the platform has such a list at all."""
    repeats: bool = False
    """Whether the platform gave the same page again instead of a further one."""
