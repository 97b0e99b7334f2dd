"""API responses as frozen pydantic records, each module imported when it is first used."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from platui.models.wire.commits import Commit
    from platui.models.wire.files import (
        Branch,
        Comparison,
        FileDiff,
        MergeRequest,
        RepositoryFile,
        Tag,
        TreeEntry,
    )
    from platui.models.wire.jobs import Bridge, Job, Runner
    from platui.models.wire.people import User
    from platui.models.wire.pipelines import Pipeline
    from platui.models.wire.projects import Namespace, Project
    from platui.models.wire.record import Record
    from platui.models.wire.schedules import Schedule, Variable
    from platui.models.wire.session import AccessToken, Version
    from platui.models.wire.tests import PipelineTests

__all__ = [
    "AccessToken",
    "Branch",
    "Bridge",
    "Commit",
    "Comparison",
    "FileDiff",
    "Job",
    "MergeRequest",
    "Namespace",
    "Pipeline",
    "PipelineTests",
    "Project",
    "Record",
    "RepositoryFile",
    "Runner",
    "Schedule",
    "Tag",
    "TreeEntry",
    "User",
    "Variable",
    "Version",
]

# pydantic would read the metadata of every installed package, in search of plug-ins.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

_MODULES: Final = {
    "AccessToken": "session", "Branch": "files", "Bridge": "jobs", "Commit": "commits",
    "Comparison": "files", "FileDiff": "files", "Job": "jobs", "MergeRequest": "files",
    "Namespace": "projects", "Pipeline": "pipelines", "PipelineTests": "tests",
    "Project": "projects", "Record": "record", "RepositoryFile": "files", "Runner": "jobs",
    "Schedule": "schedules", "Tag": "files", "TreeEntry": "files", "User": "people",
    "Variable": "schedules", "Version": "session",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
