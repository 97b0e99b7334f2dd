"""The state of one resource, and how to recall, renew and extend it, without timing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from platui.core.errors import MISSING, is_unsupported
from platui.models.values.connection import Urgency
from platui.models.values.feeds import Listing, Page, Source
from platui.service.feeds.listing import HasId, Loaded, begin, extend, renew

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint, ListEndpoint
    from platui.service.feeds.read_context import ReadContext
    from platui.service.page_cache import Answer
    from platui.service.resources.resource import Resource

T = TypeVar("T")
R = TypeVar("R", bound=HasId)

_MOST_RENEWED: Final = 10  # loaded pages that a refresh by the user fetches again

_MISSING: Final[Listing[Any]] = Listing((), 0, complete=True, is_supported=False)


class Reading(Generic[T]):
    """The value of a resource, its age, and whether it may change."""

    value: T | None = None  # the same object while nothing changed
    more = False
    loads_itself = False  # whether further pages load without a request by the user
    page_size = 1

    def __init__(self, resource: Resource[T], context: ReadContext) -> None:
        self.interval = context.interval(resource.poll)
        self.source = Source.NOTHING
        self.fetched_at: datetime | None = None
        self.transfer = 0.0
        self._held: Sequence[Answer[Any]] = ()  # stay decoded in the cache for the next renewal
        self._resource = resource
        self._context = context

    @property
    def is_active(self) -> bool:
        content = self._content()
        if content is None:
            return False
        return self._resource.is_active(content) or self._is_outdated(content) is True

    @property
    def is_final(self) -> bool:
        content = self._content()
        if content is None or self.more:
            return False
        return self._resource.is_final(content) and not self._is_outdated(content)

    @property
    def is_current(self) -> bool:
        """Return whether the value is final and no retry has changed it since."""
        return self.is_final and self._is_outdated(self._content()) is False

    async def recall(self) -> None:
        raise NotImplementedError

    async def renew(self, urgency: Urgency) -> None:
        """Fetch the resource. Raises PlatuiError: no usable response; the value is unchanged."""
        raise NotImplementedError

    def invalidate(self) -> None:
        """Accept no response to an earlier request for the next renewal."""

    async def extend(self, urgency: Urgency, ahead: int = 0) -> None:
        """Load the next page of a list and prefetch `ahead` further ones."""

    def _content(self) -> Any:
        return self.value

    def _is_outdated(self, content: Any) -> bool | None:
        """Return whether another resource shows a newer state of its pipeline; None: unknown."""
        if self._resource.depends_on is None or self.fetched_at is None:
            return False
        pipeline, updated_at = self._resource.depends_on(content)
        return self._context.sightings.moved_on(pipeline, self.fetched_at, updated_at)

    def _report(self, content: Any) -> None:
        if self._resource.pipelines is not None and self.fetched_at is not None:
            pipelines = self._resource.pipelines(content)
            self._context.sightings.note(pipelines, self.fetched_at)


class RecordReading(Reading[T]):
    def __init__(self, resource: Resource[T], endpoint: Endpoint[T], context: ReadContext) -> None:
        super().__init__(resource, context)
        self._endpoint = endpoint

    async def recall(self) -> None:
        answer = await self._context.reader.recall(self._endpoint)
        if answer is not None:
            self._take(answer, Source.CACHE)

    async def renew(self, urgency: Urgency) -> None:
        answer = await self._context.reader.fetch_unless_refused(
            self._endpoint, urgency, self._resource.is_final
        )
        self._take(answer, Source.LIVE)
        self.transfer = self._context.reader.transfer(self._endpoint)
        self._report(answer.value)

    def invalidate(self) -> None:
        self._context.reader.invalidate(self._endpoint)

    def _take(self, answer: Answer[T], source: Source) -> None:
        self.value, self.fetched_at, self.source = answer.value, answer.fetched_at, source
        self._held = (answer,)


class ListReading(Reading[Listing[R]]):
    """A list whose first page is renewed, while later pages load on request."""

    def __init__(
        self, resource: Resource[Listing[R]], endpoint: ListEndpoint[Any], context: ReadContext
    ) -> None:
        super().__init__(resource, context)
        self._endpoint = endpoint
        self._loaded: Loaded[R] | None = None
        self._first: Page[R] | None = None
        self._pages: Sequence[Page[R]] = ()  # pages of the value, if it was renewed as a whole
        # prefetched pages by number, running or done
        self._ahead: dict[int, asyncio.Task[Answer[Page[R]]]] = {}
        self._owed = 0  # pages to load again after a gap opened
        self._is_invalid = False  # whether the user asked for newer later pages, too

    @property
    def is_final(self) -> bool:
        return self.value is _MISSING or super().is_final

    @property
    def more(self) -> bool:  # type: ignore[override]  # a constant of records
        return self.value is not None and not self.value.complete

    @property
    def loads_itself(self) -> bool:  # type: ignore[override]  # the same
        return self._resource.whole or self._owed > 0

    @property
    def page_size(self) -> int:  # type: ignore[override]  # the same
        return 1 if self._loaded is None else self._loaded.size

    async def recall(self) -> None:
        reader, number = self._context.reader, 1
        while (answer := await reader.recall(self._endpoint.page(number))) is not None:
            self._join(answer.value)
            self._take(answer, Source.CACHE)
            if not self._resource.whole or answer.value.next is None:
                break
            number = answer.value.next

    async def renew(self, urgency: Urgency) -> None:
        """Fetch the list, unless it is optional and known to be missing."""
        if not self._endpoint.optional:
            await self._renew(urgency)
            return
        optional = self._context.optional
        if not optional.is_absent(self._endpoint):
            try:
                await self._renew(urgency)
            except MISSING as error:
                if not is_unsupported(error):  # the project is missing
                    raise
                optional.missed(self._endpoint, error)
            else:
                return
        self.value, self.source = _MISSING, Source.LIVE
        self.fetched_at = self._context.conditions.clock.now()

    def invalidate(self) -> None:
        self._is_invalid = True
        for number in range(1, max(1, len(self._pages), self._loaded_pages) + 1):
            self._context.reader.invalidate(self._endpoint.page(number))

    async def extend(self, urgency: Urgency, ahead: int = 0) -> None:
        loaded = self._loaded
        if loaded is None or loaded.next is None:
            return
        number, total = loaded.next, loaded.total
        # Only with a known total: a request beyond the last page is wasted.
        last = -(-total // loaded.size) if total is not None else number
        for one in (number, *range(number + 1, min(number + ahead, last) + 1)):
            if one not in self._ahead:
                self._ahead[one] = task = asyncio.ensure_future(self._fetch(one, urgency))
                # The exception is retrieved, or asyncio would log it.
                task.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            answer = await self._ahead[number]
        except BaseException:
            self._drop_ahead()
            raise
        self._ahead.pop(number, None)
        self._owed = max(0, self._owed - 1)
        self._join(answer.value)
        if self._loaded is None or self._loaded.next != number + 1:
            self._drop_ahead()

    @property
    def _loaded_pages(self) -> int:
        return 0 if self._loaded is None else -(-len(self._loaded.items) // self._loaded.size)

    async def _renew(self, urgency: Urgency) -> None:
        is_invalid, self._is_invalid = self._is_invalid, False
        try:
            await self._renew_loaded(urgency, is_invalid=is_invalid)
        except BaseException:
            self._is_invalid = self._is_invalid or is_invalid  # the retry renews the same pages
            raise

    async def _renew_loaded(self, urgency: Urgency, *, is_invalid: bool) -> None:
        if self._resource.whole and self._loaded is not None and self._loaded.next is None:
            await self._renew_pages(urgency)
            return
        self._drop_ahead()
        count = self._loaded_pages + self._owed
        if is_invalid and 1 < count <= _MOST_RENEWED:
            await self._renew_pages(urgency, count)
            self._owed = 0
            return
        answer = await self._fetch(1, urgency)
        self._renew_first(answer.value, asked=urgency is Urgency.USER)
        self._take(answer, Source.LIVE)
        self.transfer = self._transfer(1)

    def _renew_first(self, page: Page[R], *, asked: bool) -> None:
        loaded = self._loaded
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
        if merged is not None:
            self._show(merged)

    async def _renew_pages(self, urgency: Urgency, count: int | None = None) -> None:
        """Fetch the first pages again; None: all of them."""
        first = await self._fetch(1, urgency)
        answers, merged, transfer = [first], begin(first.value), self._transfer(1)
        while merged.next is not None and len(answers) != count:
            following = await self._fetch(merged.next, urgency)
            transfer += self._transfer(merged.next)
            answers.append(following)
            merged = extend(merged, following.value)
        pages = [answer.value for answer in answers]
        # Equal bytes return the same page object: no new value, nothing to repaint.
        if count or [id(page) for page in pages] != [id(page) for page in self._pages]:
            self._pages = pages
            self._first = pages[0]
            self._show(merged)
        self._take(first, Source.LIVE)
        self._held = answers
        self.transfer = transfer if count is None else self._transfer(1)

    async def _fetch(self, number: int, urgency: Urgency) -> Answer[Page[R]]:
        return await self._context.reader.fetch(
            self._endpoint.page(number),
            urgency,
            lambda page: self._resource.is_final(page.items),
        )

    def _transfer(self, number: int) -> float:
        return self._context.reader.transfer(self._endpoint.page(number))

    def _drop_ahead(self) -> None:
        for task in self._ahead.values():
            task.cancel()
        self._ahead.clear()

    def _join(self, page: Page[R]) -> None:
        if self._loaded is None:
            self._first = page
            self._show(begin(page))
        else:
            self._show(extend(self._loaded, page))

    def _take(self, answer: Answer[Page[R]], source: Source) -> None:
        self.value = None if self._loaded is None else self._loaded.listing
        self.source = source
        self.fetched_at = answer.fetched_at
        self._held = (answer,)
        if source is Source.LIVE:
            self._report(answer.value.items)

    def _show(self, loaded: Loaded[R]) -> None:
        self._loaded, self.value = loaded, loaded.listing

    def _content(self) -> Sequence[R] | None:
        return None if self.value is None or self.value is _MISSING else self.value.items
