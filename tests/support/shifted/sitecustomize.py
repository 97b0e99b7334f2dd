"""Sets the clock of a program that a test starts: Python imports this before anything else.

Nothing of the program is imported for it: tests measure what a start imports.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

_CLOCK = "platui.core.clock"


class _Shifting:
    """Finds the module of the clock as Python would, and moves its wall time when it is there."""

    @staticmethod
    def find_spec(
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,  # noqa: ARG004  (asked with it)
    ) -> ModuleSpec | None:
        """Return the module's spec with a loader that does more; None for any other."""
        if name != _CLOCK:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            _shift(module)

        loader.exec_module = exec_module
        return spec


def _shift(module: Any) -> None:
    from datetime import timedelta  # noqa: PLC0415  (the clock has it)

    by = timedelta(seconds=float(os.environ["PLATUI_TESTS_SHIFT"]))
    of_machine = module.SystemClock.now
    module.SystemClock.now = lambda clock: of_machine(clock) + by


def shift_clocks() -> None:
    """Move the clock of this process, whether it is there already or comes later."""
    if _CLOCK in sys.modules:
        _shift(sys.modules[_CLOCK])
    else:
        sys.meta_path.insert(0, _Shifting)


if __name__ == "sitecustomize" and "PLATUI_TESTS_SHIFT" in os.environ:
    shift_clocks()
