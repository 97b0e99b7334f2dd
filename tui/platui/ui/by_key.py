"""Records of a list by the keys of their rows: made anew only when the list is another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Numbered(Protocol):
    """Something with an id."""

    @property
    def id(self) -> int:
        """Return its id."""
        ...


T = TypeVar("T", bound=Numbered)


class ByKey(Generic[T]):
    """With 10,000 marked rows, to look through the list for each would take minutes."""

    def __init__(self) -> None:
        self._records: Sequence[T] | None = None
        self._found: dict[str, T] = {}

    def of(self, records: Sequence[T]) -> Mapping[str, T]:
        """Return the records by key; they are told apart from others by identity."""
        if records is not self._records:
            self._records = records
            self._found = {str(record.id): record for record in records}
        return self._found
