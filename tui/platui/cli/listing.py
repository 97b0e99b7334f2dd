"""Lists for commands: as much of one as is wanted, and an honest word about the rest."""

from __future__ import annotations

import asyncio
from math import ceil
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from platui.cli.patience import Patience, narrate
from platui.cli.progress_line import ProgressLine
from platui.core.errors import OfflineError, Unreachable
from platui.models.values.snapshots import Source
from platui.service.listing import HasId

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models.values.feeds import Feed
    from platui.models.values.pages import Listing
    from platui.models.values.snapshots import Snapshot

T = TypeVar("T", bound=HasId)

_WAIT: Final = 75.0
"""Seconds for each page: where the quota is short, a minute goes by before the next one."""
_AGAIN: Final = 1.0
"""Seconds before a page that failed is asked for once more."""
_PAGE: Final = 100
"""Records of a page; more are asked for at once by no more than a few requests."""
_AHEAD: Final = 4


class Gathered(NamedTuple, Generic[T]):
    """What came of a list."""

    items: tuple[T, ...]
    total: int | None = None
    """How many there are in all; None where the platform does not count."""
    has_more: bool = False
    repeats: bool = False
    """Whether the platform gave the same page again instead of a further one."""
    offered: bool = True


async def gather(
    noun: str,
    feed: Feed[Listing[T]],
    limit: int | None,
    take: Callable[[Sequence[T]], None] | None = None,
) -> Gathered[T]:
    """Return the first records of a list as the platform tells it now, or all of them.

    Args:
        noun: what they are, in the plural.
        feed: the list's.
        limit: how many at the most; None: all.
        take: is given them as they come, each once, in their order.

    Raises:
        PlatuiError: the platform refused, or did not answer in time.
    """
    line, patience, fresh = ProgressLine(), Patience(), _Fresh(limit, take)
    loop = asyncio.get_running_loop()
    feed.hold(True)  # it is read once: nothing is looked at again meanwhile
    feed.refresh()
    try:
        async with asyncio.timeout(_WAIT) as deadline:
            async for snapshot in patience.items(aiter(feed)):
                listing = snapshot.value
                if snapshot.error is not None:
                    patience.bear(snapshot.error)
                    await asyncio.sleep(_AGAIN)
                elif not _is_now(snapshot) or listing is None:
                    continue
                else:
                    if fresh.is_in(listing):
                        line.clear()
                        fresh.give(listing)  # which may wait for its reader for long
                        deadline.reschedule(loop.time() + _WAIT)
                    if _is_enough(listing, limit):
                        return _cut(listing, limit)
                    if listing.loading:
                        continue  # the next page is on its way
                    patience.relax()
                    deadline.reschedule(loop.time() + _WAIT)
                    line.show(_progress(noun, listing))
                _ask_on(feed, snapshot, limit)
    except TimeoutError:
        raise OfflineError(
            f"The platform did not tell its {noun} within {_WAIT:.0f} s.",
            reason=Unreachable.TIMEOUT,
        ) from None
    finally:
        line.clear()
    raise asyncio.CancelledError  # the service was closed meanwhile: nobody waits any more


def tell_rest(gathered: Gathered[T], noun: str) -> None:
    """Say on stderr what of a list was not printed.

    Args:
        gathered: what was.
        noun: what they are, in the plural.
    """
    count = len(gathered.items)
    if gathered.has_more:
        of = f"{gathered.total:,}" if gathered.total is not None else "many"
        narrate(f"{count:,} of {of} {noun}: --all for the rest, or --limit N.")
    elif gathered.repeats:
        narrate(
            f"The platform gave one page twice instead of a further one: there may be more {noun}."
        )


class _Fresh(Generic[T]):
    """Gives the records of a list on, each once, as it grows."""

    def __init__(self, limit: int | None, take: Callable[[Sequence[T]], None] | None) -> None:
        self._limit = limit
        self._take = take
        self._given: set[Any] = set()

    def is_in(self, listing: Listing[T]) -> bool:
        """Return whether a list has what nobody was given yet, and somebody takes it."""
        return self._take is not None and len(self._given) < len(listing.items[: self._limit])

    def give(self, listing: Listing[T]) -> None:
        """Give on what is new in a list."""
        if self._take is None:
            return
        some = [one for one in listing.items[: self._limit] if one.id not in self._given]
        self._given.update(one.id for one in some)
        self._take(some)


def _is_now(snapshot: Snapshot[Listing[T]]) -> bool:
    return snapshot.settled or snapshot.source is Source.LIVE


def _is_enough(listing: Listing[T], limit: int | None) -> bool:
    if listing.complete or not listing.offered:
        return True
    return limit is not None and len(listing.items) >= limit


def _cut(listing: Listing[T], limit: int | None) -> Gathered[T]:
    items = listing.items if limit is None else listing.items[:limit]
    has_more = len(items) < len(listing.items) or not (listing.complete or not listing.offered)
    total = listing.total
    if total is None and listing.complete and not listing.repeats:
        total = len(listing.items)
    return Gathered(items, total, has_more, listing.repeats, listing.offered)


def _ask_on(feed: Feed[Listing[T]], snapshot: Snapshot[Listing[T]], limit: int | None) -> None:
    """Ask for what comes next: the first page anew, or those that follow it."""
    if snapshot.value is None or not _is_now(snapshot):
        feed.refresh()
        return
    wanted = _AHEAD if limit is None else ceil((limit - len(snapshot.value.items)) / _PAGE)
    feed.load_more(max(1, min(_AHEAD, wanted)))


def _progress(noun: str, listing: Listing[T]) -> str:
    of = "" if listing.total is None else f" of {listing.total:,}"
    return f"{len(listing.items):,}{of} {noun} so far (ctrl+c stops)"
