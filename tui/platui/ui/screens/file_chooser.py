"""The questions of the file screen: which ref, which folder, which file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from platui.core.errors import PlatuiError
from platui.core.text import clean, shorten
from platui.present.files import short_ref
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.messages import Failed

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from textual.screen import Screen

    from platui.models.values.places import Place
    from platui.models.values.repository import Entry
    from platui.service import PlatformService

REF: Final = "@"
"""The sign before a branch, tag or commit that is typed."""
PATH: Final = "›"
"""The sign before a path that is typed."""


class Answers(Protocol):
    """Who is told what was chosen."""

    place: Place

    def go(self, *, path: str = "", ref: str = "") -> None:
        """Open what was chosen; what was not asked for stays."""
        ...

    async def type(self, sign: str) -> None:
        """Let the user type it: the platform does not list what there is."""
        ...

    def close_line(self) -> None:
        """Close a line that is open meanwhile: a list never opens over one."""
        ...

    def ask(self, question: Awaitable[None]) -> None:
        """Put the next question."""
        ...


class FileChooser:
    """Puts the questions as lists where the platform has them, else as a line to type on."""

    def __init__(self, service: PlatformService, screen: Screen[None], answers: Answers) -> None:
        self._service = service
        self._screen = screen
        self._answers = answers

    async def choose_ref(self) -> None:
        """Choose a branch or tag."""
        place = self._answers.place
        try:
            repository = await self._service.repository()
            refs = await repository.refs(place.project) if place.project is not None else ()
        except PlatuiError as error:
            self._screen.post_message(Failed(error))
            return
        if not self._screen.is_current:
            return
        if not refs:
            await self._answers.type(REF)
            return
        items = [
            MenuItem(str(at), one.name, shorten(one.title, 60), "tag" if one.is_tag else "")
            for at, one in enumerate(refs)
        ]
        items.append(MenuItem("", "another: type a branch, tag or commit"))

        def choose(chosen: str | None) -> None:
            if chosen:
                self._answers.go(ref=refs[int(chosen)].name)
            elif chosen is not None:
                self._answers.ask(self._answers.type(REF))

        self._answers.close_line()
        title = f"Read {shorten(place.path, 50) or 'the file'} at"
        await self._screen.app.push_screen(Menu(title, items), choose)

    async def choose_file(self, folder: str, likely: tuple[str, ...] = ()) -> None:
        """Choose a file of a folder, the likely ones first, or another folder."""
        place = self._answers.place
        try:
            entries = await self._entries(place, folder)
        except PlatuiError as error:
            self._screen.post_message(Failed(error))
            return
        if not self._screen.is_current:
            return
        if not entries:
            await self._answers.type(PATH)
            return
        items = [
            MenuItem(
                str(at),
                f"{one.name}/" if one.is_folder else one.name,
                "pipeline file" if one.path in likely else "",
            )
            for at, one in enumerate(entries)
        ]
        items.sort(key=lambda item: not item.hint)
        if folder:
            items.insert(0, MenuItem("up", "../", folder))
        items.append(MenuItem("", "another: type its path"))

        def choose(chosen: str | None) -> None:
            if chosen is None:
                return
            if not chosen:
                self._answers.ask(self._answers.type(PATH))
            elif chosen == "up":
                self._answers.ask(self.choose_file(folder.rpartition("/")[0]))
            elif (entry := entries[int(chosen)]).is_folder:
                self._answers.ask(self.choose_file(entry.path))
            else:
                self._answers.go(path=entry.path)

        self._answers.close_line()
        title = f"Files of {shorten(folder or place.project_name, 40)} at {short_ref(place.ref)}"
        await self._screen.app.push_screen(Menu(clean(title), items), choose)

    async def _entries(self, place: Place, folder: str) -> tuple[Entry, ...]:
        if place.project is None or not place.ref:
            return ()
        repository = await self._service.repository()
        return await repository.folder(place.project, place.ref, folder) or ()
