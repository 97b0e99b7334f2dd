"""What the platform says (`wire`) and what crosses layers (`values`).

Wire names are handed out lazily, so that importing `platui.models.values` does not
import pydantic: `from platui.models import Pipeline` does, at that moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from platui.models.wire import (
        Branch,
        Bridge,
        Commit,
        Job,
        Namespace,
        Pipeline,
        Project,
        RepositoryFile,
        Runner,
        Schedule,
        Tag,
        TreeEntry,
        User,
        Variable,
    )

__all__ = [
    "Branch",
    "Bridge",
    "Commit",
    "Job",
    "Namespace",
    "Pipeline",
    "Project",
    "RepositoryFile",
    "Runner",
    "Schedule",
    "Tag",
    "TreeEntry",
    "User",
    "Variable",
]


def __getattr__(name: str) -> Any:
    """Import the wire package at the first use of one of its names."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from platui.models import wire  # noqa: PLC0415  (the reason this function exists)

    return getattr(wire, name)
