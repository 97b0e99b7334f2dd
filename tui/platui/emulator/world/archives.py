"""Zip archives that are made while they are read: any part of one, the same each time."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

_LOCAL: Final = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL: Final = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END: Final = struct.Struct("<4sHHHHIIH")
_VERSION: Final = 20
_UTF8: Final = 1 << 11
_UNIX: Final = 3 << 8
_MODE: Final = 0o100644 << 16
_PIECE: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: a block of bytes, as often as that stands in it."""

    path: str
    block: bytes
    times: int = 1

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.block) * self.times

    @property
    def identity(self) -> str:
        """What decides over its bytes."""
        return f"{self.times} times {blake2b(self.block).hexdigest()}"

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from `start` up to, not including, `end`."""
        end = self.size if end is None else min(end, self.size)
        while start < end:
            at = start % len(self.block)
            piece = self.block[at : min(len(self.block), at + end - start, at + _PIECE)]
            start += len(piece)
            yield piece

    def crc(self) -> int:
        """Return its checksum."""
        crc = 0
        for _ in range(self.times):
            crc = zlib.crc32(self.block, crc)
        return crc


class Archive:
    """A zip archive without compression, whose length is known before any of it is made."""

    def __init__(self, identity: str, members: Sequence[Member], made_at: datetime) -> None:
        self.members = tuple(members)
        self._identity = identity
        self._stamp = _dos_time(made_at)

    @property
    def identity(self) -> str:
        """What decides over its bytes."""
        return self._identity

    @property
    def size(self) -> int:
        """Its length in bytes."""
        names = sum(len(one.path.encode()) for one in self.members)
        heads = len(self.members) * (_LOCAL.size + _CENTRAL.size)
        return sum(one.size for one in self.members) + heads + 2 * names + _END.size

    def file(self, path: str) -> Member | None:
        """Return the file with that path."""
        return next((one for one in self.members if one.path == path), None)

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from `start` up to, not including, `end`."""
        end = self.size if end is None else min(end, self.size)
        offset = 0
        for part in self._parts:
            if start < offset + part.size and offset < end:
                yield from part.pieces(max(start - offset, 0), end - offset)
            offset += part.size

    @cached_property
    def _parts(self) -> list[Member]:
        """Everything in the archive, in its order: a head before each file, and the list."""
        parts: list[Member] = []
        listed = b""
        offset = 0
        for one in self.members:
            name, crc = one.path.encode(), one.crc()
            listed += _central(name, one.size, crc, self._stamp, offset)
            head = Member("", _local(name, one.size, crc, self._stamp))
            parts += [head, one]
            offset += head.size + one.size
        count = len(self.members)
        end = _END.pack(b"PK\5\6", 0, 0, count, count, len(listed), offset, 0)
        return [*parts, Member("", listed + end)]


def _local(name: bytes, size: int, crc: int, stamp: tuple[int, int]) -> bytes:
    head = (b"PK\3\4", _VERSION, _UTF8, 0, *stamp, crc, size, size, len(name), 0)
    return _LOCAL.pack(*head) + name


def _central(name: bytes, size: int, crc: int, stamp: tuple[int, int], offset: int) -> bytes:
    return (
        _CENTRAL.pack(
            b"PK\1\2", _UNIX | _VERSION, _VERSION, _UTF8, 0, *stamp, crc, size, size,
            len(name), 0, 0, 0, 0, _MODE, offset,
        )
        + name
    )  # fmt: skip


def _dos_time(when: datetime) -> tuple[int, int]:
    """Return a moment as archives write it: in steps of two seconds, without a zone."""
    clock = when.hour << 11 | when.minute << 5 | when.second // 2
    return clock, (when.year - 1980) << 9 | when.month << 5 | when.day
