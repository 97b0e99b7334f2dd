"""What is known of one resource, and how to recall, renew and extend it. No timing here."""

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

    value: T | None = None
    """The same object as long as nothing changed."""
    more = False
    loads_itself = False
    """Whether that page is to be loaded without being asked for."""
    page_size = 1
    """Records of a full page."""

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
        """Return whether it is final, also after a retry that was made elsewhere."""
        return self.is_final and self._is_outdated(self._content()) is False

    async def recall(self) -> None:
        raise NotImplementedError

    async def renew(self, urgency: Urgency) -> None:
        """Ask the platform. Raises PlatuiError: no usable answer; the value stays as it was."""
        raise NotImplementedError

    def invalidate(self) -> None:
        """Take, the next time, no answer to what was asked before."""

    async def extend(self, urgency: Urgency, ahead: int = 0) -> None:
        """Load the next page, and ask for so many after it already; nothing for a record.

        Raises PlatuiError: no usable answer; the value stays as it was.
        """

    def _content(self) -> Any:
        return self.value

    def _is_outdated(self, content: Any) -> bool | None:
        """Return whether another resource has shown a newer state of its pipeline.

        None: none has shown its state since; a retry may have changed it.
        """
        if self._resource.depends_on is None or self.fetched_at is None:
            return False
        pipeline, updated_at = self._resource.depends_on(content)
        return self._context.sightings.moved_on(pipeline, self.fetched_at, updated_at)

    def _report(self, content: Any) -> None:
        if self._resource.pipelines is not None and self.fetched_at is not None:
            pipelines = self._resource.pipelines(content)
            self._context.sightings.note(pipelines, self.fetched_at)


class RecordReading(Reading[T]):
    """A project, a pipeline, a job."""

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
