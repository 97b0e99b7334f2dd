"""Numbers of bytes, as people say them."""

from __future__ import annotations

from typing import Final

from platui.present.counts import counted

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
