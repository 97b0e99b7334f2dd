"""What a project is called where it has to be clear which one is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.text import clean

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef


def called(project: ProjectRef | None, name: str) -> str:
    """Return a project's path where that is known; else its name with its number.

    Args:
        project: its id or its path.
        name: its path or its last part, as far as a place knows it.
    """
    if not isinstance(project, int) or name in {"", str(project)}:
        return clean(str(project))
    return clean(name) if "/" in name else f"{clean(name)} ({project})"
