"""The operations of spec §4.3, as the emulator reads them from its tables."""

from __future__ import annotations

from platui_emulator.http.variants.spec_only import OPERATIONS


def is_specified(method: str, target: str) -> bool:
    """Return whether the specification has an operation: verb, path, with or without a query."""
    path = target.partition("?")[0].split("/")
    return any(
        pattern.split(" ")[0] == method and _matches(pattern.split(" ")[1].split("/"), path)
        for pattern in OPERATIONS
    )


def _matches(pattern: list[str], path: list[str]) -> bool:
    return len(pattern) == len(path) and all(
        one == other or (one.startswith("{") and other)
        for one, other in zip(pattern, path, strict=True)
    )
