"""Counts and sizes as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing


_MOST_WORDS: Final = 16  # Characters of a filter
_MOST_QUOTED: Final = 60


def counted(count: int, noun: str, *, more: bool = False) -> str:
    """Return a number with its noun: `1 line`, `41,203 lines`; with `more`, `17+ lines`."""
    return f"{count:,}{'+' * more} {plural(count + more, noun)}"


def plural(count: int, noun: str) -> str:
    if count == 1:
        return noun
    return "people" if noun == "person" else f"{noun}s"


def not_loaded(listing: Listing[Any]) -> str:
    """Return how much of a list is missing: `4,900 not loaded`."""
    missing = (listing.total or 0) - len(listing.items)
    return f"{missing:,} not loaded" if missing > 0 else "more not loaded"


def quoted(words: str) -> str:
    """Return typed words for a message: a paste of kilobytes leaves room for the rest."""
    return f"“{shorten(words, _MOST_QUOTED)}”"


def hidden_by(words: str, count: int) -> str:
    """Return what a filter hides: `/dbt hides 42`; long words leave room for keys beside it."""
    return f"/{shorten(words, _MOST_WORDS)} hides {count}"


def some_of(names: Sequence[str], most: int) -> str:
    """Return the first names and the number of others: `a, b and 3 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + f" and {more} more" * (more > 0)


def lines_in_sight(first: int, end: int, total: int) -> str:
    """Return `lines 31–52 of 41,203` or `line 7 of 9`; `first` is from 0, `end` is exclusive."""
    shown = f"line {end:,}" if end == first + 1 else f"lines {first + 1:,}–{end:,}"
    return f"{shown} of {total:,}"


_STEP: Final = 1000
_UNITS: Final = ("kB", "MB", "GB", "TB")


def human_bytes(count: int) -> str:
    """Return a size in the unit that fits, with three figures: `0 bytes`, `28.4 kB`, `1.20 GB`."""
    if count < _STEP:
        return counted(count, "byte")
    size, unit = float(count), 0
    while unit == 0 or (size >= _STEP - 0.5 and unit < len(_UNITS)):
        size /= _STEP
        unit += 1
    places = 2 if size < 10 else 1 if size < 100 else 0  # noqa: PLR2004  (three figures)
    return f"{size:.{places}f} {_UNITS[unit - 1]}"
