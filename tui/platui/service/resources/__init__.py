"""Resources of the platform with their polling, activity and finality, imported when used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from platui.service.resources import files, jobs, logs, pipelines, projects, schedules, triage

__all__ = ["files", "jobs", "logs", "pipelines", "projects", "schedules", "triage"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
