"""Modules that are imported when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyModule:
    """Stands in for a module that is too slow to import before the first frame."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        """Return a name of the module, which is imported for it."""
        return getattr(import_module(self._name), name)
