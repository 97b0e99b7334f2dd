"""Read a resource once, without polling, for commands."""

from __future__ import annotations

import asyncio
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from platui.core.errors import PlatuiError
from platui.models.values.connection import Urgency
from platui.models.values.feeds import Listing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from platui.service.feeds.read_context import ReadContext
    from platui.service.feeds.reading import Reading
    from platui.service.resources.resource import Resource

T = TypeVar("T")

_AHEAD: Final = 4
_FIRST_RETRY: Final = 1.0
_LONGEST_RETRY: Final = 8.0


class Enough(NamedTuple):
    """How much of a list to load; None: all."""

    items: int | None = None
    pages: int | None = None

    def is_met(self, reading: Reading[T], pages: int) -> bool:
        if not reading.more or (self.pages is not None and pages >= self.pages):
            return True
        return self.items is not None and _count(reading.value) >= self.items

    def ahead(self, reading: Reading[T], pages: int) -> int:
        """Return how many pages to request together with the next one."""
        most = _AHEAD if self.pages is None else min(_AHEAD, self.pages - pages)
        if self.items is not None:
            most = min(most, ceil((self.items - _count(reading.value)) / reading.page_size))
        return max(1, most) - 1


async def read_once(
    context: ReadContext,
    resource: Resource[T],
    enough: Enough,
    on_value: Callable[[T], None] | None = None,
    on_error: Callable[[PlatuiError], None] | None = None,
    *,
    live: bool = False,
) -> T:
    """Return a resource; see `PlatformService.read`. Raises PlatuiError: no usable response."""
    known = context.reading(resource)
    if not live:
        await known.recall()
    # Cached pages of a list that may have changed do not fit new ones.
    reading = known if known.is_current else context.reading(resource)
    pages = 0
    if reading.value is None:
        await _retry(context, partial(_renew, reading), on_error)
    while True:
        pages += 1
        value = reading.value
        if value is None:
            raise PlatuiError("The platform sent no data.")
        if on_value is not None:
            on_value(value)
        if enough.is_met(reading, pages):
            return value
        extend = partial(reading.extend, Urgency.USER, enough.ahead(reading, pages))
        await _retry(context, extend, on_error)


async def _renew(reading: Reading[T]) -> None:
    reading.invalidate()
    await reading.renew(Urgency.USER)


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


def _count(value: object) -> int:
    return len(value.items) if isinstance(value, Listing) else 0
