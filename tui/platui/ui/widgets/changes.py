"""Which lines of a widget look different from the last time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def changed_lines(before: Sequence[object], after: Sequence[object]) -> list[tuple[int, int]]:
    """Return where two paintings of one height differ, as first line and number of lines."""
    spans: list[tuple[int, int]] = []
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        if old is new or old == new:
            continue
        if spans and sum(spans[-1]) == y:
            spans[-1] = (spans[-1][0], spans[-1][1] + 1)
        else:
            spans.append((y, 1))
    return spans
