"""Modules that are imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyModule:
    """Proxy of a module that is too slow to import before the first frame."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
