"""Operations of the project API (spec §4.3); the only modules with its URLs.

Each is imported when it is first used: a command that lists needs one of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from platui.api.endpoints import actions, files, jobs, pipelines, projects, schedules, session

__all__ = ["actions", "files", "jobs", "pipelines", "projects", "schedules", "session"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
