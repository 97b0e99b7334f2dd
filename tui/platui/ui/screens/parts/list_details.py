"""Details of the row under the cursor: beside the table, or on a page of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import UNAVAILABLE, PlatuiError
from platui.models.values.connection import Urgency
from platui.ui.widgets.detail_pane import DetailPane

if TYPE_CHECKING:
    from platui.models.values.feeds import Snapshot
    from platui.models.values.tests import FailedTests, ReportedPipeline
    from platui.present.details.layout import Details
    from platui.ui.screens.parts.list_body import ListBody

_FEED: Final = "detail"
_REST: Final = 0.6  # Seconds of rest before failed tests are requested
_RETRY: Final = 30.0  # Seconds after an error before they are requested again


class ListDetails:
    """Shows the details, from the full record where the list has only part of it."""

    def __init__(self, body: ListBody) -> None:
        self._body = body
        self._is_hidden = False
        self._record: Any = None
        self._record_of: str | None = None
        self._tests = FailedTestsOfRow(body)

    @property
    def has_room(self) -> bool:
        return any(self._body.host.has_class(name) for name in self._body.DETAIL_CLASSES)

    @property
    def is_shown(self) -> bool:
        return self._body.has_class("-detailed")

    def full_record(self, key: str) -> Any:
        """Return the full record of a row, once it is fetched."""
        return self._record if self._record is not None and str(self._record.id) == key else None

    def forget(self) -> None:
        self._record, self._record_of = None, None

    def draw(self) -> None:
        beside = self.has_room and not self._is_hidden
        if not beside and isinstance(self._body.host.focused, DetailPane):
            self._body.focus_body()  # a hidden pane takes no keys
        self._body.set_class(beside, "-detailed")
        key = self._body.table.cursor_key
        if beside:
            self._show(self._describe(key) if key else None)
            self._tests.want(key, self.redraw)
        if self._body.FOLLOWS_RECORD and self._body.host.is_shown:
            self._follow(key if beside else None)

    def fit(self) -> None:
        """Draw the list in its new size; a pane without room leaves the focus to the table."""
        self._body.draw()
        body, focused = self._body, self._body.host.focused
        if not body.is_whole:
            return
        # A prompt that opens is not on the screen yet.
        if focused is None or (body in focused.ancestors and not focused.is_on_screen):
            body.focus_body()

    def _describe(self, key: str, record: Any = None) -> Details | None:
        return self._tests.added_to(self._body.context.details(key, record), key)

    def _show(self, details: Details | None) -> None:
        pane = self._body.query_one_optional("#detail", DetailPane)
        if pane is None:
            pane = DetailPane(id="detail")
            self._body.mount(pane)
        pane.show(details)

    def _follow(self, key: str | None) -> None:
        if key is not None and key == self._record_of and self._body.feeds.is_followed(_FEED):
            return
        feed = self._body.context.record_feed(key) if key is not None else None
        if feed is None:
            self.forget()
            self._body.feeds.drop(_FEED)
            return
        self._record_of = key
        self._body.feeds.follow(_FEED, feed, self._take)

    def _take(self, snapshot: Snapshot[Any]) -> None:
        if snapshot.value is not None:
            self._record = snapshot.value
            self._body.on_record()

    def redraw(self) -> None:
        key = self._body.table.cursor_key if self._body.is_whole else None
        if key and self.is_shown:
            self._show(self._describe(key))

    def toggle(self) -> None:
        """Show or hide the pane; on a narrow screen, open a page."""
        if self.has_room:
            self._is_hidden = not self._is_hidden
            self.draw()
            return
        body = self._body
        key = body.table.cursor_key
        if key and body.context.details(key) is not None:
            from platui.ui.dialogs.details import DetailsDialog  # noqa: PLC0415  (on first use)

            dialog = DetailsDialog(partial(self._describe, key), body.context.record_feed(key))
            body.app.push_screen(dialog)
            self._tests.want(key, dialog.redraw)

    def focus(self) -> None:
        pane = self._body.query_one_optional("#detail", DetailPane)
        if pane is not None and self.is_shown:
            pane.focus()


class FailedTestsOfRow:
    """The failed tests of the row under the cursor, requested in the background."""

    def __init__(self, body: ListBody) -> None:
        self._body = body
        self._wanted: ReportedPipeline | None = None
        self._found: dict[ReportedPipeline, FailedTests] = {}
        self._failed_at: dict[ReportedPipeline, float] = {}  # Monotonic seconds

    def added_to(self, details: Details | None, key: str) -> Details | None:
        found = self._found.get(of) if (of := self._body.context.tests_of(key)) else None
        if details is None or of is None or found is None:
            return details
        from platui.present.tables.tests import with_tests  # noqa: PLC0415  (on first use)

        return with_tests(details, found.of_suite(of.suite))

    def want(self, key: str | None, show: Callable[[], None]) -> None:
        """Request the tests once the cursor rests on this row, then call `show`."""
        of = self._body.context.tests_of(key) if key else None
        if of is None or of == self._wanted or of in self._found:
            return
        failed_at = self._failed_at.get(of)
        if failed_at is not None and self._body.service.clock.monotonic() < failed_at + _RETRY:
            return
        self._wanted = of
        self._body.in_background("tests", self._fetch, of, show)

    async def _fetch(self, of: ReportedPipeline, show: Callable[[], None]) -> None:
        try:
            await asyncio.sleep(_REST)
            self._found[of] = await self._body.service.failed_tests(of, Urgency.BACKGROUND)
        except UNAVAILABLE:
            from platui.models.values.tests import FailedTests  # noqa: PLC0415  (imported with any)

            self._found[of] = FailedTests()  # Not asked again by each poll
        except PlatuiError:
            self._failed_at[of] = self._body.service.clock.monotonic()
        finally:
            if self._wanted == of:
                self._wanted = None
        show()
