"""Smaller strips of Textual: seven empty caches take 1.2 KB of each, and tie it to itself.

They are freed with their widget.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from textual._styles_cache import StylesCache
from textual.cache import FIFOCache
from textual.strip import Strip

if TYPE_CHECKING:
    from types import MemberDescriptorType

    from rich.segment import Segment

_SIZES: Final = {
    "_divide_cache": 2,  # Textual: 4; with and without details, no layouts of long ago
    "_crop_cache": 16,
    "_style_cache": 16,
    "_filter_cache": 4,
    "_line_length_cache": 4,
    "_crop_extend_cache": 4,
    "_offsets_cache": 4,
}


class _LateCache:
    """Makes the cache in a slot of a strip when it is read first."""

    def __init__(self, slot: MemberDescriptorType, size: int) -> None:
        self._slot = slot
        self._size = size

    def __get__(self, strip: Strip, owner: type[Strip]) -> FIFOCache[Any, Any]:
        try:
            cache: FIFOCache[Any, Any] = self._slot.__get__(strip, owner)
        except AttributeError:
            cache = FIFOCache(self._size)
            self._slot.__set__(strip, cache)
        return cache


def _begin(self: Strip, segments: Iterable[Segment], cell_length: int | None = None) -> None:
    self._segments = list(segments)
    self._cell_length = cell_length
    self._render_cache = self._link_ids = self._cell_count = None


_divide: Final = Strip.divide


def _divide_unless_whole(self: Strip, cuts: Iterable[int]) -> Sequence[Strip]:
    """Divide a strip; one that stays whole is not cached in itself: a cycle is freed late."""
    length = self.cell_length
    inside = [cut for cut in cuts if cut <= length]
    return [self] if inside == [length] else _divide(self, inside)


def save_memory() -> None:
    """Change Textual's classes, since most strips are made by Textual itself."""
    if Strip.__init__ is _begin:
        return
    for name, size in _SIZES.items():
        setattr(Strip, name, _LateCache(vars(Strip)[name], size))
    Strip.__init__ = _begin  # type: ignore[method-assign]
    Strip.divide = _divide_unless_whole  # type: ignore[method-assign]
    # As a method, its cache holds the strips of a thousand widgets that are gone.
    StylesCache.get_inner_outer = classmethod(StylesCache.get_inner_outer)  # type: ignore[assignment, arg-type]
