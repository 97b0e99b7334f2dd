"""HTTP to the platform: guarded, counted, typed. The only place that knows httpx."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from types import ModuleType

# httpx brings its own command, and with it click, rich and pygments, to whoever has these
# installed; to whoever has not, it does without. That was a tenth of what a command of ours takes
# to begin.
sys.modules.setdefault("httpx._main", cast("ModuleType", None))
