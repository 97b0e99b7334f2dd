"""Find the failed tests of a pipeline, and which of them are new since the last success."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from platui.api.endpoints import pipelines
from platui.core.errors import MISSING, NotFoundError, PlatuiError, is_unsupported
from platui.models.values.connection import Urgency
from platui.models.values.tests import FailedTest, FailedTests, ReportedPipeline
from platui.service.lru_cache import LruCache
from platui.service.triage.timelines import MOST, Timelines

if TYPE_CHECKING:
    from platui.models.wire import PipelineTests
    from platui.service.feeds.read_context import ReadContext

_BOUND: Final = 200
_NEWEST: Final = 100  # Pipelines searched for the last success in the background: one page


class Tests:
    """Reads the test reports of pipelines; one that has ended is read once."""

    def __init__(self, context: ReadContext, timelines: Timelines) -> None:
        self._context = context
        self._timelines = timelines
        self._found = LruCache[ReportedPipeline, FailedTests](_BOUND)

    async def find(self, of: ReportedPipeline, urgency: Urgency) -> FailedTests:
        """Return the failed tests of a pipeline. Raises PlatuiError: no usable response.

        In the background, the last success is searched among the newest pipelines only.
        """
        of = of._replace(suite="")
        if (known := self._found.get(of)) is not None:
            return known
        try:
            report = await self._read(of, urgency)
        except MISSING as error:
            if not is_unsupported(error):
                raise
            return FailedTests(is_supported=False)
        found = await asyncio.to_thread(_failed_tests, report)
        if found.failed:
            found = await self._compared(found, of, urgency)
        if of.ended_at is not None and (found.last_success is not None or not found.failed):
            self._found.put(of, found)
        return found

    async def _read(self, of: ReportedPipeline, urgency: Urgency) -> PipelineTests:
        endpoint, reader = pipelines.test_report(of.project, of.id), self._context.reader
        if self._context.optional.is_absent(endpoint):
            raise NotFoundError("The platform has no test reports.", status=404)
        cached = await reader.recall(endpoint)
        if cached is not None and of.ended_at is not None and cached.fetched_at >= of.ended_at:
            return cached.value
        try:
            answer = await reader.fetch(endpoint, urgency, lambda _: of.ended_at is not None)
        except MISSING as error:
            if is_unsupported(error):
                self._context.optional.missed(endpoint, error)
            raise
        return answer.value

    async def _compared(
        self, found: FailedTests, of: ReportedPipeline, urgency: Urgency
    ) -> FailedTests:
        """Mark the tests that did not fail in the last success, if that is found."""
        most = _NEWEST if urgency is Urgency.BACKGROUND else MOST
        try:
            timeline = await self._timelines.find(of.project, of.id, most, urgency)
            green = None if timeline is None else timeline.last_green
            if green is None:
                return found
            before = await self._read(
                ReportedPipeline(of.project, green.id, green.ended_at), urgency
            )
        except PlatuiError:
            return found
        known = {one.key for one in _failed_in(before)}
        failed = (one._replace(is_new=one.key not in known) for one in found.failed)
        ordered = tuple(sorted(failed, key=lambda one: not one.is_new))
        return found._replace(failed=ordered, last_success=green.id)


def _failed_tests(report: PipelineTests) -> FailedTests:
    suites = report.test_suites
    broken = (f"{one.name}: {one.suite_error}" for one in suites if one.suite_error)
    total = report.total_count or sum(len(one.test_cases) for one in suites)
    return FailedTests(total, tuple(_failed_in(report)), broken_suites=tuple(broken))


def _failed_in(report: PipelineTests) -> Iterator[FailedTest]:
    for suite in report.test_suites:
        for case in suite.test_cases:
            if case.has_failed:
                yield FailedTest(suite.name, case)
