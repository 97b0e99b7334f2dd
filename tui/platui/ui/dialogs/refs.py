"""The choice of a branch or tag: found while one types, or typed whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import clean, shorten
from platui.ui.dialogs.menu import MenuItem
from platui.ui.dialogs.picker import Picker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.repository import RefName
    from platui.service import PlatformService

USED: Final = "used before"
"""Said of what was chosen here already."""


def ref_picker(
    service: PlatformService, project: ProjectRef, default: str = "", used: Sequence[str] = ()
) -> Picker:
    """Return the choice of a branch or tag.

    Args:
        service: asks for them.
        project: whose they are.
        default: the default branch; empty where it is not known.
        used: those that are remembered, the last one first.
    """
    items = [MenuItem(default, default, "default branch")] if default else []
    items += [MenuItem(ref, ref, USED) for ref in used if ref != default]

    async def find(word: str) -> tuple[Sequence[MenuItem], bool]:
        repository = await service.repository()
        found = await repository.find_refs(project, word)
        if found is None:
            return (), True
        return [MenuItem(one.name, one.name, _kind(one)) for one in found.names], found.is_whole

    return Picker("Run on which branch or tag? Type to find it", items, find)


def _kind(ref: RefName) -> str:
    """Return what a ref is, or else what its newest commit says."""
    if ref.is_default:
        return "default branch"
    return "tag" if ref.is_tag else shorten(clean(ref.title), 60)
