"""A bounded mapping that drops the least recently used value."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar, cast

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._values: OrderedDict[K, V] = OrderedDict()

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
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._max_size:
            self._values.popitem(last=False)

    def drop(self, key: K) -> None:
        self._values.pop(key, None)

    def clear(self) -> None:
        self._values.clear()

    def items(self) -> list[tuple[K, V]]:
        return list(self._values.items())
