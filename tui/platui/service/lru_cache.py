"""A bounded mapping that drops the least recently used value."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar, cast

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    def __init__(self, max_size: int, size_of: Callable[[V], int] = lambda _: 1) -> None:
        """Take the limit of the sum of all sizes; the newest value may be larger."""
        self._max_size = max_size
        self._size_of = size_of
        self._size = 0
        self._values: OrderedDict[K, V] = OrderedDict()

    def make_room(self, size: int) -> None:
        """Raise the limit if it is lower."""
        self._max_size = max(self._max_size, size)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        if key not in self._values:
            return False
        self._values.move_to_end(cast("K", key))
        return True

    def __iter__(self) -> Iterator[K]:
        """Yield the keys, least recently used first."""
        return iter(tuple(self._values))

    def get(self, key: K) -> V | None:
        return self._values[key] if key in self else None

    def put(self, key: K, value: V) -> None:
        self.drop(key)
        self._values[key] = value
        self._size += self._size_of(value)
        while self._size > self._max_size and len(self._values) > 1:
            self._size -= self._size_of(self._values.popitem(last=False)[1])

    def drop(self, key: K) -> None:
        if key in self._values:
            self._size -= self._size_of(self._values.pop(key))

    def clear(self) -> None:
        self._values.clear()
        self._size = 0

    def items(self) -> list[tuple[K, V]]:
        return list(self._values.items())
