"""The files of a repository that are no plain text of moderate length with a tame name."""

from __future__ import annotations

import struct
import zlib
from datetime import date, timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.emulator.world.blueprints import Blueprint

_SIDE: Final = 48
_STORES: Final = 40
_DAYS: Final = 900


def odd_files(blueprint: Blueprint) -> dict[str, Callable[[], str | bytes]]:
    """Return them by path: a picture, an empty file, odd names; in one project a long table."""
    found: dict[str, Callable[[], str | bytes]] = {
        "docs/lineage.png": partial(_picture, blueprint.lane),
        "docs/Wie wir Zahlen prüfen – 数据.md": partial(_words, blueprint),
        "seeds/.gitkeep": lambda: "",
    }
    if blueprint.lane == 0:
        found["seeds/store_calendar.csv"] = _calendar
    return found


def _words(blueprint: Blueprint) -> str:
    tables = "".join(f"- `{entity}`: täglich, 100 % der Zeilen\n" for entity in blueprint.entities)
    return f"# Prüfungen von {blueprint.record.name}\n\n{tables}"


@cache
def _calendar() -> str:
    """Return more than a megabyte of lines that look alike."""
    first = date(2023, 1, 1)
    lines = ["date,store,opens_at,closes_at,holiday\n"]
    for day in range(_DAYS):
        when = first + timedelta(days=day)
        closed = "true" if when.isoweekday() == 7 else "false"  # noqa: PLR2004  (Sunday)
        lines += [f"{when},S{store:04d},08:00,20:00,{closed}\n" for store in range(_STORES)]
    return "".join(lines)


def _picture(lane: int) -> bytes:
    """Return a PNG: bands in the colour of the project."""
    row = [
        bytes((lane * 4 % 256, (x * 5 + lane) % 256, 96 if x % 12 else 220)) for x in range(_SIDE)
    ]
    pixels = b"".join(b"\0" + b"".join(row) for _ in range(_SIDE))
    head = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
