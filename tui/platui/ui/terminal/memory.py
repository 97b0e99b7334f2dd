"""Give memory back every ten minutes: in a day, caches would fill with megabytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.cells import cached_cell_len
from textual.geometry import Region

if TYPE_CHECKING:
    from textual.app import App

    from platui.core.clock import Clock

_PERIOD: Final = 600.0  # Seconds
CACHES: Final = (cached_cell_len, Region.intersection, Region.translate)


async def give_back_memory(app: App[Any], clock: Clock) -> None:
    """Empty caches of Textual and Rich, and return free memory to the system, from time to time."""
    while True:
        await clock.sleep(_PERIOD)
        for cache in CACHES:
            cache.cache_clear()  # What is shown is computed again at once
        for node in list(app._registry):  # noqa: SLF001  (every widget; a test pins both)
            node._query_one_cache.clear()  # noqa: SLF001  (it holds widgets that are gone)
        _trim()


def _trim() -> None:
    import ctypes  # noqa: PLC0415  (after the start)

    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):  # The C library of GNU, which keeps what is free
        library.malloc_trim(0)
