"""HTTP client of the platform; the only package that imports httpx."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from types import ModuleType

# httpx imports its own command with click, rich and pygments if they are installed, which took a
# tenth of the start of a command. A None entry makes it skip them.
sys.modules.setdefault("httpx._main", cast("ModuleType", None))
