"""Asking a service for one thing, where nobody watches it change."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.patience import Patience
from platui.core.errors import OfflineError, PlatuiError, Unreachable
from platui.models.values.snapshots import Source

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from platui.models.values.feeds import Feed

T = TypeVar("T")

_WAIT: Final = 20.0
"""Seconds for each thing that is asked for."""


@asynccontextmanager
async def in_time(what: str) -> AsyncIterator[None]:
    """Give a piece of what is printed its time.

    Raises:
        OfflineError: it took longer.
    """
    try:
        async with asyncio.timeout(_WAIT):
            yield
    except TimeoutError:
        raise OfflineError(
            f"The platform did not tell {what} within {_WAIT:.0f} s.", reason=Unreachable.TIMEOUT
        ) from None


async def first(
    what: str,
    feed: Feed[T],
    enough: Callable[[T], bool],
    *,
    whole: bool = False,
    live: bool = False,
) -> T:
    """Return the first value that is enough of what the platform says now.

    What is kept of an earlier time will do only where it cannot change any more: nobody sees
    how old it is in what a command prints.

    Args:
        what: what is asked for, for the sentence that says it did not come.
        feed: the feed.
        enough: whether a value is as much as is needed.
        whole: whether every page of a list is to be loaded.
        live: whether what had ended before is asked for, too: it may have been tried again.

    Raises:
        PlatuiError: the platform refused, or did not answer in time.
    """
    feed.refresh()
    if whole:  # after that, which would cancel it
        feed.load_all()
    patience = Patience()
    async with in_time(what):
        async for snapshot in patience.items(aiter(feed)):
            good = snapshot.source is Source.LIVE or (snapshot.settled and not live)
            if snapshot.value is not None and good and enough(snapshot.value):
                return snapshot.value
            if snapshot.error is not None:
                patience.bear(snapshot.error)
    raise PlatuiError("The platform said nothing.")
