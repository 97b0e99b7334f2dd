"""The questions of the run form: which ref, which pipeline file, which variables of before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.text import shorten
from platui.present.run_form import OWN_FILE, set_words
from platui.ui.dialogs.menu import Menu, MenuItem
from platui.ui.dialogs.picker import Picker
from platui.ui.dialogs.refs import USED, ref_picker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.drafts import RunHistory
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService


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
        return ref_picker(self._service, self._project, default, self._history.refs)

    def files(self, ref: str) -> Picker:
        """Return the choice of a pipeline file; the project's own is the value of nothing.

        Args:
            ref: at which files are looked for.
        """
        items = [MenuItem("", OWN_FILE, "as its settings name it")]
        items += [MenuItem(path, path, USED) for path in self._history.pipeline_files]

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
