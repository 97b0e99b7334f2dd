"""The caches of Textual and Rich that hours of new texts and places would fill with megabytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cached_cell_len
from textual.geometry import Region

if TYPE_CHECKING:
    from platui.core.clock import Clock

_PERIOD: Final = 600.0  # Seconds
CACHES: Final = (cached_cell_len, Region.intersection, Region.translate)


async def keep_caches_small(clock: Clock) -> None:
    """Empty the caches from time to time, for ever: what is shown is computed again at once."""
    while True:
        await clock.sleep(_PERIOD)
        for cache in CACHES:
            cache.cache_clear()
