"""The state of one resource, and how to recall, renew and extend it, without timing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from platui.models.values.feeds import Source

if TYPE_CHECKING:
    from datetime import datetime

    from platui.api.endpoint import Endpoint
    from platui.models.values.connection import Urgency
    from platui.service.feeds.read_context import ReadContext
    from platui.service.page_cache import Answer
    from platui.service.resources.resource import Resource

T = TypeVar("T")


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
