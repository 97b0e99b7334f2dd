"""Feeds handed out before the heavy half is there: they wait for it when iterated."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from platui.models.values.feeds import Feed
from platui.models.values.snapshots import Snapshot, Source
from platui.service.protocols import (
    BoardFeed,
    CompareFeed,
    Latest,
    LatestFeed,
    LogFeed,
    PipelineSearchFeed,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Sequence

    from platui.core.errors import PlatuiError
    from platui.models.values.comparison import CompareUpdate
    from platui.models.values.log import LogUpdate
    from platui.models.values.pipeline_search import PipelineHits
    from platui.models.values.triage_board import Board
    from platui.service.opening import Opening

L = TypeVar("L")
F = TypeVar("F")
T = TypeVar("T")
V = TypeVar("V")


class _Deferred(Generic[L, F, T]):
    """Makes the real feed, of type F, when the live half L is open; both yield T."""

    def __init__(self, opening: Opening[L], make: Callable[[L], F]) -> None:
        self._opening = opening
        self._make = make
        self._feed: F | None = None
        self._remembered: dict[str, Callable[[F], None]] = {}

    async def __aiter__(self) -> AsyncIterator[T]:
        """Yield why the service did not start, then what the real feed yields."""
        opening = self._opening
        while opening.live is None and not opening.closed:
            seen = opening.version
            refusal = None if opening.error is None else self._refusal(opening.error)
            if refusal is not None:
                yield refusal
            await opening.changed(seen)
        feed = self._real()
        if feed is None:
            return
        real = cast("AsyncGenerator[T]", aiter(cast("AsyncIterable[T]", feed)))
        async with aclosing(real):
            async for item in real:
                yield item

    def _refusal(self, error: PlatuiError) -> T | None:
        """Return what to yield while the service could not start."""
        raise NotImplementedError

    def _real(self) -> F | None:
        """Return the real feed, told of everything so far; None while there is none."""
        if self._feed is None and self._opening.live is not None:
            self._feed = self._make(self._opening.live)
            for command in self._remembered.values():
                command(self._feed)
        return self._feed

    def _tell(self, name: str, command: Callable[[F], None]) -> None:
        """Pass a command on, now or later; of each name the last one counts."""
        feed = self._real()
        if feed is None:
            self._remembered[name] = command
        else:
            command(feed)


class DeferredFeed(_Deferred[L, Feed[V], Snapshot[V]], Generic[L, V]):
    """A feed of snapshots."""

    def _refusal(self, error: PlatuiError) -> Snapshot[V]:
        return Snapshot(None, Source.NOTHING, None, error=error)

    def refresh(self) -> None:
        """Ask for a newer value now."""
        self._tell("refresh", lambda feed: feed.refresh())

    def load_more(self, pages: int = 1) -> None:
        """Load the next page of a list."""
        self._tell("load_more", lambda feed: feed.load_more(pages))

    def load_all(self) -> None:
        """Load every page that is left."""
        self._tell("load_all", lambda feed: feed.load_all())

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) polling."""
        self._tell("hold", lambda feed: feed.hold(held))


class DeferredLatest(_Deferred[L, LatestFeed, Mapping[int, Latest]], Generic[L]):
    """A feed of newest pipelines."""

    def _refusal(self, error: PlatuiError) -> None:  # noqa: ARG002  (blank until known)
        return None

    def show(self, ids: Sequence[int]) -> None:
        """Wish for these projects, the first one first."""
        wish = tuple(ids)
        self._tell("show", lambda feed: feed.show(wish))

    def expect(self, ids: Sequence[int]) -> None:
        """Look at these at once, and soon again."""
        expected = tuple(ids)
        self._tell("expect", lambda feed: feed.expect(expected))

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) fetching."""
        self._tell("hold", lambda feed: feed.hold(held))


class DeferredBoard(_Deferred[L, BoardFeed, "Board"], Generic[L]):
    """The triage board."""

    def _refusal(self, error: PlatuiError) -> Board:
        # Imported here: a first frame need not have a board.
        from platui.models.values.triage_board import Board  # noqa: PLC0415

        return Board(error=error)

    def refresh(self) -> None:
        """Ask for every watched project now."""
        self._tell("refresh", lambda feed: feed.refresh())

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) asking."""
        self._tell("hold", lambda feed: feed.hold(held))


class DeferredSearch(_Deferred[L, PipelineSearchFeed, "PipelineHits"], Generic[L]):
    """A search through the logs of a pipeline."""

    def _refusal(self, error: PlatuiError) -> PipelineHits:
        # Imported here: a first frame searches nothing.
        from platui.models.values.pipeline_search import PipelineHits  # noqa: PLC0415

        return PipelineHits(error=error)

    def refresh(self) -> None:
        """Look again."""
        self._tell("refresh", lambda feed: feed.refresh())

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Ask for no further log (or go on)."""
        self._tell("hold", lambda feed: feed.hold(held))

    def stop(self) -> None:
        """End it here."""
        self._tell("stop", lambda feed: feed.stop())


class DeferredLog(_Deferred[L, LogFeed, "LogUpdate"], Generic[L]):
    """A feed of one job's log."""

    def _refusal(self, error: PlatuiError) -> LogUpdate:
        # Imported here: a first frame shows no log.
        from platui.models.values.log import LogState, LogUpdate, NoLog  # noqa: PLC0415

        return LogUpdate(NoLog(), LogState.OPENING, "", error=error)

    def refresh(self) -> None:
        """Ask for newer bytes now."""
        self._tell("refresh", lambda feed: feed.refresh())

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) polling."""
        self._tell("hold", lambda feed: feed.hold(held))


class DeferredComparison(_Deferred[L, CompareFeed, "CompareUpdate"], Generic[L]):
    """A comparison of two logs."""

    def _refusal(self, error: PlatuiError) -> CompareUpdate:
        # Imported here: a first frame compares nothing.
        from platui.models.values.comparison import CompareUpdate  # noqa: PLC0415

        return CompareUpdate(error=error)

    def refresh(self) -> None:
        """Look again."""
        self._tell("refresh", lambda feed: feed.refresh())

    def mask(self, masks: bool) -> None:  # noqa: FBT001  (a switch)
        """Leave out of account what differs in every run, or compare every letter."""
        self._tell("mask", lambda feed: feed.mask(masks))

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Do nothing: it polls nothing."""
        self._tell("hold", lambda feed: feed.hold(held))
