"""Complete the route of a file that lacks its path or ref."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.core.errors import PlatuiError
from platui.present.chrome import Age, Freshness
from platui.ui.screens.files.file_chooser import PATH
from platui.ui.screens.parts.followed_feeds import MAIN

if TYPE_CHECKING:
    from platui.models.values.feeds import Snapshot
    from platui.models.wire import RepositoryFile
    from platui.ui.screens.files.file import FileBody


class FileFinder:
    """Completes the route of a file once; the user chooses among several candidates."""

    def __init__(self, body: FileBody) -> None:
        self.is_busy = False
        self._body = body
        self._is_done = False
        self._tried_longer_ref = False

    def forget(self) -> None:
        self.is_busy = self._is_done = self._tried_longer_ref = False

    def repeat(self) -> None:
        """Let the next `find_once` search again."""
        self._is_done = False

    def find_once(self) -> None:
        if self._is_done:
            return
        self._is_done = True
        if self._body.route.ref:
            self._body.in_background("ask", self._find)
        else:
            self._show_age(Freshness.UNASKED)
            self._body.chooser.choose_ref()

    def tries_longer_ref(self, missing: Snapshot[RepositoryFile]) -> bool:
        """Return whether a ref with slashes is tried; the path may begin with its end."""
        if "/" not in self._body.route.path or self._tried_longer_ref:
            return False
        self._tried_longer_ref = True
        self._body.in_background("ask", self._find_longer_ref, missing)
        return True

    async def _find_longer_ref(self, missing: Snapshot[RepositoryFile]) -> None:
        """Show the file at a ref with slashes, if found."""
        body = self._body
        route, found = body.route, None
        if route.project is not None:
            try:
                repository = await body.service.repository()
                found = await repository.longer_ref(route.project, route.ref, route.path)
            except PlatuiError as error:
                body.log.debug(error.sentence)  # the view shows that the file is missing
        if route != body.route:
            return
        if found is None:
            body.take(missing)
            return
        body.feeds.stop()
        body.feeds.drop(MAIN)
        body.host.complete(replace(route, ref=found[0], path=found[1]))
        body.draw()
        body.start_feeds()

    async def _find(self) -> None:
        body = self._body
        route = body.route
        if route.project is None:
            return
        self.is_busy = True
        self._show_age(Freshness.NOTHING)
        body.draw()
        try:
            repository = await body.service.repository()
            files = await repository.pipeline_files(route.project, route.ref, route.pipeline)
        except PlatuiError as error:
            body.error = error
            self._show_age(Freshness.FAILED)
            return
        finally:
            # When cancelled, another route has its own search.
            if route == body.route:
                self.is_busy = False
                body.draw()
        if not body.host.is_current:
            # Another view is shown: search again on return.
            self.repeat()
            return
        if files.certain:
            body.host.complete(replace(body.route, path=files.certain))
            body.start_feeds()
            return
        self._show_age(Freshness.UNASKED)
        if files.listed is None:
            await body.chooser.type(PATH)
        else:
            await body.chooser.list_folder("", files.listed)

    def _show_age(self, kind: Freshness) -> None:
        self._body.age = Age(kind)
        self._body.host.update_header()
