"""A list of the platform, as what a feed polls: page by page, or whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Generic, TypeVar

from platui.models.values.connection import Urgency
from platui.models.values.pages import Listing, Page
from platui.models.values.snapshots import Source
from platui.service.listing import HasId, Loaded, begin, extend, renew
from platui.service.page_ahead import PagesAhead
from platui.service.reader import EVER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from platui.api.operations import Operation
    from platui.service.cadence import Rhythm
    from platui.service.reader import Entry, Reader

R = TypeVar("R", bound=HasId)


def never_all(_items: object, _at: datetime) -> bool:
    """Return False: the items of such a list neither move nor settle."""
    return False


class ListSubject(Generic[R]):
    """A list of which the first page is renewed, and later pages come when asked for."""

    whole = False

    def __init__(
        self,
        reader: Reader,
        operation: Callable[[int], Operation[Page[R]]],
        rhythm: Rhythm,
        running: Callable[[tuple[R, ...], datetime], bool] = never_all,
        settled: Callable[[tuple[R, ...], datetime], bool] = never_all,
        noted: Callable[[tuple[R, ...], datetime], None] | None = None,
    ) -> None:
        self.rhythm = rhythm
        self.source = Source.NOTHING
        self.fetched_at: datetime | None = None
        self.transfer = 0.0
        self._reader = reader
        self._operation = operation
        self._runs = running
        self._settles = settled
        self._noted = noted
        self._loaded: Loaded[R] | None = None
        self._first: Page[R] | None = None
        self._listing: Listing[R] | None = None
        self._pages_ahead = PagesAhead(self._fetch)
        self._owed = 0
        """Pages that were loaded before a gap opened, and are to be loaded again."""

    @property
    def value(self) -> Listing[R] | None:
        """Return the items as far as they are loaded."""
        return self._listing

    @property
    def running(self) -> bool:
        """Return whether an item may change any moment."""
        if self._loaded is None or self.fetched_at is None:
            return False
        return self._runs(self._loaded.items, self.fetched_at)

    @property
    def settled(self) -> bool:
        """Return whether no item can change any more, and none can join."""
        loaded = self._loaded
        if loaded is None or loaded.next is not None or self.fetched_at is None:
            return False
        return self._settles(loaded.items, self.fetched_at)

    @property
    def more(self) -> bool:
        """Return whether there is a page left to load."""
        return self._loaded is not None and self._loaded.next is not None

    @property
    def loads_itself(self) -> bool:
        """Return whether that page is to be loaded without being asked for."""
        return self.whole or self._owed > 0

    def mark_loading(self, loading: bool) -> None:  # noqa: FBT001  (a switch)
        """Say in the value whether more is on its way."""
        if self._listing is not None and self._listing.loading is not loading:
            self._listing = replace(self._listing, loading=loading)

    async def recall(self) -> None:
        """Take the first page that the cache has, or all of them where the list is whole."""
        entry = await self._reader.recall(self._operation(1))
        while entry is not None:
            self._join(entry)
            self._note(entry, Source.CACHE)
            following = entry.value.next if self.whole else None
            if following is None:
                break
            entry = await self._reader.recall(self._operation(following))

    async def renew(self, urgency: Urgency) -> None:
        """Ask for the first page; what is loaded beyond it stays."""
        self._pages_ahead.drop()
        entry = await self._fetch(1, urgency)
        self._renew(entry, asked=urgency is Urgency.USER)
        self._note(entry, Source.LIVE)

    async def extend(self, urgency: Urgency, ahead: int = 0) -> None:
        """Load the next page, and ask for so many after it already."""
        loaded = self._loaded
        if loaded is None or loaded.next is None:
            return
        number = loaded.next
        # Only where it is known how far the list goes: a page beyond the end is a wasted request.
        last = -(-loaded.total // loaded.size) if loaded.total is not None else number
        further = range(number + 1, min(number + ahead, last) + 1)
        entry = await self._pages_ahead.take(number, further, urgency)
        self._owed = max(0, self._owed - 1)
        self._join(entry)
        if self._loaded is None or self._loaded.next != number + 1:
            self._pages_ahead.drop()

    async def _fetch(self, number: int, urgency: Urgency) -> Entry[Page[R]]:
        """Ask for one page; the cache keeps longest what cannot change any more."""
        return await self._reader.fetch(
            self._operation(number), urgency, lambda page: self._settles(page.items, EVER)
        )

    def _renew(self, entry: Entry[Page[R]], *, asked: bool) -> None:
        """Put the first page as it is now in its place."""
        page, loaded = entry.value, self._loaded
        same = page is self._first
        if same and not (loaded is not None and loaded.repeats):
            return
        merged = begin(page) if loaded is None else renew(loaded, page, asked=asked)
        if same and merged == loaded:
            return
        if merged is None and loaded is not None:
            merged = begin(page)
            self._owed = max(0, -(-len(loaded.items) // merged.size) - 1)
        self._first = page
        self._show(merged)

    def _join(self, entry: Entry[Page[R]]) -> None:
        """Add a page to the end."""
        if self._loaded is None:
            self._first = entry.value
            self._show(begin(entry.value))
        else:
            self._show(extend(self._loaded, entry.value))

    def _note(self, entry: Entry[Page[R]], source: Source) -> None:
        """Keep how old and how slow the first page is."""
        self.source = source
        self.fetched_at = entry.fetched_at
        self.transfer = entry.transfer
        if self._noted is not None and source is Source.LIVE:
            self._noted(entry.value.items, entry.fetched_at)

    def _show(self, loaded: Loaded[R] | None) -> None:
        """Make the value anew; it is another object from now on."""
        self._loaded = loaded
        if loaded is not None:
            self._listing = Listing(
                loaded.items,
                loaded.total,
                complete=loaded.next is None,
                repeats=loaded.repeats,
                loading=self._listing is not None and self._listing.loading,
            )


class WholeListSubject(ListSubject[R]):
    """A list that is loaded to its end by itself, and renewed as a whole."""

    whole = True
    _pages: Sequence[Page[R]] = ()
    """The pages that the value was made of, when it was renewed as a whole."""

    async def renew(self, urgency: Urgency) -> None:
        """Ask for every page; the first time each is shown as it comes."""
        if self._loaded is None or self._loaded.next is not None:
            await super().renew(urgency)
            return
        entry = await self._fetch(1, urgency)
        pages, merged, transfer = [entry.value], begin(entry.value), entry.transfer
        while merged.next is not None:
            following = await self._fetch(merged.next, urgency)
            pages.append(following.value)
            merged = extend(merged, following.value)
            transfer += following.transfer
        # Equal bytes give the same page object: nothing is made anew, nothing is painted.
        if [id(page) for page in pages] != [id(page) for page in self._pages]:
            self._pages = pages
            self._first = pages[0]
            self._show(merged)
        self._note(entry, Source.LIVE)
        self.transfer = transfer
