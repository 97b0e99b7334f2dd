"""The questions of the run form: which ref, which pipeline file, which variables of before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import clean, shorten
from platui.present.run_form import OWN_FILE, set_words
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.dialogs.picker import Picker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.drafts import RunHistory
    from platui.models.values.queries import ProjectRef
    from platui.models.values.repository import RefName
    from platui.service import PlatformService

_USED: Final = "used before"


class RunChooser:
    """Makes the lists to choose from; what a platform does not list is remembered, or typed."""

    def __init__(self, service: PlatformService, project: ProjectRef, history: RunHistory) -> None:
        self._service = service
        self._project = project
        self._history = history

    def refs(self, default: str) -> Picker:
        """Return the choice of a branch or tag.

        Args:
            default: the default branch; empty where it is not known.
        """
        items = [MenuItem(default, default, "default branch")] if default else []
        items += [MenuItem(ref, ref, _USED) for ref in self._history.refs if ref != default]

        async def find(word: str) -> tuple[Sequence[MenuItem], bool]:
            repository = await self._service.repository()
            found = await repository.find_refs(self._project, word)
            if found is None:
                return (), True
            return [MenuItem(one.name, one.name, _kind(one)) for one in found.names], found.is_whole

        return Picker("Run on which branch or tag? Type to find it", items, find)

    def files(self, ref: str) -> Picker:
        """Return the choice of a pipeline file; the project's own is the value of nothing.

        Args:
            ref: at which files are looked for.
        """
        items = [MenuItem("", OWN_FILE, "as its settings name it")]
        items += [MenuItem(path, path, _USED) for path in self._history.pipeline_files]

        async def find(word: str) -> tuple[Sequence[MenuItem], bool]:
            del word  # a folder is listed as a whole
            if not ref:
                return (), True
            repository = await self._service.repository()
            files = await repository.pipeline_files(self._project, ref, None)
            return [MenuItem(path, path, "in the repository") for path in files.listed or ()], True

        return Picker("From which pipeline file? Type its path", items, find)

    def sets(self) -> Menu:
        """Return the choice of variables that were sent before; its values are numbers."""
        items = [
            MenuItem(str(at), shorten(set_words(variables), 200))
            for at, variables in enumerate(self._history.variables)
        ]
        return Menu("Variables of which run before? Secrets are to be typed again", items)


def _kind(ref: RefName) -> str:
    """Return what a ref is, or else what its newest commit says."""
    if ref.is_default:
        return "default branch"
    return "tag" if ref.is_tag else shorten(clean(ref.title), 60)
