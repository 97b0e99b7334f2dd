"""The questions of the file screen: which ref, which folder, which file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError
from platui.core.text import clean, shorten
from platui.present.files.status import short_ref
from platui.ui.messages import Failed

if TYPE_CHECKING:
    from platui.models.values.files import Entry
    from platui.models.values.places import Place
    from platui.service import PlatformService
    from platui.ui.screens.base import Choice
    from platui.ui.screens.file import FileScreen

REF: Final = "@"  # The sign before a branch, tag or commit that is typed
PATH: Final = "›"  # The sign before a path that is typed


async def choose_ref(screen: FileScreen) -> None:
    """Choose a branch or tag; where the platform lists none, it is typed."""
    place = screen.place
    try:
        repository = await screen.service.repository()
        refs = await repository.refs(place.project) if place.project is not None else ()
    except PlatuiError as error:
        screen.post_message(Failed(error))
        return
    if not screen.is_current:
        return
    if not refs:
        await screen.type(REF)
        return
    choices: list[Choice] = [
        (str(at), one.name, shorten(one.title, 60), "tag" if one.is_tag else "")
        for at, one in enumerate(refs)
    ]
    choices.append(("", "another: type a branch, tag or commit"))

    def take(chosen: str) -> None:
        if chosen:
            screen.go(ref=refs[int(chosen)].name)
        else:
            screen.in_background("ask", screen.type, REF)

    screen.close_line()
    await screen.choose(f"Read {shorten(place.path, 50) or 'the file'} at", choices, take)


async def choose_file(screen: FileScreen, folder: str, likely: tuple[str, ...] = ()) -> None:
    """Choose a file of a folder, the likely ones first, or another folder."""
    place = screen.place
    try:
        entries = await _entries(screen.service, place, folder)
    except PlatuiError as error:
        screen.post_message(Failed(error))
        return
    if not screen.is_current:
        return
    if not entries:
        await screen.type(PATH)
        return
    choices: list[Choice] = [
        (
            str(at),
            f"{one.name}/" if one.is_folder else one.name,
            "pipeline file" if one.path in likely else "",
        )
        for at, one in enumerate(entries)
    ]
    choices.sort(key=lambda choice: not choice[-1])
    if folder:
        choices.insert(0, ("up", "../", folder))
    choices.append(("", "another: type its path"))

    def take(chosen: str) -> None:
        if not chosen:
            screen.in_background("ask", screen.type, PATH)
        elif chosen == "up":
            screen.in_background("ask", choose_file, screen, folder.rpartition("/")[0])
        elif (entry := entries[int(chosen)]).is_folder:
            screen.in_background("ask", choose_file, screen, entry.path)
        else:
            screen.go(path=entry.path)

    screen.close_line()
    title = f"Files of {shorten(folder or place.project_name, 40)} at {short_ref(place.ref)}"
    await screen.choose(clean(title), choices, take)


async def _entries(service: PlatformService, place: Place, folder: str) -> tuple[Entry, ...]:
    if place.project is None or not place.ref:
        return ()
    repository = await service.repository()
    return await repository.folder(place.project, place.ref, folder) or ()
