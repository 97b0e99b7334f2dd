"""What a message says, however deep the platform nests it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

_UNNAMED: Final = frozenset({"base", "error", "errors", "message", "messages"})
"""Keys that say nothing about the field concerned."""

_DEPTH: Final = 8


def spoken(value: object, *, _depth: int = 0) -> str:
    """Return nested messages as one text: `name: has already been taken; path: is invalid`."""
    if value is None or isinstance(value, bool) or _depth > _DEPTH:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        return "; ".join(_pairs(value, _depth))
    if isinstance(value, Sequence):
        separator = "; " if any(isinstance(item, Mapping) for item in value) else ", "
        return separator.join(text for item in value if (text := spoken(item, _depth=_depth + 1)))
    return ""


def _pairs(value: Mapping[object, object], depth: int) -> list[str]:
    texts = []
    for key, inner in value.items():
        text = spoken(inner, _depth=depth + 1)
        if text:
            texts.append(text if key in _UNNAMED else f"{key}: {text}")
    return texts
