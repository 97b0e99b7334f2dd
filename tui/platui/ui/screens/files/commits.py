"""The commits between the last success and the first failure, and the files that they changed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import CommandError, NotSupportedError, PlatuiError, is_unsupported
from platui.core.text import clean, shorten
from platui.models.values.connection import Urgency
from platui.models.values.previews import DOCUMENT, PreviewTarget
from platui.models.wire import Commit, Comparison
from platui.present.chrome import Age, Freshness
from platui.present.counts import counted
from platui.present.files.changes import (
    INCOMPLETE,
    NOT_SUPPORTED,
    SAME_COMMIT,
    change_details,
    merge_request_words,
    own_range,
    range_text,
    refs_of,
)
from platui.present.tables.commits import COMMITS, change_rows, changes_of, path_of
from platui.service import resources
from platui.ui.controller import Controller, command
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
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.messages import OpenPage
from platui.ui.screens.files.diff import diff_in, load_diff
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed, Snapshot
    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.models.values.table import Row
    from platui.present.details.layout import Details as DetailsOf
    from platui.present.tables.commits import Change
    from platui.service import PlatformService
    from platui.ui.screens.files.document import Document

_SHORT: Final = 8  # Characters of a commit
_LONGEST_REF: Final = 60  # Characters of a ref in a message


class CommitsContext(ListContext["CommitsBody"]):
    def item(self, key: str | None) -> Change | None:
        return self.body.changes.get(key or "")

    async def load_preview(self, service: PlatformService, route: Route) -> Document:
        if route.path:
            return await diff_in(self.body.comparison, route)
        return await load_diff(service, route, Urgency.BACKGROUND)

    def crumbs(self) -> tuple[str, ...]:
        pipeline = self.body.route.pipeline
        return (self.project_crumb, *((f"#{pipeline}",) if pipeline else ()), "Changes")

    def open(self, key: str) -> None:
        if (route := self._diff(key)) is not None:
            self.body.host.go_to(route)
        elif self.item(key) is not None:
            browse = self.body.host.key_of("commits.browse")
            self.body.host.show_hint(
                f"The commit before this one is unknown: {browse} opens its page."
            )

    def preview(self, key: str, _kind: str) -> PreviewTarget | None:
        one, route = self.item(key), self._diff(key)
        if one is None or route is None:
            return None
        title = one.id[:_SHORT] if isinstance(one, Commit) else path_of(one)
        return PreviewTarget(route.project or 0, clean(title), "", route=route)

    def _diff(self, key: str) -> Route | None:
        """Return the diff of a row; None: the commit before it is unknown."""
        one, route = self.item(key), replace(self.body.route, view="diff")
        if isinstance(one, Commit):
            return replace(route, ref=own_range(one)) if own_range(one) else None
        return None if one is None else replace(route, path=one.new_path or one.old_path)

    def details(self, key: str, _record: Any = None) -> DetailsOf | None:
        one = self.item(key)
        return None if one is None else change_details(one, self.at_now)

    def copies(self, key: str) -> Mapping[str, str]:
        one = self.item(key)
        if isinstance(one, Commit):
            return {"URL": one.web_url, "commit": one.id, "title": one.title}
        return {} if one is None else {"URL": self.body.comparison.web_url, "path": one.new_path}


class CommitsBody(ListBody):
    CONTEXT = CommitsContext
    SUBJECT = (*ListBody.SUBJECT, "ref")
    NOUN = "commits"
    COLUMNS = COMMITS.layout
    PREVIEWS = (DOCUMENT,)
    context: CommitsContext
    comparison: Comparison = Comparison()
    is_supported = True

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.changes: Mapping[str, Change] = {}
        self._rows: Sequence[Row] | None = None  # None: not read yet

    def open_feed(self) -> Feed[Comparison] | None:
        project, refs = self.route.project, refs_of(self.route)
        if project is None:
            return None
        if not all(refs):
            sentence = f"Not a comparison: {shorten(self.route.ref, _LONGEST_REF)}."
            self.error = CommandError(sentence, hint="Type FROM...TO.")
            self.age = Age(Freshness.FAILED)
            self.draw()
            self.host.update_header()
            return None
        if self._is_same:
            self.age = Age(Freshness.SETTLED, self.now)
            self._show(Comparison())
            return None
        return self.service.watch(resources.files.comparison(project, *refs))

    def take(self, item: Snapshot[Comparison]) -> None:
        error, project, pipeline = item.error, self.route.project, self.route.pipeline
        if item.value is not None:
            self.is_supported = True
        elif is_unsupported(error):
            self.is_supported = False
            if project is not None and pipeline is not None:
                self.in_background("feed-known", self._read_known, project, pipeline)
                return
            item = replace(item, error=NotSupportedError(NOT_SUPPORTED))
        self.judge(item)
        self._show(item.value)

    async def _read_known(self, project: ProjectRef, pipeline: int) -> None:
        """Show the commits of both pipelines, which are known without a comparison."""
        timelines = await self.service.timelines()
        try:
            found = await timelines.find(project, pipeline)
            runs = (
                ()
                if found is None or found.last_green is None
                else (found.last_green, found.first_red)
            )
            comparison = await timelines.known_commits(project, *runs)
        except PlatuiError as error:
            self.error = error
            self.draw()
        else:
            self.age = Age(Freshness.SETTLED, self.now)
            self.host.update_header()
            await self._read(comparison)

    def _show(self, comparison: Comparison | None) -> None:
        if comparison is None or (self.has_data() and comparison == self.comparison):
            self.draw()
        else:
            self.in_background("read", self._read, comparison)

    async def _read(self, comparison: Comparison) -> None:
        """Make the rows in a thread, as there may be thousands."""
        changes = changes_of(comparison)
        self._rows = await asyncio.to_thread(change_rows, changes, self.context.at_now)
        self.comparison, self.changes = comparison, changes
        self.preview.forget()
        self.draw()

    def fetch_again(self) -> None:
        super().fetch_again()
        self.preview.retry()

    def forget(self) -> None:
        super().forget()
        self.app.workers.cancel_group(self, "read")
        self.comparison, self.changes, self._rows = Comparison(), {}, None
        self.is_supported = True

    def has_data(self) -> bool:
        return self._rows is not None

    def rows(self) -> Sequence[Row]:
        return self._rows or ()

    def empty(self) -> tuple[str, str]:
        if self._is_same:
            return SAME_COMMIT, "muted"
        return "Nothing changed between these commits.", "muted"

    @property
    def _is_same(self) -> bool:
        before, after = refs_of(self.route)
        return before == after

    def draw_summary(self) -> None:
        comparison, pieces = self.comparison, [(range_text(self.route), "accent")]
        if not self.is_supported:
            pieces.append((NOT_SUPPORTED, "warning"))
        elif self.has_data() and not self._is_same:
            pieces.append((counted(len(comparison.commits), "commit"), "text"))
            pieces.append((counted(len(comparison.diffs), "file"), "text"))
        if comparison.compare_timeout:
            pieces.append((INCOMPLETE, "warning"))
        self.host.summarize([*pieces, *filter_pieces(self)])


class OpenMergeRequest(Controller[CommitsBody]):
    @command("o", "commits.browse", "Merge request")
    def browse(self) -> None:
        """Open the merge request of this commit in a browser, or the commit's page."""
        self.body.in_background("browse", self._browse, self.body.table.cursor_key)

    async def _browse(self, key: str | None) -> None:
        body, project = self.body, self.body.route.project
        one = body.context.item(key)
        address, note = body.comparison.web_url, ""
        if isinstance(one, Commit) and project is not None:
            repository, address = await body.service.repository(), one.web_url
            try:
                found = await repository.merge_request(project, one.id)
            except PlatuiError as error:
                body.host.show_error(error)
            else:
                note = merge_request_words(one, found)
                address = address if found is None else found.web_url
        if address:
            self.screen.post_message(OpenPage(address, note=note))
        else:
            body.host.show_hint("The platform sent no URL of this commit.")

    def disabled_reason(self, _command: str) -> str:
        return "" if self.body.context.item(self.body.table.cursor_key) else "No row selected."


class CommitsScreen(ViewScreen):
    BODY = CommitsBody
    CONTROLLERS = (
        *VIEW_KEYS, CopyMenu, Details, ChangePreview, FocusDetails, NextPane, PreviousPane,
        FilterRows, CopyRow, OpenMergeRequest,
    )  # fmt: skip
    FOOTER = (
        "table.open", "commits.browse", "list.details", "list.filter", "list.copy", "view.back",
        "app.command",
    )  # fmt: skip
