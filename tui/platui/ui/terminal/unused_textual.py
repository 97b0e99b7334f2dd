"""Keep the parts of Textual that no app of ours uses from being imported."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Final

COMMAND_PALETTE: Final = "textual.command"
NAMES: Final = (
    "CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "Provider",
    "SimpleProvider",
)  # fmt: skip
"""What Textual imports from its command palette."""


def skip_command_palette() -> None:
    """Let Textual import empty classes, unless it is imported already.

    The palette brings trees, selects and option lists: 16 modules, 7 % of the start. All apps
    set `ENABLE_COMMAND_PALETTE = False`.
    """
    if COMMAND_PALETTE not in sys.modules:
        module = ModuleType(COMMAND_PALETTE, "Empty: the command palette is not used.")
        vars(module).update({name: type(name, (), {}) for name in NAMES})
        sys.modules[COMMAND_PALETTE] = module
