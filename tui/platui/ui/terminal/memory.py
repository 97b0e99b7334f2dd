"""Give memory back every two minutes: in a day, caches would fill with megabytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.cells import cached_cell_len
from rich.segment import Segment
from textual.css.scalar import Scalar
from textual.geometry import Region
from textual.widget import Widget

from platui.core.memory import return_free_memory

if TYPE_CHECKING:
    from textual.app import App

    from platui.core.clock import Clock

_PERIOD: Final = 120.0  # Seconds
CACHES: Final = (
    cached_cell_len,
    Scalar.resolve,
    Segment._split_cells,  # noqa: SLF001  (it holds 16,384 texts with both of their parts)
    *(one for one in vars(Region).values() if hasattr(one, "cache_clear")),
)


async def give_back_memory(app: App[Any], clock: Clock) -> None:
    """Empty caches of Textual and Rich, and return free memory to the system, from time to time."""
    while True:
        await clock.sleep(_PERIOD)
        for cache in CACHES:
            cache.cache_clear()  # What is shown is computed again at once
        for node in list(app._registry):  # noqa: SLF001  (every widget; a test pins all three)
            node._query_one_cache.clear()  # noqa: SLF001  (it holds widgets that are gone)
            if isinstance(node, Widget):
                node._box_model_cache.clear()  # noqa: SLF001  (16 sizes that it had before)
        return_free_memory()
