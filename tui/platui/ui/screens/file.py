"""A file of the repository at a branch, tag or commit; the pipeline file where none is named."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from platui.core.errors import NotFoundError, PlatuiError
from platui.core.text import clean, shorten
from platui.present.chrome import Age, Freshness
from platui.present.files.status import file_line, page_without, where_line
from platui.service import resources
from platui.ui.failures import page
from platui.ui.keys_in_use import bind
from platui.ui.messages import CopyWanted, GoTo, PlaceLearned
from platui.ui.screens.file_chooser import PATH, REF, choose_file, choose_ref
from platui.ui.screens.listing import VIEW_COPY
from platui.ui.screens.parts.followed import MAIN
from platui.ui.screens.searching import SearchedText

if TYPE_CHECKING:
    from platui.models.values.feeds import Feed, Snapshot
    from platui.models.values.log import LogDocument
    from platui.models.values.places import Place
    from platui.models.wire import RepositoryFile
    from platui.present.chrome import Pieces
    from platui.present.files.source import Source


class FileScreen(SearchedText):
    """A text between two lines; `@` reads it at another ref, `p` opens another file."""

    TEXT = "text"
    FOOTER = (
        "place.up", "file.ref", "file.choose", "text.search", "text.filter", "log.numbers",
        "file.copy", "place.refresh", "app.command",
    )  # fmt: skip
    DEFAULT_CSS = """
    FileScreen #nothing { text-align: center; }
    """
    BINDINGS = [
        bind("at", "file.ref", "Ref", "Read this file at another branch, tag or commit"),
        bind("p", "file.choose", "File", "Open another file"),
        bind(
            "y,Y", "file.copy", "Copy…", "Copy path, commit or the whole text", action="copy_menu"
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._file: RepositoryFile | None = None
        self._source: Source | None = None
        self._sought = False  # Whether it was looked for which file the pipeline was made from
        self._asked = False  # Whether an answer to that is on its way
        self._split = False  # Whether it was looked for a longer ref, of which the path has the end
        self._points = self.place.line is not None  # Whether to go to the line of the place

    def crumbs(self) -> tuple[str, ...]:
        """Return project, pipeline and file."""
        pipeline = (f"#{self.place.pipeline}",) if self.place.pipeline else ()
        return (self.project_name, *pipeline, self.place.path or "file")

    def on_mount(self) -> None:
        """Number the lines: that is how people speak of source."""
        self.view.line_numbers = True

    def open_feed(self) -> Feed[RepositoryFile] | None:
        """Return the feed of the file, where it is known which one that is."""
        place = self.place
        if place.project is None or not place.ref or not place.path:
            return None
        return self.service.watch(resources.files.file(place.project, place.path, place.ref))

    def start_feeds(self) -> None:
        """Follow the file, or find out which one it is."""
        super().start_feeds()
        if self.feeds.main is None and self.place.project is not None:
            self._seek()

    def forget(self) -> None:
        """Drop the file of before."""
        super().forget()
        for group in ("ask", "read"):
            # An answer about the place of before would be shown as one about this.
            self.app.workers.cancel_group(self, group)
        self._file = self._source = None
        self._sought = self._asked = self._split = False
        if self.is_whole:
            self.view.clear()

    def visit(self, place: Place) -> None:
        """Show another file, or the same one at another ref."""
        if (place.path, place.ref) != (self.place.path, self.place.ref):
            self.age, self.error = Age(), None
            self.feeds.stop()
            self.forget()
        pointed = place != self.place and place.line is not None
        super().visit(place)
        if pointed:
            self._points = True
            self._point()

    def action_refresh(self) -> None:
        """Fetch again, or look again which file it is."""
        super().action_refresh()
        if self.feeds.main is None:
            self._sought = False
            self.start_feeds()

    def _show(self, snapshot: Snapshot[RepositoryFile]) -> None:
        file = snapshot.value
        missing = file is None and isinstance(snapshot.error, NotFoundError)
        if missing and "/" in self.place.path and not self._split:
            self._split = True
            self.in_background("ask", self._look_for_longer_ref, snapshot)
            return
        self.judge(snapshot)
        if file is not None and file != self._file:
            self._file = file
            self.in_background("read", self._read, file)
        self.draw()

    async def _look_for_longer_ref(self, snapshot: Snapshot[RepositoryFile]) -> None:
        """Read the file at a ref with slashes in its name, if there is one; else it is missing."""
        place, found = self.place, None
        if place.project is not None:
            try:
                repository = await self.service.repository()
                found = await repository.longer_ref(place.project, place.ref, place.path)
            except PlatuiError as error:
                self.log.debug(error.sentence)  # what is said is that the file is missing
        if place != self.place:
            return
        if found is None:
            self._show(snapshot)
            return
        self.feeds.stop()
        self.feeds.drop(MAIN)
        self.place = replace(place, ref=found[0], path=found[1])
        self.post_message(PlaceLearned(self.place))
        self.draw()
        self.tell_header()
        self.start_feeds()

    async def _read(self, file: RepositoryFile) -> None:
        """Decode and highlight: in a thread, as a large file takes a while."""
        from platui.present.files.source import read_source  # noqa: PLC0415  (with what highlights)

        try:
            source = await asyncio.to_thread(read_source, file)
        except PlatuiError as error:
            self.error = error
        else:
            top = self.view.top_line if self._source is not None else 0
            self._source = source
            self.view.show(source.document, ended=True)
            self.view.go_to(top)
            self._point()
        self.draw()

    def _point(self) -> None:
        line = self.place.line
        if self._points and line is not None and self._source is not None:
            self._points = False
            # When all of it was painted once: what is in sight is known then.
            self.call_after_refresh(self.view.reveal, line)

    def _seek(self) -> None:
        """Once: find out which file is meant, and at which ref."""
        if not self._sought:
            self._sought = True
            if self.place.ref:
                self.in_background("ask", self._find)
            else:
                self._tell_age(Freshness.UNASKED)
                self.action_ref()

    def _tell_age(self, kind: Freshness) -> None:
        self.age = Age(kind)
        self.tell_header()

    async def _find(self) -> None:
        """Open the file that the pipeline was made from, or let the user say which."""
        place = self.place
        if place.project is None:
            return
        self._asked = True
        self._tell_age(Freshness.NOTHING)
        self.draw()
        try:
            repository = await self.service.repository()
            files = await repository.pipeline_files(place.project, place.ref, place.pipeline)
        except PlatuiError as error:
            self.error = error
            self._tell_age(Freshness.FAILED)
            return
        finally:
            # Given up, another place has its own question under way.
            if place == self.place:
                self._asked = False
                self.draw()
        if not self.is_current:
            # One looks at something else: asked again when one is back.
            self._sought = False
            return
        if files.certain:
            self._learn(files.certain)
            return
        self._tell_age(Freshness.UNASKED)
        if files.listed is None:
            await self.type(PATH)
        else:
            await choose_file(self, "", files.listed)

    def _learn(self, path: str) -> None:
        """Be at that file, as if it had been named from the start."""
        self.place = replace(self.place, path=path)
        self.post_message(PlaceLearned(self.place))
        self.tell_header()
        self.start_feeds()

    def file_here(self) -> Place:
        """Return this file: what is typed changes its path or ref."""
        return self.place

    def action_choose(self) -> None:
        """Choose another file, from the folder of this one."""
        self.in_background("ask", choose_file, self, self.place.path.rpartition("/")[0])

    def action_ref(self) -> None:
        """Choose a branch or tag; where the platform lists none, type one."""
        self.in_background("ask", choose_ref, self)

    async def type(self, sign: str) -> None:
        """Let the user type a ref or a path."""
        words = "branch, tag or commit" if sign == REF else "path of a file"
        await self.prompt.ask(sign, self.place.ref if sign == REF else self.place.path)
        self.prompt.tell(((words, "muted"),))

    def close_line(self) -> None:
        """Close a line that is open meanwhile: a list never opens over one."""
        if self.prompt.is_open:
            self.prompt.action_cancel()

    def answered(self, sign: str, text: str) -> None:
        """Go where the user typed."""
        text = text.strip()
        if sign == REF:
            self.go(ref=text)
        else:
            self.go(path=text.strip("/"))

    def go(self, *, path: str = "", ref: str = "") -> None:
        """Open another file, or this one at another ref."""
        place = self.place
        path, ref = path or place.path, ref or place.ref
        self.post_message(GoTo(replace(place, path=path, ref=ref, line=None)))

    def document(self) -> LogDocument | None:
        """Return the file's lines."""
        return self._source.document if self._source is not None else None

    def draw_lines(self) -> None:
        """Show where the file was read and whether it is whole, and where in it one is."""
        self.summarize(file_line(self.place, self._file, self._source))
        self.show_where()

    def position(self) -> Pieces:
        """Return which lines are in sight."""
        return where_line(self._source, self.view.window)

    def nothing(self) -> str:
        """Return why there is no text, and which keys bring one."""
        missing = isinstance(self.error, NotFoundError) and bool(self.place.path)
        if self.error is not None and not missing:
            return page(self.error, self.key_of)
        asked = self._asked or self.feeds.main is not None
        return page_without(self.place, self._source, missing=missing, asked=asked)

    async def action_copy_menu(self) -> None:
        """Choose what to copy: the path, the commit, or the whole text."""
        file, source = self._file, self._source
        copies = {VIEW_COPY: self.view_command()}
        copies |= {"path": clean(self.place.path), "ref": clean(self.place.ref)}
        if file is not None and source is not None and not source.binary:
            copies["commit"] = clean(file.commit_id)
            copies["last change"] = clean(file.last_commit_id)
            copies["sha256"] = clean(file.content_sha256)
        choices = [(name, name, shorten(text, 50)) for name, text in copies.items() if text]
        if source is not None and source.document.line_count:
            choices.append(("text", "text", shorten(source.document.text(0), 50)))

        def copy(chosen: str) -> None:
            if chosen == "text" and source is not None:
                self.post_message(CopyWanted(source.text()))
            else:
                self.post_message(CopyWanted(copies[chosen]))

        await self.choose("Copy", choices, copy)
