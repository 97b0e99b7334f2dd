"""Find the file of a route that lacks its path or ref; choose another file or ref."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from platui.core.errors import PlatuiError
from platui.core.text import clean, shorten
from platui.present.chrome import Age, Freshness
from platui.present.files.source import short_ref
from platui.ui.controller import Controller, command
from platui.ui.screens.parts.body import MAIN

if TYPE_CHECKING:
    from platui.models.values.feeds import Snapshot
    from platui.models.values.files import FolderEntries
    from platui.models.wire import RepositoryFile
    from platui.ui.screens.files.file import FileBody
    from platui.ui.screens.parts.view_screen import Choice
    from platui.ui.terminal.app import TerminalApp
    from platui.ui.terminal.key_queue import KeyQueue

REF: Final = "@"  # The prompt sign of a branch, tag or commit
PATH: Final = "›"  # The prompt sign of a path
_UNKNOWN_FILE: Final = "The pipeline does not name its file: choose one."
_LIKELY: Final = "pipeline file"


class FileFinder:
    """Completes the route of a file once; the user chooses among several, or another file."""

    def __init__(self, body: FileBody) -> None:
        self.is_busy = False
        self._body = body
        self._is_done = False
        self._tried_longer_ref = False

    def choose_ref(self) -> None:
        """Choose a branch or tag; where none are listed, type one."""
        self._ask(self._choose_ref)

    def choose_file(self, folder: str, likely: tuple[str, ...] = ()) -> None:
        self._ask(self.list_folder, folder, likely)

    async def _choose_ref(self) -> None:
        body = self._body
        route = body.route
        try:
            repository = await body.service.repository()
            refs = await repository.refs(route.project) if route.project is not None else None
        except PlatuiError as error:
            body.host.show_error(error)
            return
        if not body.host.is_current:
            return
        if refs is None or not refs.names:
            await self.type(REF)
            return
        choices: list[Choice] = [
            (partial(self.go, ref=one.name), one.name, shorten(one.title, 60), "tag" * one.is_tag)
            for one in refs.names
        ]
        other = "other: type a branch, tag or commit"
        choices.append(
            (partial(self._ask, self.type, REF), other, _limit(len(refs.names), refs.is_whole))
        )
        await self._choose(f"Show {shorten(route.path, 50) or 'the file'} at", choices)

    async def list_folder(self, folder: str, likely: tuple[str, ...] = ()) -> None:
        body = self._body
        route = body.route
        found: FolderEntries | None = None
        try:
            if route.project is not None and route.ref:
                repository = await body.service.repository()
                found = await repository.folder(route.project, route.ref, folder)
        except PlatuiError as error:
            body.host.show_error(error)
            return
        if not body.host.is_current:
            return
        if found is None or not found.entries:
            await self.type(PATH)
            return
        choices: list[Choice] = [
            (partial(self.choose_file, one.path), f"{one.name}/", "")
            if one.is_folder
            else (partial(self.go, path=one.path), one.name, _LIKELY * (one.path in likely))
            for one in found.entries
        ]
        choices.sort(key=lambda choice: not choice[-1])
        if folder:
            above = partial(self.choose_file, folder.rpartition("/")[0])
            choices.insert(0, (above, "../", folder))
        limit = _limit(len(found.entries), found.is_whole)
        choices.append((partial(self._ask, self.type, PATH), "other: type its path", limit))
        title = f"Files of {shorten(folder or route.project_name, 40)} at {short_ref(route.ref)}"
        await self._choose(clean(title), choices)

    async def _choose(self, title: str, choices: list[Choice]) -> None:
        prompt = self._body.host.prompt
        if prompt.is_open:
            prompt.action_cancel()
        await self._body.host.choose(title, choices, lambda act: act())

    @property
    def _keys(self) -> KeyQueue:
        return cast("TerminalApp[Any]", self._body.host.app).key_queue

    def _ask(self, function: Callable[..., Awaitable[None]], *arguments: object) -> None:
        held = self._keys.hold()  # the next keys are for what opens
        self._body.in_background("ask", self._open, held, function, *arguments)

    async def _open(
        self, held: float, function: Callable[..., Awaitable[None]], *arguments: object
    ) -> None:
        host, is_open = self._body.host, False
        try:
            await function(*arguments)
            is_open = host.prompt.is_open or host.app.screen is not host
        finally:
            self._keys.release(held, drops=not is_open)

    async def type(self, sign: str) -> None:
        route, prompt = self._body.route, self._body.host.prompt
        words = "branch, tag or commit" if sign == REF else "path of a file"
        await prompt.ask(sign, route.ref if sign == REF else route.path)
        prompt.show_status(((words, "muted"),))

    def go(self, *, path: str = "", ref: str = "") -> None:
        route = self._body.route
        path, ref = path or route.path, ref or route.ref
        self._body.host.go_to(replace(route, path=path, ref=ref, line=None))

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
            self._body.in_background("find", self._find)
        else:
            self._show_age(Freshness.UNASKED)
            self._body.in_background("ask", self._choose_ref)

    def tries_longer_ref(self, missing: Snapshot[RepositoryFile]) -> bool:
        """Return whether a ref with slashes is tried; the path may begin with its end."""
        if "/" not in self._body.route.path or self._tried_longer_ref:
            return False
        self._tried_longer_ref = True
        self._body.in_background("find", self._find_longer_ref, missing)
        return True

    async def _find_longer_ref(self, missing: Snapshot[RepositoryFile]) -> None:
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
        if not body.host.is_shown:
            # Another view is shown: try again on return.
            self._tried_longer_ref = False
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
        if route.pipeline is not None:
            body.host.show_hint(_UNKNOWN_FILE)
        if files.listed is None:
            await self.type(PATH)
        else:
            await self.list_folder("", files.listed)

    def _show_age(self, kind: Freshness) -> None:
        self._body.age = Age(kind)
        self._body.host.update_header()


def _limit(count: int, is_whole: bool) -> str:  # noqa: FBT001  (a count and whether it is all)
    return "" if is_whole else f"only {count:,} are listed"


class ChooseFile(Controller["FileBody"]):
    @command("at", "file.ref", "Ref")
    def choose_ref(self) -> None:
        """Show this file at another branch, tag or commit."""
        self.body.finder.choose_ref()

    @command("p", "file.choose", "File")
    def choose_file(self) -> None:
        """Open another file."""
        self.body.finder.choose_file(self.body.route.path.rpartition("/")[0])

    def answered(self, sign: str, text: str) -> None:
        text = text.strip()
        if text and sign == REF:
            self.body.finder.go(ref=text)
        elif text and sign == PATH:
            self.body.finder.go(path=text.strip("/"))
