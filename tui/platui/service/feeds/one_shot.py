"""Read a resource once, without polling, for commands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Final, TypeVar

from platui.core.errors import PlatuiError
from platui.models.values.feeds import Listing

if TYPE_CHECKING:
    from platui.models.values.connection import Urgency
    from platui.service.feeds.read_context import ReadContext
    from platui.service.feeds.reading import Reading
    from platui.service.resources.resource import Resource

T = TypeVar("T")

_AHEAD: Final = 4  # maximum pages to request together
_FIRST_RETRY: Final = 1.0
_LONGEST_RETRY: Final = 8.0


async def read_once(
    context: ReadContext,
    resource: Resource[T],
    limit: int | None,
    pages: int | None,
    on_value: Callable[[T], None] | None,
    on_error: Callable[[PlatuiError], None] | None,
    urgency: Urgency,
    *,
    live: bool,
) -> T:
    """Return a resource; see `PlatformService.read`. Raises PlatuiError: no usable response."""
    known = context.reading(resource)
    if not live:
        await known.recall()
    # Cached pages of a list that may have changed do not fit new ones.
    reading = known if known.is_current else context.reading(resource)
    loaded = 0
    if reading.value is None:
        await _retry(context, partial(_renew, reading, urgency), on_error)
    while True:
        loaded += 1
        value = reading.value
        if value is None:
            raise PlatuiError("The platform sent no data.")
        if on_value is not None:
            on_value(value)
        missing = _AHEAD if pages is None else min(_AHEAD, pages - loaded)
        if limit is not None:
            count = len(value.items) if isinstance(value, Listing) else 0
            missing = min(missing, ceil((limit - count) / reading.page_size))
        if not reading.more or missing <= 0:
            return value
        await _retry(context, partial(reading.extend, urgency, missing - 1), on_error)


async def _renew(reading: Reading[T], urgency: Urgency) -> None:
    reading.invalidate()
    await reading.renew(urgency)


async def _retry(
    context: ReadContext,
    ask: Callable[[], Awaitable[None]],
    on_error: Callable[[PlatuiError], None] | None,
) -> None:
    pause = _FIRST_RETRY
    while True:
        try:
            return await ask()
        except PlatuiError as error:
            if context.conditions.closed:
                raise asyncio.CancelledError from None
            if on_error is None:
                raise
            on_error(error)
        await context.conditions.clock.sleep(pause)
        pause = min(_LONGEST_RETRY, 2 * pause)
