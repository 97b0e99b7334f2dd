"""Read resources once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.cli.output.progress import ProgressLine, RetryWindow
from platui.core.errors import OfflineError, OfflineReason
from platui.core.lazy_module import LazyModule

if TYPE_CHECKING:
    import asyncio

    from platui.models.values.feeds import Listing
    from platui.service import PlatformService
    from platui.service import resources as resources  # noqa: PLC0414  (for the commands)
    from platui.service.feeds.listing import HasId
    from platui.service.resources.resource import Resource
else:
    resources = LazyModule("platui.service.resources")

T = TypeVar("T")
Item = TypeVar("Item", bound="HasId")

_WAIT: Final = 20.0  # Seconds
_PAGE_WAIT: Final = 75.0  # Seconds per page: a used-up quota returns after a minute


@asynccontextmanager
async def time_limit(what: str, seconds: float = _WAIT) -> AsyncIterator[asyncio.Timeout]:
    from asyncio import timeout  # noqa: PLC0415  (not for help or completion)

    try:
        async with timeout(seconds) as deadline:
            yield deadline
    except TimeoutError:
        raise OfflineError(
            f"The platform did not send {what} within {seconds:.0f} s.",
            reason=OfflineReason.TIMEOUT,
        ) from None


async def read(
    service: PlatformService,
    what: str,
    resource: Resource[T],
    *,
    pages: int | None = None,
    live: bool = False,
) -> T:
    """Read a resource, from the cache only if final and not `live`; `what` names it in errors."""
    from asyncio import get_running_loop  # noqa: PLC0415  (not for help or completion)

    retries, loop = RetryWindow(), get_running_loop()

    def go_on(_: T) -> None:
        retries.clear_error()
        deadline.reschedule(loop.time() + _PAGE_WAIT)

    async with time_limit(what, _PAGE_WAIT) as deadline, retries.time_limit():
        return await service.read(
            resource, pages=pages, live=live, on_value=go_on, on_error=retries.tolerate
        )


async def read_matching(
    service: PlatformService, noun: str, resource: Resource[Listing[Item]]
) -> tuple[Item, ...]:
    """Return the records of the first page, or of the first later one that has any.

    A platform that ignores filters has pages of which no record is left.
    """
    return (await _gather(service, noun, resource, 1)).items


async def gather(
    service: PlatformService,
    noun: str,
    resource: Resource[Listing[Item]],
    limit: int | None,
    take: Callable[[Sequence[Item]], None] | None = None,
) -> Listing[Item]:
    """Read `limit` records, or all; pass each to `take` once, in order, as pages arrive."""
    return (await _gather(service, noun, resource, limit, take)).first(limit)


async def _gather(
    service: PlatformService,
    noun: str,
    resource: Resource[Listing[Item]],
    limit: int | None,
    take: Callable[[Sequence[Item]], None] | None = None,
) -> Listing[Item]:
    """Gather as `gather` does; the last page is returned whole."""
    import asyncio  # noqa: PLC0415  (not for help or completion)

    retries, given = RetryWindow(), set[Any]()
    loop = asyncio.get_running_loop()

    def show(listing: Listing[Item]) -> None:
        if take is not None and len(given) < len(listing.items[:limit]):
            line.clear()
            some = [one for one in listing.items[:limit] if one.id not in given]
            given.update(one.id for one in some)
            take(some)  # may block on stdout
        retries.clear_error()
        deadline.reschedule(loop.time() + _PAGE_WAIT)
        if not listing.complete and (limit is None or len(listing.items) < limit):
            of = "" if listing.total is None else f" of {listing.total:,}"
            line.show(f"{len(listing.items):,}{of} {noun} read (Ctrl+C stops)")

    with ProgressLine() as line:
        async with time_limit(f"the {noun}", _PAGE_WAIT) as deadline, retries.time_limit():
            return await service.read(
                resource, limit=limit, on_value=show, on_error=retries.tolerate
            )
