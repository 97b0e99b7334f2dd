"""Keep the parts of Textual that no app of ours uses from being imported."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Final

COMMAND_PALETTE: Final = "textual.command"


class _Unused(ModuleType):
    def __getattr__(self, name: str) -> type:
        """Return an empty class, also for what a later Textual imports."""
        if name.startswith("_"):
            raise AttributeError(name)
        found = type(name, (), {})
        setattr(self, name, found)
        return found


def skip_command_palette() -> None:
    """Let Textual import empty classes, unless it is imported already.

    The palette brings trees, selects and option lists: 16 modules, 7 % of the start. All apps
    set `ENABLE_COMMAND_PALETTE = False`.
    """
    sys.modules.setdefault(COMMAND_PALETTE, _Unused(COMMAND_PALETTE))
