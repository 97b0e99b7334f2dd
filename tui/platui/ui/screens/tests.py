"""The failed tests of a pipeline, and the whole output of one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from platui.core.errors import NotFoundError, NotSupportedError, PlatuiError
from platui.core.text import clean
from platui.models.values.connection import Urgency
from platui.models.values.previews import DOCUMENT, PreviewTarget
from platui.models.values.tests import FailedTest, FailedTests, ReportedPipeline
from platui.present.chrome import Age, Freshness
from platui.present.counts import counted
from platui.present.files.source import source_of
from platui.present.status import FAILED
from platui.present.tables.tests import (
    NO_REPORT,
    NOT_SUPPORTED,
    TESTS,
    case_details,
    failed_rows,
    output_of,
    summary_pieces,
)
from platui.service import PlatformService, resources
from platui.ui.controllers.list_keys import (
    ChangePreview,
    CopyMenu,
    CopyRow,
    Details,
    FilterRows,
    FocusDetails,
    NextPane,
    PreviousPane,
)
from platui.ui.controllers.pipeline_logs import PipelineLogs
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.screens.files.document import (
    DOCUMENT_FOOTER,
    DOCUMENT_KEYS,
    Document,
    DocumentBody,
)
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.routes import Route
    from platui.models.values.table import Row
    from platui.present.details.layout import Details as DetailsOf


async def read_tests(service: PlatformService, route: Route) -> FailedTests:
    """Return the failed tests of the pipeline of a route. Raises PlatuiError."""
    project, number = route.project or 0, route.pipeline or 0
    pipeline = await service.read(resources.pipelines.pipeline(project, number))
    found = await service.failed_tests(ReportedPipeline.of(project, pipeline), Urgency.USER)
    if not found.is_supported:
        raise NotSupportedError(NOT_SUPPORTED)
    return found


async def load_output(service: PlatformService, route: Route) -> Document:
    return await output_in(await read_tests(service, route), route.path)


async def output_in(found: FailedTests, path: str) -> Document:
    test = next((one for one in found.failed if one.key == path), None)
    if test is None:
        raise NotFoundError("This test did not fail, or it does not exist.", status=404)
    content = output_of(test).encode()
    source = await asyncio.to_thread(source_of, content, test.case.file)
    new = [("new since the last success", "warning")] if test.is_new else []
    return Document(source, [(clean(test.suite), "accent"), (clean(test.case.name), "text"), *new])


class FailedTestsContext(ListContext["FailedTestsBody"]):
    def crumbs(self) -> tuple[str, ...]:
        return (self.project_crumb, f"#{self.body.route.pipeline}", "Tests")

    def item(self, key: str | None) -> FailedTest | None:
        return self.body.by_key.get(key or "")

    def open(self, key: str) -> None:
        if (one := self.item(key)) is not None:
            self.body.host.go_to(self._output(one))

    def preview(self, key: str, _kind: str) -> PreviewTarget | None:
        if (one := self.item(key)) is None:
            return None
        route = self._output(one)
        return PreviewTarget(route.project or 0, clean(one.case.name), FAILED, route=route)

    async def load_preview(self, _service: PlatformService, route: Route) -> Document:
        return await output_in(self.body.found or FailedTests(), route.path)

    def _output(self, test: FailedTest) -> Route:
        return replace(self.body.route, view="test", path=test.key)

    def details(self, key: str, _record: Any = None) -> DetailsOf | None:
        one = self.item(key)
        return None if one is None else case_details(one)

    def copies(self, key: str) -> Mapping[str, str]:
        one = self.item(key)
        return {} if one is None else {"name": one.key, "file": one.case.file}


class FailedTestsBody(ListBody):
    CONTEXT = FailedTestsContext
    NOUN = "failed tests"
    COLUMNS = TESTS.layout
    PREVIEWS = (DOCUMENT,)
    DEFAULT_COPY = "name"
    context: FailedTestsContext

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.found: FailedTests | None = None  # None: not read yet
        self._rows: Sequence[Row] = ()
        self.by_key: Mapping[str, FailedTest] = {}

    def start_feeds(self) -> None:
        self.in_background("feed-tests", self._read)

    def fetch_again(self) -> None:
        self.preview.retry()
        self.start_feeds()

    async def _read(self) -> None:
        try:
            found = await read_tests(self.service, self.route)
        except PlatuiError as error:
            self.error = error
            self.age = self.age if self.has_data() else Age(Freshness.FAILED)
        else:
            self._rows = await asyncio.to_thread(failed_rows, found)
            keys = (row.key for row in self._rows)
            self.by_key = dict(zip(keys, found.failed, strict=True))
            if found != self.found:
                self.preview.forget()
            self.found, self.error, self.age = found, None, Age(Freshness.LIVE, self.now)
        self.draw()
        self.host.update_header()

    def forget(self) -> None:
        super().forget()
        self.found, self._rows, self.by_key = None, (), {}

    def has_data(self) -> bool:
        return self.found is not None

    def rows(self) -> Sequence[Row]:
        return self._rows

    def empty(self) -> tuple[str, str]:
        if self.found is not None and self.found.total:
            return f"All {counted(self.found.total, 'test')} passed.", "success"
        if self.found is not None and self.found.has_report:
            return "The test report is not readable.", "warning"
        return NO_REPORT, "muted"

    def draw_summary(self) -> None:
        if self.found is not None:
            self.host.summarize([*summary_pieces(self.found), *filter_pieces(self)])


class FailedTestsScreen(ViewScreen):
    BODY = FailedTestsBody
    CONTROLLERS = (
        *VIEW_KEYS, CopyMenu, Details, ChangePreview, FocusDetails, NextPane, PreviousPane,
        FilterRows, CopyRow, PipelineLogs,
    )  # fmt: skip
    FOOTER = (
        "table.open", "list.details", "list.filter", "list.copy", "view.back", "view.refresh",
        "app.command",
    )  # fmt: skip


class TestOutputScreen(ViewScreen):
    BODY = partial(DocumentBody, load_output)
    CONTROLLERS = DOCUMENT_KEYS
    FOOTER = DOCUMENT_FOOTER
